//! All problems are reported, in file order, each with its position.

use crate::rich::RICH;
use crate::{problems, refused};
use fmi3::{ModelDescription, Strictness};

/// Returns line and column of a text that occurs once in the file.
fn position(text: &str, what: &str) -> (u32, u32) {
    let offset = text.find(what).unwrap();
    let before = &text[..offset];
    let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
    (u32::try_from(before.matches('\n').count() + 1).unwrap(), u32::try_from(column).unwrap())
}

#[test]
fn an_attribute_is_found_in_its_line() {
    let text = RICH.replace("start=\"255\"", "start=\"256\"");
    let problem = refused(text.as_bytes(), "malformed-value");
    let (line, column) = position(&text, "start=\"256\"");
    let message = "start=\"256\" of <UInt8>: expected a whole number from 0 to 255, or several separated by blanks";
    assert_eq!(problem.to_string(), format!("{line}:{column}: {message}; correct it; this value is required"));
}

#[test]
fn rules_point_to_the_element() {
    for (from, to, rule, element) in [
        ("name=\"i16\"", "name=\"u8\"", "duplicate-name", "<Int16 "),
        ("valueReference=\"10\" causality", "valueReference=\"9\" causality", "value-reference", "<Int16 "),
        ("modelIdentifier=\"rich_cs\"", "modelIdentifier=\"r-h\"", "model-identifier", "<CoSimulation"),
        ("modelIdentifier=\"rich_se\"", "modelIdentifier=\"r-h\"", "model-identifier", "<ScheduledExecution"),
        ("stopTime=\"10.0\"", "stopTime=\"-1\"", "default-experiment", "<DefaultExperiment"),
        (
            "<InitialUnknown valueReference=\"13\"",
            "<InitialUnknown valueReference=\"50\"",
            "reference",
            "<InitialUnknown valueReference=\"50\"",
        ),
        ("<ClockedState valueReference=\"22\"", "<ClockedState valueReference=\"50\"", "reference", "<ClockedState"),
        ("<EventIndicator valueReference=\"24\"", "<EventIndicator valueReference=\"50\"", "reference", "<EventIndicator"),
        (
            "<ContinuousStateDerivative valueReference=\"5\"",
            "<ContinuousStateDerivative valueReference=\"50\"",
            "reference",
            "<ContinuousStateDerivative",
        ),
        ("<Output valueReference=\"10\"", "<Output valueReference=\"50\"", "reference", "<Output valueReference=\"50\""),
        ("<Item name=\"high\" value=\"2\"", "<Item name=\"high\" value=\"1\"", "enumeration-items", "<EnumerationType"),
        ("<Unit name=\"m/s2\"", "<Unit name=\"K\"", "duplicate-unit", "<Unit name=\"K\">\n      <BaseUnit m"),
        ("<Category name=\"logEvents\"", "<Category name=\"logAll\"", "duplicate-log-category", "<Category name=\"logAll\"/>"),
        ("instantiationToken=\"{0}\"", "", "missing-token", "<fmiModelDescription"),
        (
            "<Dimension start=\"2\"/>\n      <Dimension valueReference",
            "<Dimension/><Dimension valueReference",
            "dimension",
            "<Dimension/>",
        ),
    ] {
        assert!(RICH.contains(from), "{from}");
        let text = RICH.replacen(from, to, 1);
        let all = problems(text.as_bytes());
        let problem = all.iter().find(|problem| problem.rule == rule).unwrap_or_else(|| panic!("{rule}: {all:?}"));
        assert_eq!((problem.line, problem.column), position(&text, element), "{problem}");
    }
}

#[test]
fn notes_about_annotations_point_to_their_owner() {
    for (from, to, element) in [
        ("type=\"org.example.other\"", "type=\"org.example.root\"", "<Annotation type=\"org.example.root\"/>"),
        ("type=\"org.example.q\"", "type=\"org.example.p\"", "<Float64 name=\"p\""),
    ] {
        let text = RICH.replacen(from, to, 1);
        let found = ModelDescription::examine(text.as_bytes());
        let note = found.iter().find(|problem| problem.rule == "duplicate-annotation").unwrap();
        assert_eq!((note.line, note.column), position(&text, element), "{note}");
    }
}

#[test]
fn columns_count_characters_and_not_bytes() {
    let text = RICH.replace("name=\"event\" valueReference=\"24\"", "name=\"ÄÖÜ🙂\" valueReference=\"x\"");
    let problem = refused(text.as_bytes(), "malformed-value");
    assert_eq!((problem.line, problem.column), position(&text, "valueReference=\"x\""));
}

#[test]
fn all_problems_are_reported_in_order() {
    let text = RICH
        .replace("start=\"300.0\"", "start=\"y\"")
        .replace("start=\"65535\"", "start=\"65536\"")
        .replace("<Unit name=\"m/s2\"", "<Unit")
        .replace("<ModelStructure>", "<ModelStructure><Nonsense/>");
    let found = ModelDescription::read(text.as_bytes(), Strictness::Lenient).unwrap_err();
    let rules: Vec<_> = found.0.iter().map(|problem| problem.rule).collect();
    assert_eq!(rules, ["missing-attribute", "malformed-value", "malformed-value", "unknown-element"]);
    assert!(found.0.is_sorted_by_key(|problem| (problem.line, problem.column)));
    assert_eq!(found.to_string().lines().count(), found.0.len());
}

#[test]
fn what_was_found_before_the_text_breaks_off_is_reported_too() {
    let text = RICH.replace("start=\"300.0\"", "start=\"x\"").replace("</ModelStructure>", "");
    refused(text.as_bytes(), "malformed-value");
    refused(text.as_bytes(), "not-well-formed");
}
