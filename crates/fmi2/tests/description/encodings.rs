//! Every encoding yields the same description, and invalid bytes are rejected.

use crate::rich::RICH;
use crate::{lenient, problems, refused};
use fmi2::{ModelDescription, Strictness};

fn text(encoding: &str) -> String {
    RICH.replace("encoding=\"UTF-8\"", &format!("encoding=\"{encoding}\"")).replace("author=\"A\"", "author=\"Åsa\"")
}

fn utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(bytes).collect()
}

fn author(bytes: &[u8]) -> Option<String> {
    ModelDescription::read(bytes, Strictness::Strict).unwrap_or_else(|problems| panic!("{problems}")).description.author
}

#[test]
fn utf_8_with_and_without_mark_and_declaration() {
    let plain = text("UTF-8");
    let marked = [b"\xef\xbb\xbf", plain.as_bytes()].concat();
    let undeclared = plain.split_once("?>").unwrap().1.trim_start().to_owned();
    for bytes in [plain.as_bytes(), &marked, undeclared.as_bytes()] {
        assert_eq!(author(bytes).as_deref(), Some("Åsa"));
    }
}

#[test]
fn utf_16_with_and_without_mark_in_both_orders() {
    for encoding in ["UTF-16", "utf-16le"] {
        assert_eq!(author(&utf16(&text(encoding), u16::to_le_bytes)).as_deref(), Some("Åsa"));
    }
    assert_eq!(author(&utf16(&text("UTF-16"), u16::to_be_bytes)).as_deref(), Some("Åsa"));
    let marked = format!("\u{feff}{}", text("UTF-16"));
    assert_eq!(author(&utf16(&marked, u16::to_le_bytes)).as_deref(), Some("Åsa"));
    assert_eq!(author(&utf16(&marked, u16::to_be_bytes)).as_deref(), Some("Åsa"));
}

#[test]
fn latin_1_as_declared() {
    for name in ["ISO-8859-1", "iso-8859-1", "latin1"] {
        let bytes: Vec<u8> = text(name).chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
        assert_eq!(author(&bytes).as_deref(), Some("Åsa"));
    }
}

#[test]
fn a_declaration_that_the_bytes_deny_is_a_warning() {
    let reading = lenient(&text("UTF-16"));
    assert_eq!(reading.description.author.as_deref(), Some("Åsa"));
    assert_eq!(reading.warnings.iter().map(|warning| warning.rule).collect::<Vec<_>>(), ["encoding"]);
}

#[test]
fn other_encodings_are_refused_by_name() {
    assert!(refused(text("KOI8-R").as_bytes(), "encoding").message.contains("KOI8-R"));
}

#[test]
fn invalid_bytes_are_refused_where_they_stand() {
    let mut bytes = text("UTF-8").into_bytes();
    let at = bytes.windows(8).position(|w| w == b"author=\"").unwrap() + 8;
    bytes[at] = 0xff;
    let problem = refused(&bytes, "invalid-bytes");
    assert_eq!((problem.line, problem.column), (2, 103 + 8));

    let mut half = utf16(&text("UTF-16"), u16::to_le_bytes);
    half.pop();
    refused(&half, "invalid-bytes");
    let surrogate = [utf16("<a>", u16::to_le_bytes), vec![0, 0xd8, b'x', 0]].concat();
    assert_eq!(refused(&surrogate, "invalid-bytes").column, 4);
    // Latin-1 bytes in a file that does not declare that encoding.
    refused(b"<fmiModelDescription author=\"\xc5sa\"/>", "invalid-bytes");
}

#[test]
fn empty_and_odd_files_are_refused() {
    for bytes in [&b""[..], b" ", b"\xef\xbb\xbf", b"\xff\xfe", b"\0", b"PK\x03\x04", b"<", b"hello"] {
        assert!(ModelDescription::read(bytes, Strictness::Lenient).is_err(), "{bytes:?}");
        assert!(!problems(bytes).is_empty());
    }
}
