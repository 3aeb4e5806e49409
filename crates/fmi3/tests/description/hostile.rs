//! Malicious or broken XML is rejected, with a reason. The XML itself is tested with FMI 2.0; here is what the elements of FMI
//! 3.0 add.

use crate::rich::RICH;
use crate::{lenient, refused};
use fmi3::{ModelDescription, Strictness};

fn around(content: &str) -> String {
    RICH.replace("<LogCategories>", &format!("{content}<LogCategories>"))
}

#[test]
fn entities_and_depth_are_bounded() {
    for doctype in [r#"<!DOCTYPE b [<!ENTITY a "aaaaaaaaaa">]>"#, r#"<!DOCTYPE b SYSTEM "file:///etc/passwd">"#] {
        let text = RICH.replace("<fmiModelDescription", &format!("{doctype}\n<fmiModelDescription"));
        let problem = refused(text.as_bytes(), "doctype");
        assert_eq!((problem.line, problem.column), (2, 1));
    }
    refused(around("&boom;").as_bytes(), "entity");
    let nested = |depth: usize| around(&format!("{}{}", "<a>".repeat(depth), "</a>".repeat(depth)));
    assert!(ModelDescription::read(nested(63).as_bytes(), Strictness::Lenient).is_ok());
    refused(nested(64).as_bytes(), "too-deep");
    refused(around(&"<Annotations>".repeat(1_000_000)).as_bytes(), "too-deep");
}

#[test]
fn truncations_are_refused() {
    let whole = RICH.trim_end();
    for length in (0..whole.len()).step_by(7) {
        let result = ModelDescription::read(&whole.as_bytes()[..length], Strictness::Lenient);
        assert!(result.is_err(), "the first {length} bytes");
    }
    let problem = refused(&whole.as_bytes()[..whole.len() - 10], "not-well-formed");
    assert!(problem.line > 150, "{problem}");
}

#[test]
fn elements_out_of_place_are_left_out_with_a_warning() {
    for (from, to, rule) in [
        ("<Float64 name=\"time\"", "<Real/><Float64 name=\"time\"", "unknown-element"),
        ("<Dimension valueReference=\"3\"/>", "<Dimension valueReference=\"3\"><a/></Dimension>", "unknown-element"),
        (
            "<Float64 name=\"event\" valueReference=\"24\" variability=\"continuous\"/>",
            "<Float64 name=\"event\" valueReference=\"24\"><Start value=\"1\"/></Float64>",
            "unknown-element",
        ),
        (
            "<BooleanType name=\"Flag\"/>",
            "<BooleanType name=\"Flag\"><Item name=\"a\" value=\"1\"/></BooleanType>",
            "unknown-element",
        ),
        ("<Alias name=\"p3\"/>", "<Alias name=\"p3\"><Annotations/></Alias>", "unknown-element"),
        ("<Alias name=\"p3\"/>", "<Alias/>", "missing-attribute"),
        ("<Output valueReference=\"10\"/>", "<Output/><Output valueReference=\"10\"/>", "missing-attribute"),
        ("<Output valueReference=\"10\"/>", "<Output valueReference=\"10\">text</Output>", "text"),
        ("<ClockedState", "<InitialUnknown valueReference=\"23\"/><ClockedState", "element-order"),
        ("<Alias name=\"tack\"/>\n    </Clock>", "<Alias name=\"tack\"/><Annotations/></Clock>", "repeated-element"),
        ("<Annotation type=\"org.example.tick\"/>", "<Annotation/>", "missing-attribute"),
        ("<Annotation type=\"org.example.tick\"/>", "", "empty-list"),
        ("<TypeDefinitions>", "<TypeDefinitions><SimpleType name=\"a\"/>", "unknown-element"),
    ] {
        assert!(RICH.contains(from), "{from}");
        let reading = lenient(&RICH.replacen(from, to, 1));
        assert!(reading.warnings.iter().any(|warning| warning.rule == rule), "{to}: {:?}", reading.warnings);
    }
}

#[test]
fn comments_instructions_and_prefixed_attributes_are_no_problem() {
    let text = around("<!-- a comment --><?tool x?>")
        .replace("fmiVersion=", "xmlns:xsi=\"u\" xsi:noNamespaceSchemaLocation=\"fmi3.xsd\" xml:lang=\"en\" fmiVersion=")
        .replace("<CoSimulation ", "<CoSimulation xmlns:v=\"urn:v\" v:flag=\"true\" newFlag=\"true\" ");
    let reading = ModelDescription::read(text.as_bytes(), Strictness::Strict);
    assert!(reading.is_ok(), "{reading:?}");
    let found = ModelDescription::examine(text.as_bytes());
    let unknown: Vec<_> =
        found.iter().filter(|problem| problem.rule == "unknown-attribute").map(|problem| &problem.message).collect();
    assert_eq!(unknown.len(), 2, "{unknown:?}");
    assert!(
        unknown.iter().any(|message| message.contains("newFlag")) && unknown.iter().any(|message| message.contains("xml:lang"))
    );
}

#[test]
fn numbers_that_matter_are_never_read_wrongly() {
    for start in ["NaN", "INF", "-INF", "inf", "1e999", "0x10", "1,5", "1.5 m", "", " ", "1_000", "1d5", "1.5f"] {
        let text = RICH.replace("start=\"300.0\"", &format!("start=\"{start}\""));
        assert!(refused(text.as_bytes(), "malformed-value").message.contains("start="), "{start}");
    }
    for start in ["3.5e38", "-1e39", "NaN", "0.1f"] {
        let text = RICH.replace("start=\"0.1\"", &format!("start=\"{start}\""));
        assert!(refused(text.as_bytes(), "malformed-value").message.contains("32 bits"), "{start}");
    }
    for (from, starts) in [
        ("start=\"-128 127\"", ["-129 1", "128", "1.0", "1 2,3"]),
        ("start=\"255\"", ["256", "-1", "1e2", "0xff"]),
        ("start=\"65535\"", ["65536", "-1", "", "one"]),
        ("start=\"-2147483648\"", ["-2147483649", "2147483648", "1.0", "+-1"]),
        ("start=\"9007199254740993\"", ["9223372036854775808", "-9223372036854775809", "1e18", "9.0"]),
        ("start=\"true false\"", ["True false", "yes", "", "2"]),
        ("value=\"00fF10\"", ["0", "0g", "0x00", "00 ff"]),
        ("valueReference=\"24\" variability", ["-1", "4294967296", "0x1", ""]),
        ("offset=\"-273.15\"", ["-273,15", "", "INF", "1e999"]),
        ("clocks=\"20 21\"", ["20,21", "-1", "x", "4294967296"]),
    ] {
        assert!(RICH.contains(from), "{from}");
        let name = from.split('=').next().unwrap();
        let rest = from.rsplit('"').next().unwrap();
        for start in starts {
            let text = RICH.replacen(from, &format!("{name}=\"{start}\"{rest}"), 1);
            refused(text.as_bytes(), "malformed-value");
        }
    }
}

#[test]
fn numbers_that_do_not_matter_are_left_out_with_a_warning() {
    for (from, to) in [
        ("max=\"400.0\"", "max=\"INF\""),
        ("min=\"-128\" max=\"127\" start", "min=\"-129\" max=\"127\" start"),
        ("tolerance=\"1e-6\"", "tolerance=\"NaN\""),
        ("dependencies=\"2 4\" dependenciesKind=\"dependent fixed\"", "dependencies=\"2,4\""),
        ("derivative=\"4\"", "derivative=\"x\""),
        ("previous=\"23\"", "previous=\"-1\""),
        ("maxSize=\"10\"", "maxSize=\"ten\""),
        ("fixedInternalStepSize=\"0.01\"", "fixedInternalStepSize=\"0,01\""),
    ] {
        assert!(RICH.contains(from), "{from}");
        let reading = lenient(&RICH.replace(from, to));
        assert!(reading.warnings.iter().any(|warning| warning.rule == "malformed-value"), "{to}: {:?}", reading.warnings);
    }
}

#[test]
fn arrays_of_absurd_size_cost_nothing() {
    let huge = "<Dimension start=\"18446744073709551615\"/>".repeat(3);
    let text = RICH.replace(
        "<Float64 name=\"event\"",
        &format!(
            "<Float64 name=\"huge\" valueReference=\"99\" initial=\"exact\" start=\"1\">{huge}</Float64><Float64 name=\"event\""
        ),
    );
    assert_eq!(lenient(&text).warnings, vec![]);
}
