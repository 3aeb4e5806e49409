//! All problems are reported, in file order, each with its position.

use crate::rich::RICH;
use crate::{problems, refused};
use fmi2::{ModelDescription, Strictness};

/// Returns line and column of a text that occurs once in the file.
fn position(text: &str, what: &str) -> (u32, u32) {
    let offset = text.find(what).unwrap();
    let before = &text[..offset];
    let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
    (u32::try_from(before.matches('\n').count() + 1).unwrap(), u32::try_from(column).unwrap())
}

#[test]
fn an_attribute_is_found_in_its_line() {
    let text = RICH.replace("start=\"9.81\"", "start=\"9,81\"");
    let problem = refused(text.as_bytes(), "malformed-value");
    assert_eq!((problem.line, problem.column), position(&text, "start=\"9,81\""));
    let message = "start=\"9,81\" of <Real>: expected a finite decimal number, as in 1.5e-3";
    assert_eq!(problem.to_string(), format!("{}:13: {message}; correct it; this value is required", problem.line));
}

#[test]
fn rules_point_to_the_element() {
    for (from, to, rule, element) in [
        ("name=\"u\"", "name=\"x\"", "duplicate-name", "<ScalarVariable name=\"x\" valueReference=\"3\""),
        ("modelIdentifier=\"rich\"", "modelIdentifier=\"r-h\"", "model-identifier", "<CoSimulation"),
        ("stopTime=\"10.0\"", "stopTime=\"-1\"", "default-experiment", "<DefaultExperiment"),
        ("<Unknown index=\"5\"/>", "<Unknown index=\"50\"/>", "index", "<Unknown index=\"50\"/>"),
        (
            "<Item name=\"high\" value=\"2\"/>",
            "<Item name=\"high\" value=\"1\"/>",
            "enumeration-items",
            "<SimpleType name=\"Gear\"",
        ),
        ("<Unit name=\"\"/>", "<Unit name=\"K\"/>", "duplicate-unit", "<Unit name=\"K\"/>"),
        (
            "<Category name=\"logEvents\"/>",
            "<Category name=\"logAll\"/>",
            "duplicate-log-category",
            "<Category name=\"logAll\"/>",
        ),
        ("guid=\"{0}\"", "", "missing-guid", "<fmiModelDescription"),
    ] {
        let text = RICH.replace(from, to);
        let all = problems(text.as_bytes());
        let problem = all.iter().find(|problem| problem.rule == rule).unwrap_or_else(|| panic!("{rule}: {all:?}"));
        assert_eq!((problem.line, problem.column), position(&text, element), "{problem}");
    }
}

#[test]
fn columns_count_characters_and_not_bytes() {
    let text = RICH.replace("name=\"k\"", "name=\"ÄÖÜ🙂\"").replace("valueReference=\"7\"", "valueReference=\"x\"");
    let problem = refused(text.as_bytes(), "malformed-value");
    assert_eq!((problem.line, problem.column), position(&text, "valueReference=\"x\""));
}

#[test]
fn all_problems_are_reported_in_order() {
    let text = RICH
        .replace("start=\"9.81\"", "start=\"x\"")
        .replace("start=\"300.0\"", "start=\"y\"")
        .replace("<Unit name=\"\"/>", "<Unit/>")
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
