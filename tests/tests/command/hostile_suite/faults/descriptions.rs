use super::{Group, a, described};
use crate::hostile_suite::case::Case;
use tests::hostile::{Entry, Hostile};

pub const GROUP: Group = Group { title: "Model descriptions: the file", faults };

/// A description in other bytes.
fn encoded(encode: impl FnOnce(String) -> Vec<u8> + 'static) -> Hostile {
    a().edit_archive(|entries| {
        let xml = String::from_utf8(entries[0].data.clone()).unwrap();
        entries[0] = Entry::stored("modelDescription.xml", encode(xml));
    })
}

fn utf_16(text: &str) -> Vec<u8> {
    let text = text.replace("encoding=\"UTF-8\"", "encoding=\"UTF-16\"");
    [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
}

fn latin(text: &str) -> Vec<u8> {
    let text = text.replace("encoding=\"UTF-8\"", "encoding=\"ISO-8859-1\"").replace("Lotka tests", "M\u{fc}ller");
    text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect()
}

/// Puts a document type before the root, and a reference to its entity into the text of the file.
fn with_entity(declaration: &'static str) -> Hostile {
    a().edit_xml(move |xml| {
        let doctype = format!("<!DOCTYPE fmiModelDescription [{declaration}]>\n<fmiModelDescription");
        *xml = xml.replacen("<fmiModelDescription", &doctype, 1).replacen("Lotka tests", "&e;", 1);
    })
}

const BOMB: &str = "<!ENTITY a \"0123456789\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;\"><!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;\">\
    <!ENTITY d \"&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;\"><!ENTITY e \"&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;\">";

/// Elements in each other, inside of an annotation.
fn deep(depth: usize) -> Hostile {
    a().edit_xml(move |xml| {
        let inner = format!("{}{}", "<e>".repeat(depth), "</e>".repeat(depth));
        let annotation = format!("<VendorAnnotations><Tool name=\"x\">{inner}</Tool></VendorAnnotations><ModelVariables>");
        *xml = xml.replacen("<ModelVariables>", &annotation, 1);
    })
}

fn version(new: &'static str) -> Hostile {
    a().edit_xml(move |xml| *xml = xml.replacen("fmiVersion=\"2.0\"", new, 1))
}

fn faults() -> Vec<Case> {
    const XML: &str = "modelDescription.xml";
    vec![
        Case::new("bomb of entities", with_entity(BOMB)).refused(&[XML, "DOCTYPE is not allowed"]),
        Case::new("entity of another file", with_entity("<!ENTITY e SYSTEM \"file:///etc/passwd\">"))
            .refused(&[XML, "DOCTYPE is not allowed"]),
        Case::new("entity that nobody declares", described("Lotka tests", "&e;")).refused(&[XML, "unrecognized entity"]),
        Case::new("100 000 elements in each other", deep(100_000)).refused(&[XML, "nested more than"]),
        Case::new(
            "a million attributes",
            a().edit_xml(|xml| {
                let attributes: String = (0..100_000).map(|index| format!(" a{index}=\"\"")).collect();
                *xml = xml.replacen("<CoSimulation", &format!("<CoSimulation{attributes}"), 1);
            }),
        )
        .runs(&["a0"]),
        Case::new("ISO-8859-1", encoded(|xml| latin(&xml))).runs(&[]),
        Case::new("UTF-16", encoded(|xml| utf_16(&xml))).runs(&[]),
        Case::new("byte-order mark", encoded(|xml| [b"\xef\xbb\xbf".as_slice(), xml.as_bytes()].concat())).runs(&[]),
        Case::new(
            "bytes that are not UTF-8",
            encoded(|xml| [xml.replace("Lotka tests", "").as_bytes(), b"<!-- \xff -->"].concat()),
        )
        .refused(&[XML]),
        Case::new("unknown encoding", described("encoding=\"UTF-8\"", "encoding=\"EBCDIC-US\"")).refused(&[XML, "EBCDIC-US"]),
        Case::new("FMI 1.0", version("fmiVersion=\"1.0\"")).refused(&[XML, "1.0"]),
        Case::new("FMI 3.1", version("fmiVersion=\"3.1\"")).refused(&[XML, "3.1"]),
        Case::new("FMI 2.0.4", version("fmiVersion=\"2.0.4\"")).runs(&["fmiVersion"]),
        Case::new("no version", version("")).refused(&[XML, "fmiVersion"]),
        Case::new("not XML", encoded(|_| b"name = 'a'".to_vec())).refused(&[XML]),
        Case::new("empty description", encoded(|_| Vec::new())).refused(&[XML]),
        Case::new("zeros", encoded(|_| vec![0; 1000])).refused(&[XML]),
        Case::new("half of a description", a().edit_xml(|xml| xml.truncate(xml.len() / 2))).refused(&[XML]),
        Case::new("another root", a().edit_xml(|xml| *xml = xml.replace("fmiModelDescription", "html"))).refused(&[XML, "html"]),
        Case::new("unknown elements and attributes", described("<ModelVariables>", "<Surprise a=\"b\"/><ModelVariables>"))
            .runs(&["Surprise"]),
        Case::new("no GUID", described(" guid=\"{hostile}\"", "")).refused(&[XML, "guid"]),
        Case::new("no model identifier", described(" modelIdentifier=\"a\"", "")).refused(&[XML, "modelIdentifier"]),
        Case::new("model identifier that is a path", described("modelIdentifier=\"a\"", "modelIdentifier=\"../../a\""))
            .refused(&[XML]),
        Case::new("for model exchange only", described("<CoSimulation", "<ModelExchange")).refused(&["o-simulation"]),
        Case::new("no model name", described(" modelName=\"a\"", "")).runs(&["modelName"]),
        Case::new("the same attribute twice", described(" guid=", " guid=\"{x}\" guid=")).refused(&[XML, "duplicated attribute"]),
        Case::new(
            "name of a megabyte",
            a().edit_xml(|xml| *xml = xml.replacen("modelName=\"a\"", &format!("modelName=\"{}\"", "n".repeat(1 << 20)), 1)),
        )
        .runs(&[]),
    ]
}
