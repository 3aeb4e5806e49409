//! Bytes of a text.

/// How text becomes bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8.
    Utf8,
    /// UTF-8 with a byte-order mark.
    Marked,
    /// UTF-16 with a byte-order mark, little or big end first.
    Utf16(bool),
    /// ISO 8859-1; other characters become question marks.
    Latin1,
    /// UTF-8 with this line end.
    Lines(&'static str),
    /// UTF-8 that ends early, after this part in 256 of the bytes, also within a character.
    Cut(u8),
}

impl Encoding {
    /// The bytes of a text.
    pub fn bytes(self, text: &str) -> Vec<u8> {
        match self {
            Self::Utf8 => text.as_bytes().to_vec(),
            Self::Marked => format!("\u{feff}{text}").into_bytes(),
            Self::Utf16(little) => {
                let bytes = |unit: u16| if little { unit.to_le_bytes() } else { unit.to_be_bytes() };
                "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(bytes).collect()
            }
            Self::Latin1 => text.chars().map(|letter| u8::try_from(letter).unwrap_or(b'?')).collect(),
            Self::Lines(end) => text.replace('\n', end).into_bytes(),
            Self::Cut(part) => text.as_bytes()[..text.len() * usize::from(part) / 256].to_vec(),
        }
    }
}
