//! The only encoding is UTF-8, and invalid bytes are rejected where they stand.

use crate::rich::RICH;
use crate::{lenient, problems, refused};
use fmi3::{ModelDescription, Strictness};

fn text(encoding: &str) -> String {
    RICH.replace("encoding=\"UTF-8\"", &format!("encoding=\"{encoding}\"")).replace("author=\"A\"", "author=\"Åsa\"")
}

#[test]
fn utf_8_with_and_without_mark_and_declaration() {
    let plain = text("UTF-8");
    let marked = [b"\xef\xbb\xbf", plain.as_bytes()].concat();
    let undeclared = plain.split_once("?>").unwrap().1.trim_start().to_owned();
    for bytes in [plain.as_bytes(), &marked, undeclared.as_bytes(), text("utf-8").as_bytes()] {
        let reading = ModelDescription::read(bytes, Strictness::Strict).unwrap_or_else(|problems| panic!("{problems}"));
        assert_eq!(reading.description.author.as_deref(), Some("Åsa"));
    }
}

#[test]
fn a_declaration_that_is_a_part_of_utf_8_is_a_warning() {
    for name in ["us-ascii", "UTF8"] {
        let reading = lenient(&text(name));
        assert_eq!(reading.warnings.iter().map(|warning| warning.rule).collect::<Vec<_>>(), ["encoding"], "{name}");
    }
}

#[test]
fn other_encodings_are_refused_by_name() {
    for name in ["ISO-8859-1", "UTF-16", "KOI8-R"] {
        let problem = refused(text(name).as_bytes(), "encoding");
        assert_eq!(problem.message, format!("the declaration says \"{name}\", expected \"UTF-8\""));
    }
    for bytes in [u16::to_le_bytes, u16::to_be_bytes] {
        for text in [text("UTF-16"), format!("\u{feff}{}", text("UTF-8"))] {
            let bytes: Vec<u8> = text.encode_utf16().flat_map(bytes).collect();
            assert!(refused(&bytes, "encoding").message.ends_with(", expected UTF-8"));
        }
    }
}

#[test]
fn invalid_bytes_are_refused_where_they_stand() {
    let mut bytes = text("UTF-8").into_bytes();
    let at = bytes.windows(8).position(|w| w == b"author=\"").unwrap() + 8;
    bytes[at] = 0xff;
    let problem = refused(&bytes, "invalid-bytes");
    let line = RICH.lines().nth(1).unwrap();
    assert_eq!((problem.line, problem.column), (2, u32::try_from(line.find("author=\"").unwrap()).unwrap() + 8 + 1));
    refused(b"<fmiModelDescription author=\"\xc5sa\"/>", "invalid-bytes");
}

#[test]
fn empty_and_odd_files_are_refused() {
    for bytes in [&b""[..], b" ", b"\xef\xbb\xbf", b"\xff\xfe", b"\0", b"PK\x03\x04", b"<", b"hello"] {
        assert!(ModelDescription::read(bytes, Strictness::Lenient).is_err(), "{bytes:?}");
        assert!(!problems(bytes).is_empty());
    }
}
