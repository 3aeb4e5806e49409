//! Decodes bytes to text: UTF-8, UTF-16 and ISO-8859-1, detected by byte-order mark, first bytes and declaration.

use lotka_message::limits::DESCRIPTION_BYTES;

use crate::collector::{Collector, quoted};
use crate::value::is_xml_char;

/// Number of bytes in which to look for the declaration `<?xml … ?>`.
const DECLARATION: usize = 512;

/// The supported encodings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Encoding {
    Utf8,
    Utf16Le,
    Utf16Be,
    Latin1,
}

/// Returns the text of a file as far as it can be decoded, and adds what is wrong with it to `problems`.
pub fn decode(bytes: &[u8], problems: &mut Collector) -> String {
    if bytes.len() > DESCRIPTION_BYTES {
        let message = format!("the file has {} bytes, expected at most {DESCRIPTION_BYTES}", bytes.len());
        problems.error(0, "too-large", message, "split the model, or omit variables that are never connected");
        return String::new();
    }
    let (seen, mark) = seen(bytes);
    let body = &bytes[mark..];
    let (text, rest) = match chosen(seen, mark > 0, body, problems) {
        Encoding::Utf8 => utf8(body),
        Encoding::Latin1 => (body.iter().map(|&b| char::from(b)).collect(), None),
        Encoding::Utf16Le => utf16(body, u16::from_le_bytes),
        Encoding::Utf16Be => utf16(body, u16::from_be_bytes),
    };
    if let Some(what) = rest {
        problems.error(text.len(), "invalid-bytes", format!("the file is not valid {what} from here on"), "save it as UTF-8");
    } else if let Some((offset, c)) = text.char_indices().find(|(_, c)| !is_xml_char(*c)) {
        let message = format!("the character U+{:04X} is not allowed in XML", u32::from(c));
        problems.error(offset, "invalid-character", message, "remove it");
    }
    text
}

/// Returns the encoding that the first bytes indicate, and the length of the byte-order mark.
fn seen(bytes: &[u8]) -> (Encoding, usize) {
    match bytes {
        [0xef, 0xbb, 0xbf, ..] => (Encoding::Utf8, 3),
        [0xff, 0xfe, ..] => (Encoding::Utf16Le, 2),
        [0xfe, 0xff, ..] => (Encoding::Utf16Be, 2),
        [b'<', 0, ..] => (Encoding::Utf16Le, 0),
        [0, b'<', ..] => (Encoding::Utf16Be, 0),
        _ => (Encoding::Utf8, 0),
    }
}

/// Returns the encoding to use: that of the bytes or, if they are ambiguous, that of the declaration.
fn chosen(seen: Encoding, marked: bool, body: &[u8], problems: &mut Collector) -> Encoding {
    let head: String = body.iter().take(DECLARATION).filter(|&&b| b != 0).map(|&b| char::from(b)).collect();
    if problems.format().is_utf8_only {
        demand_utf8(seen, declared(&head), problems);
        return seen;
    }
    let Some(name) = declared(&head) else { return seen };
    let meant = match name.to_ascii_lowercase().as_str() {
        "utf-8" | "utf8" | "us-ascii" | "ascii" => &[Encoding::Utf8][..],
        "iso-8859-1" | "iso8859-1" | "iso_8859-1" | "latin1" | "latin-1" => &[Encoding::Latin1],
        "utf-16" | "utf16" => &[Encoding::Utf16Le, Encoding::Utf16Be],
        "utf-16le" => &[Encoding::Utf16Le],
        "utf-16be" => &[Encoding::Utf16Be],
        _ => {
            problems.error(0, "encoding", format!("the encoding {} is not supported", quoted(name)), "save the file as UTF-8");
            return seen;
        }
    };
    if meant == [Encoding::Latin1] && seen == Encoding::Utf8 && !marked {
        return Encoding::Latin1;
    }
    if !meant.contains(&seen) {
        let message = format!("the declaration says {}, but the file is {seen:?}", quoted(name));
        problems.warn(0, "encoding", message, "correct the declaration");
    }
    seen
}

/// Reports another encoding than UTF-8, or the declaration of one.
fn demand_utf8(seen: Encoding, declared: Option<&str>, problems: &mut Collector) {
    if seen != Encoding::Utf8 {
        problems.error(0, "encoding", format!("the file is {seen:?}, expected UTF-8"), "save the file as UTF-8");
        return;
    }
    let Some(name) = declared.filter(|name| !name.eq_ignore_ascii_case("utf-8")) else { return };
    let message = format!("the declaration says {}, expected \"UTF-8\"", quoted(name));
    match name.to_ascii_lowercase().as_str() {
        "utf8" | "us-ascii" | "ascii" => problems.warn(0, "encoding", message, "correct the declaration"),
        _ => problems.error(0, "encoding", message, "save the file as UTF-8, and declare that"),
    }
}

/// Returns the encoding named in the declaration.
fn declared(head: &str) -> Option<&str> {
    let declaration = head.strip_prefix("<?xml")?.split_once("?>")?.0;
    let value = declaration.split_once("encoding")?.1.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    value[1..].split_once(quote).map(|(name, _)| name)
}

/// Returns the text of the valid part, and the name of the encoding if the rest is invalid.
fn utf8(bytes: &[u8]) -> (String, Option<&'static str>) {
    let valid = std::str::from_utf8(bytes).map_or_else(|error| error.valid_up_to(), str::len);
    (String::from_utf8_lossy(&bytes[..valid]).into_owned(), (valid < bytes.len()).then_some("UTF-8"))
}

/// Returns the text of the valid part, and the name of the encoding if the rest is invalid.
fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> (String, Option<&'static str>) {
    let (pairs, odd) = bytes.as_chunks::<2>();
    let mut text = String::with_capacity(pairs.len());
    for c in char::decode_utf16(pairs.iter().map(|pair| unit(*pair))) {
        match c {
            Ok(c) => text.push(c),
            Err(_) => return (text, Some("UTF-16")),
        }
    }
    (text, (!odd.is_empty()).then_some("UTF-16"))
}
