//! The version of FMI of a file.

use crate::collector::Collector;
use crate::cursor::Cursor;
use crate::decode::decode;
use crate::format::Format;

/// Size of the beginning of a file in which the root element is looked for first \[byte\].
const BEGINNING: usize = 1 << 16;

/// Returns the attribute `fmiVersion` of a `modelDescription.xml`, or `None` if the text up to its root element cannot be read,
/// the root has another name or the attribute is missing. The encodings are those of all versions; the rest of the file is not
/// read.
///
/// ```
/// assert_eq!(fmi_xml::version(b"<!-- exported --><fmiModelDescription fmiVersion='3.0.1'>").as_deref(), Some("3.0.1"));
/// assert_eq!(fmi_xml::version(b"<svg version='1.1'/>"), None);
/// ```
#[must_use]
pub fn version(xml: &[u8]) -> Option<String> {
    let beginning = xml.get(..BEGINNING).and_then(version_in);
    beginning.or_else(|| version_in(xml))
}

fn version_in(xml: &[u8]) -> Option<String> {
    let mut problems = Collector::new(Format { name: "FMI", is_utf8_only: false });
    let text = decode(xml, &mut problems);
    let mut cursor = Cursor::new(&text, problems);
    let root = cursor.child().ok()??;
    (root.name == "fmiModelDescription").then(|| root.attribute("fmiVersion").map(str::to_owned))?
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOT: &str = "<fmiModelDescription modelName=\"a\" fmiVersion=\"3.0-beta.2\" guid=\"é\"><Nonsense>";

    #[test]
    fn the_version_is_found_in_every_encoding() {
        let of = |xml: &[u8]| version(xml);
        let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
        let latin1 = |text: &str| text.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect::<Vec<_>>();
        let declared = |encoding: &str| format!("<?xml version='1.0' encoding='{encoding}'?>\n<!-- <a> -->\n<?tool x?>{ROOT}");
        for bytes in [
            ROOT.as_bytes().to_vec(),
            declared("UTF-8").into_bytes(),
            [b"\xef\xbb\xbf", declared("utf-8").as_bytes()].concat(),
            utf16(&declared("UTF-16")),
            utf16(&format!("\u{feff}{ROOT}")),
            latin1(&declared("ISO-8859-1")),
            declared("EBCDIC").into_bytes(),
        ] {
            assert_eq!(of(&bytes).as_deref(), Some("3.0-beta.2"));
        }
    }

    #[test]
    fn the_version_is_found_behind_a_long_comment_and_before_damage() {
        let comment = format!("<!--{}-->", "é".repeat(BEGINNING));
        assert_eq!(version(format!("{comment}{ROOT}").as_bytes()).as_deref(), Some("3.0-beta.2"));
        assert_eq!(version(&[ROOT.as_bytes(), &[0xff; 3]].concat()).as_deref(), Some("3.0-beta.2"));
        let long = format!("{ROOT}{}", "é".repeat(BEGINNING));
        assert_eq!(version(long.as_bytes()).as_deref(), Some("3.0-beta.2"));
    }

    #[test]
    fn a_text_without_a_version_has_none() {
        for xml in ["", "x", "<svg fmiVersion='3.0'/>", "<fmiModelDescription/>", "<fmiModelDescription fmiVersion='3.0'"] {
            assert_eq!(version(xml.as_bytes()), None, "{xml}");
        }
        for xml in ["<!DOCTYPE a><fmiModelDescription fmiVersion='3.0'/>", "<fmiModelDescription a='1' a='2' fmiVersion='3.0'/>"]
        {
            assert_eq!(version(xml.as_bytes()), None, "{xml}");
        }
    }
}
