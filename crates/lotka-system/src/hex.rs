//! Bytes as hexadecimal digits, as FMI 3.0 writes start values.

use std::fmt::Write;

/// Returns the digits, two for each byte.
pub(crate) fn text(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02X}");
        text
    })
}

/// Parses the digits; `None` if there are others, or an odd number.
pub(crate) fn parse(text: &str) -> Option<Vec<u8>> {
    if !text.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let pairs = text.as_bytes().chunks(2);
    pairs
        .map(|pair| {
            std::str::from_utf8(pair).ok().filter(|pair| pair.len() == 2).and_then(|pair| u8::from_str_radix(pair, 16).ok())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_lead_back_to_their_bytes() {
        assert_eq!(text(&[0, 0x0f, 0xa0]), "000FA0");
        assert_eq!(parse("000fA0"), Some(vec![0, 0x0f, 0xa0]));
        assert_eq!(parse(""), Some(Vec::new()));
        assert_eq!(["0", "0g", "0x", "é0", "+1"].map(parse), [const { None }; 5]);
    }
}
