//! Malicious or broken XML is rejected, with a reason.

use crate::refused;
use crate::rich::RICH;
use fmi2::{ModelDescription, Strictness};

fn around(content: &str) -> String {
    RICH.replace("<LogCategories>", &format!("{content}<LogCategories>"))
}

#[test]
fn entity_bombs_and_external_entities_are_refused() {
    let bomb = r#"<!DOCTYPE b [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>"#;
    let external = r#"<!DOCTYPE b SYSTEM "file:///etc/passwd">"#;
    for doctype in [bomb, external, "<!DOCTYPE fmiModelDescription>"] {
        let text = RICH.replace("<fmiModelDescription", &format!("{doctype}\n<fmiModelDescription"));
        let problem = refused(text.as_bytes(), "doctype");
        assert_eq!((problem.line, problem.column), (2, 1));
    }
    refused(RICH.replace("a &lt; b", "&boom;").as_bytes(), "not-well-formed");
    refused(around("&boom;").as_bytes(), "entity");
}

#[test]
fn depth_is_bounded() {
    let nested = |depth: usize| around(&format!("{}{}", "<a>".repeat(depth), "</a>".repeat(depth)));
    assert!(ModelDescription::read(nested(63).as_bytes(), Strictness::Lenient).is_ok());
    refused(nested(64).as_bytes(), "too-deep");
    refused("<a>".repeat(1_000_000).as_bytes(), "root");
    refused(around(&"<a>".repeat(1_000_000)).as_bytes(), "too-deep");
}

#[test]
fn prefixes_are_bounded() {
    let declared = |count: usize| (0..count).map(|i| format!(" xmlns:p{i}='u'")).collect::<String>();
    let with = |count: usize| RICH.replace("fmiVersion=", &format!("{} fmiVersion=", declared(count)));
    assert!(ModelDescription::read(with(60).as_bytes(), Strictness::Strict).is_ok());
    refused(with(65).as_bytes(), "too-many-namespaces");
    // The same number as siblings is fine.
    let siblings = around(&format!("<a{}/>", declared(40)).repeat(100));
    assert!(ModelDescription::read(siblings.as_bytes(), Strictness::Lenient).is_ok());
}

#[test]
fn size_is_bounded() {
    let bytes = vec![b' '; (256 << 20) + 1];
    assert!(refused(&bytes, "too-large").remedy.is_some());
}

#[test]
fn truncations_are_refused() {
    let whole = RICH.trim_end();
    for length in (0..whole.len()).step_by(5) {
        let result = ModelDescription::read(&whole.as_bytes()[..length], Strictness::Lenient);
        assert!(result.is_err(), "the first {length} bytes");
    }
    let problem = refused(&whole.as_bytes()[..whole.len() - 10], "not-well-formed");
    assert!(problem.line > 90, "{problem}");
}

#[test]
fn what_is_not_well_formed_is_refused() {
    for content in [
        "<a></b>",
        "<a",
        "<a b></a>",
        "<a b=c/>",
        "<a b='1' b='2'/>",
        "<a b='1'c='2'/>",
        "<a b='<'/>",
        "<a b='&'/>",
        "<1/>",
        "< a/>",
        "<a b='&#0;'/>",
        "<a b='&#1;'/>",
        "<a b='&#xFFFF;'/>",
        "<a b='&#x110000;'/>",
        "<!-- -- -->",
        "<![CDATA[",
        "]]>",
        "<?xml version='1.0'?>",
        "<a 1='2'/>",
    ] {
        refused(around(content).as_bytes(), "not-well-formed");
    }
    refused(around("&#0;").as_bytes(), "entity");
    refused(around("\u{1}").as_bytes(), "invalid-character");
    for rest in ["<a/>", "text", "&lt;", "<![CDATA[x]]>"] {
        refused(format!("{RICH}{rest}").as_bytes(), "not-well-formed");
        refused(format!("{rest}<a/>").as_bytes(), if rest == "<a/>" { "root" } else { "not-well-formed" });
    }
    refused(b"<svg/>", "root");
}

#[test]
fn comments_instructions_and_prefixed_attributes_are_no_problem() {
    let text = around("<!-- a comment --><?tool x?>")
        .replace("fmiVersion=", "xmlns:xsi=\"u\" xsi:noNamespaceSchemaLocation=\"fmi2.xsd\" xml:lang=\"en\" fmiVersion=");
    let reading = ModelDescription::read(text.as_bytes(), Strictness::Strict);
    assert!(reading.is_ok(), "{reading:?}");
}

#[test]
fn numbers_that_matter_are_never_read_wrongly() {
    for start in ["NaN", "INF", "-INF", "inf", "infinity", "1e999", "0x10", "1,5", "1.5 m", "", " ", "1_000", "1d5", "1.5f"] {
        let text = RICH.replace("start=\"9.81\"", &format!("start=\"{start}\""));
        assert!(refused(text.as_bytes(), "malformed-value").message.contains("start="), "{start}");
    }
    for start in ["3.0", "1e1", "0x3", "2147483648", "", "three"] {
        refused(RICH.replace("start=\"3\"", &format!("start=\"{start}\"")).as_bytes(), "malformed-value");
    }
    for reference in ["-1", "4294967296", "0x1", "1.0", ""] {
        refused(RICH.replace("valueReference=\"7\"", &format!("valueReference=\"{reference}\"")).as_bytes(), "malformed-value");
    }
    refused(RICH.replace("start=\"true\"", "start=\"True\"").as_bytes(), "malformed-value");
    refused(RICH.replace("offset=\"-273.15\"", "offset=\"-273,15\"").as_bytes(), "malformed-value");
}

#[test]
fn numbers_that_do_not_matter_are_left_out_with_a_warning() {
    for (from, to) in [
        ("max=\"400.0\"", "max=\"INF\""),
        ("tolerance=\"1e-6\"", "tolerance=\"NaN\""),
        ("dependencies=\"3 4\" dependenciesKind=\"dependent fixed\"", "dependencies=\"3,4\""),
        ("derivative=\"4\"", "derivative=\"x\""),
    ] {
        let reading = super::lenient(&RICH.replace(from, to));
        assert!(reading.warnings.iter().any(|warning| warning.rule == "malformed-value"), "{to}: {:?}", reading.warnings);
    }
    let reading =
        super::lenient(&RICH.replace("dependencies=\"3 4\" dependenciesKind=\"dependent fixed\"", "dependencies=\"3,4\""));
    assert_eq!(reading.description.model_structure.outputs[0].dependencies, None);
}
