//! Every rule has an example that breaks it. The rich description breaks none and yields one note.

use std::collections::BTreeSet;

use crate::rich::RICH;
use fmi2::description::RULES;
use fmi2::{ModelDescription, Problem, Severity};

/// The end of the last variable of the rich description, a constant.
const LAST: &str = "variability=\"constant\">\n      <Real start=\"9.81\"/>";

/// Rule, text in the rich description, and replacement that breaks the rule at its worst severity.
const EXAMPLES: &[(&str, &str, &str)] = &[
    ("encoding", "UTF-8", "EBCDIC"),
    ("invalid-character", "Rich &amp;", "Rich \u{1}"),
    ("not-well-formed", "</ModelVariables>", ""),
    ("doctype", "<fmiModelDescription", "<!DOCTYPE a><fmiModelDescription"),
    ("entity", "<LogCategories>", "<LogCategories>&boom;"),
    ("namespace", "fmiVersion=", "xmlns=\"urn:fmi\" fmiVersion="),
    ("unknown-element", "<LogCategories>", "<Extra/><LogCategories>"),
    ("unknown-attribute", "author=", "autor="),
    ("duplicate-element", "<DefaultExperiment", "<DefaultExperiment/><DefaultExperiment"),
    ("repeated-element", "<Outputs>", "<Outputs><Unknown index=\"8\"/></Outputs><Outputs>"),
    (
        "element-order",
        "<BaseUnit K=\"1\"/>\n      <DisplayUnit name=\"degC\" offset=\"-273.15\"/>",
        "<DisplayUnit name=\"degC\"/><BaseUnit/>",
    ),
    ("empty-list", "<File name=\"rich.c\"/>", ""),
    ("text", "<LogCategories>", "text<LogCategories>"),
    ("missing-attribute", "valueReference=\"7\"", ""),
    ("malformed-value", "start=\"9.81\"", "start=\"9,81\""),
    ("fmi-version", "fmiVersion=\"2.0\"", "fmiVersion=\"3.0\""),
    ("missing-guid", "guid=\"{0}\"", ""),
    ("missing-model-name", "modelName=\"Rich &amp; famous\"", ""),
    ("generation-date", "2024-11-30T12:00:00Z", "2024-11-30"),
    ("model-identifier", "modelIdentifier=\"rich\"", "modelIdentifier=\"1rich\""),
    ("serialize-without-state", "canGetAndSetFMUstate=\"true\"", ""),
    ("duplicate-source-file", "<File name=\"rich.c\"/>", "<File name=\"rich.c\"/><File name=\"rich.c\"/>"),
    ("model-exchange-attribute", "derivative=\"4\"", "derivative=\"4\" reinit=\"true\""),
    ("needs-execution-tool", "needsExecutionTool=\"false\"", "needsExecutionTool=\"true\""),
    ("duplicate-unit", "<Unit name=\"\"/>", "<Unit name=\"K\"/>"),
    ("unit-factor", "factor=\"1.0\"", "factor=\"0\""),
    ("duplicate-type", "name=\"Flag\"", "name=\"Text\""),
    ("type-kind", "<Boolean/>", ""),
    ("enumeration-items", "value=\"2\"", "value=\"1\""),
    ("duplicate-log-category", "<Category name=\"logEvents\"/>", "<Category name=\"logAll\"/>"),
    ("default-experiment", "stopTime=\"10.0\"", "stopTime=\"-1\""),
    ("duplicate-tool", "<Tool name=\"T\"><e/></Tool>", "<Tool name=\"T\"><e/></Tool><Tool name=\"T\"/>"),
    ("annotation-content", "<e/>", "<e/><e/>"),
    ("missing-name", "name=\"k\"", "name=\"\""),
    ("duplicate-name", "name=\"k\"", "name=\"u\""),
    ("name-character", "name=\"k\"", "name=\"k&#10;l\""),
    ("name-of-type", "name=\"k\"", "name=\"Flag\""),
    ("structured-name", "name=\"k\"", "name=\"der(k\""),
    ("variable-kind", "<Real start=\"9.81\"/>", ""),
    ("variability", LAST, "causality=\"local\"><Integer/>"),
    ("initial", LAST, "causality=\"input\" initial=\"exact\"><Real start=\"1\"/>"),
    ("independent", LAST, "causality=\"independent\"><Real/>"),
    ("missing-start", LAST, "causality=\"input\"><Real/>"),
    ("forbidden-start", LAST, "causality=\"local\"><Real start=\"1\"/>"),
    ("declared-type", LAST, "causality=\"input\"><Real start=\"1\" declaredType=\"Nowhere\"/>"),
    ("enumeration-start", "max=\"2\" start=\"2\"", "max=\"2\" start=\"3\""),
    ("unit", LAST, "causality=\"input\"><Real start=\"1\" unit=\"nowhere\"/>"),
    ("display-unit", LAST, "causality=\"input\"><Real start=\"1\" displayUnit=\"degC\"/>"),
    ("range", LAST, "causality=\"input\"><Real start=\"1\" min=\"2\"/>"),
    ("range-of-type", "max=\"5\" start=\"3\"", "max=\"11\" start=\"3\""),
    ("nominal", LAST, "causality=\"input\"><Real start=\"1\" nominal=\"0\"/>"),
    ("derivative", "derivative=\"4\"", "derivative=\"9\""),
    ("alias", "valueReference=\"7\"", "valueReference=\"1\""),
    ("index", "<Unknown index=\"11\"/>", "<Unknown index=\"13\"/>"),
    ("outputs", "<Unknown index=\"8\" dependencies=\"\"/>", ""),
    ("derivatives", "providesDirectionalDerivative=\"true\"", ""),
    ("initial-unknowns", "<Unknown index=\"11\"/>", ""),
    ("dependencies", "dependencies=\"3 4\"", "dependencies=\"4 3\""),
    ("dependencies-kind", "dependenciesKind=\"dependent fixed\"", "dependenciesKind=\"dependent\""),
];

/// Rules that only a description in memory can break, and one that needs ten thousand problems; other tests cover them.
const ELSEWHERE: [&str; 4] = ["value", "annotation", "more", "once-per-process"];

/// Examples that need more than one text replacement.
fn other_examples() -> Vec<(&'static str, Vec<u8>)> {
    let without = |from: &str, to: &str| {
        let (start, end) = (RICH.find(from).unwrap(), RICH.find(to).unwrap() + to.len());
        format!("{}{}", &RICH[..start], &RICH[end..]).into_bytes()
    };
    let deep = format!("<fmiModelDescription fmiVersion=\"2.0\">{}", "<a>".repeat(70));
    let prefixes: String = (0..65).map(|n| format!(" xmlns:p{n}=\"u\"")).collect();
    let empty = "<fmiModelDescription fmiVersion=\"2.0\" guid=\"g\"><ModelVariables></ModelVariables></fmiModelDescription>";
    vec![
        ("too-large", vec![b' '; (256 << 20) + 1]),
        ("invalid-bytes", b"<fmiModelDescription a='\xff'/>".to_vec()),
        ("too-deep", deep.into_bytes()),
        ("too-many-namespaces", format!("<fmiModelDescription{prefixes}/>").into_bytes()),
        ("root", b"<Description/>".to_vec()),
        ("missing-element", without("<ModelVariables>", "</ModelVariables>")),
        ("no-interface", without("<CoSimulation", "</CoSimulation>")),
        ("no-log-categories", without("<LogCategories>", "</LogCategories>")),
        ("no-default-experiment", without("<DefaultExperiment", "stepSize=\"0.1\"/>")),
        ("no-variables", empty.as_bytes().to_vec()),
    ]
}

/// Asserts that the rule is broken at its worst severity, and that every problem has a known rule and a remedy.
fn assert_breaks(rule: &str, xml: &[u8]) {
    let found: Vec<Problem> = ModelDescription::examine(xml);
    let worst = found.iter().filter(|problem| problem.rule == rule).map(|problem| problem.severity).max();
    assert_eq!(worst, RULES.iter().find(|known| known.name == rule).map(|known| known.worst), "{rule}: {found:?}");
    for problem in &found {
        assert!(RULES.iter().any(|known| known.name == problem.rule && problem.severity <= known.worst), "{problem:?}");
        assert!(problem.remedy.as_ref().is_some_and(|remedy| !remedy.is_empty()), "{problem:?}");
        assert!(problem.line > 0 && problem.column > 0, "{problem:?}");
    }
}

#[test]
fn every_rule_has_an_example_that_breaks_it() {
    for (rule, from, to) in EXAMPLES {
        assert!(RICH.contains(from), "{rule}: {from}");
        assert_breaks(rule, RICH.replacen(from, to, 1).as_bytes());
    }
    for (rule, xml) in other_examples() {
        assert_breaks(rule, &xml);
    }
}

#[test]
fn no_rule_is_without_example_and_none_is_listed_twice() {
    let mut covered: Vec<_> =
        EXAMPLES.iter().map(|(rule, ..)| *rule).chain(other_examples().iter().map(|(rule, _)| *rule)).collect();
    covered.extend(ELSEWHERE);
    let names: Vec<_> = RULES.iter().map(|rule| rule.name).collect();
    assert_eq!(covered.iter().copied().collect::<BTreeSet<_>>(), names.iter().copied().collect());
    assert_eq!(covered.len(), names.len());
}

#[test]
fn the_rich_description_breaks_no_rule() {
    let found = ModelDescription::examine(RICH.as_bytes());
    assert_eq!(
        found.iter().map(|problem| (problem.rule, problem.severity)).collect::<Vec<_>>(),
        [("once-per-process", Severity::Note)]
    );
}

#[test]
fn new_rules_look_at_all_they_should() {
    let finds = |rule: &str, from: &str, to: &str| {
        assert!(RICH.contains(from), "{from}");
        assert_breaks(rule, RICH.replacen(from, to, 1).as_bytes());
    };
    finds("structured-name", "name=\"n\"", "name=\"der(n)\"");
    finds("derivative", "derivative=\"4\"", "derivative=\"5\"");
    finds("alias", "valueReference=\"2\" causality=\"input\"", "valueReference=\"0\" causality=\"input\"");
    let constants = format!(
        "{LAST}</ScalarVariable><ScalarVariable name=\"l\" valueReference=\"7\" variability=\"constant\"><Real start=\"1\"/>"
    );
    finds("alias", LAST, &constants);
    finds(
        "duplicate-unit",
        "<DisplayUnit name=\"degC\" offset=\"-273.15\"/>",
        "<DisplayUnit name=\"degC\"/><DisplayUnit name=\"degC\"/>",
    );
    finds("duplicate-tool", "<VendorAnnotations>", "<VendorAnnotations><Tool name=\"T\"/>");
    finds("repeated-element", "<BaseUnit K=\"1\"/>", "<BaseUnit K=\"1\"/><BaseUnit/>");
    finds("element-order", "<Real relativeQuantity=\"true\" unit=\"K\"/>", "<Annotations/><Real unit=\"K\"/>");
    finds("range-of-type", "min=\"0.0\" max=\"400.0\"", "min=\"-1\" max=\"400.0\"");
}
