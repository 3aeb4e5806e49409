//! Every rule has an example that breaks it. The rich description breaks none and yields one note.

use std::collections::BTreeSet;

use crate::rich::{RICH, rich};
use fmi3::description::RULES;
use fmi3::{ModelDescription, Problem, Severity};

/// Rule, text in the rich description, and replacement that breaks the rule at its worst severity.
const EXAMPLES: &[(&str, &str, &str)] = &[
    ("encoding", "UTF-8", "ISO-8859-1"),
    ("invalid-character", "Rich &amp;", "Rich \u{1}"),
    ("not-well-formed", "</ModelVariables>", ""),
    ("doctype", "<fmiModelDescription", "<!DOCTYPE a><fmiModelDescription"),
    ("entity", "<LogCategories>", "<LogCategories>&boom;"),
    ("namespace", "fmiVersion=", "xmlns=\"urn:fmi\" fmiVersion="),
    ("unknown-element", "<LogCategories>", "<Extra/><LogCategories>"),
    ("unknown-attribute", "author=", "autor="),
    ("duplicate-element", "<DefaultExperiment", "<DefaultExperiment/><DefaultExperiment"),
    ("repeated-element", "<BaseUnit m=\"1\"", "<BaseUnit/><BaseUnit m=\"1\""),
    ("element-order", "<ClockedState", "<InitialUnknown valueReference=\"23\"/><ClockedState"),
    ("empty-list", "<Annotation type=\"org.example.tick\"/>", ""),
    ("text", "<LogCategories>", "text<LogCategories>"),
    ("missing-attribute", "valueReference=\"24\" variability", "variability"),
    ("malformed-value", "start=\"300.0\"", "start=\"300,0\""),
    ("fmi-version", "fmiVersion=\"3.0\"", "fmiVersion=\"2.0\""),
    ("missing-token", "instantiationToken=\"{0}\"", ""),
    ("missing-model-name", "modelName=\"Rich &amp; famous\"", ""),
    ("generation-date", "2024-11-30T12:00:00.5+01:00", "2024-11-30"),
    ("model-identifier", "modelIdentifier=\"rich\"", "modelIdentifier=\"1rich\""),
    ("serialize-without-state", "canGetAndSetFMUState=\"true\"", ""),
    ("early-return", "providesIntermediateUpdate=\"true\"", ""),
    ("internal-step", "fixedInternalStepSize=\"0.01\"", "fixedInternalStepSize=\"0\""),
    ("event-mode", "hasEventMode=\"true\"", ""),
    ("needs-execution-tool", "\"rich_cs\" needsExecutionTool=\"false\"", "\"rich_cs\" needsExecutionTool=\"true\""),
    ("duplicate-unit", "<Unit name=\"m/s2\"", "<Unit name=\"K\""),
    ("unit-factor", "factor=\"1.0\"", "factor=\"0\""),
    ("inverse-unit", "inverse=\"false\"", "inverse=\"true\""),
    ("duplicate-type", "name=\"Flag\"", "name=\"Text\""),
    ("enumeration-items", "name=\"high\" value=\"2\"", "name=\"high\" value=\"1\""),
    ("duplicate-log-category", "<Category name=\"logEvents\"/>", "<Category name=\"logAll\"/>"),
    ("default-experiment", "stopTime=\"10.0\"", "stopTime=\"-1\""),
    ("duplicate-annotation", "org.example.other", "org.example.root"),
    ("missing-name", "name=\"event\"", "name=\"\""),
    ("duplicate-name", "<Alias name=\"p3\"/>", "<Alias name=\"p2\"/>"),
    ("name-character", "name=\"event\"", "name=\"k&#10;l\""),
    ("name-of-type", "name=\"event\"", "name=\"Flag\""),
    ("structured-name", "name=\"event\"", "name=\"der(k\""),
    ("value-reference", "valueReference=\"24\"", "valueReference=\"23\""),
    (
        "variability",
        "causality=\"output\" declaredType=\"I16\"",
        "causality=\"output\" variability=\"fixed\" declaredType=\"I16\"",
    ),
    ("initial", "initial=\"approx\" declaredType=\"U16\"", "initial=\"exact\" declaredType=\"U16\""),
    ("independent", "causality=\"independent\"", "causality=\"local\""),
    ("missing-start", "start=\"255\"", ""),
    ("forbidden-start", "causality=\"output\" declaredType=\"I16\"", "causality=\"output\" declaredType=\"I16\" start=\"1\""),
    ("start-count", "start=\"-128 127\"", "start=\"-128 127 0\""),
    ("dimension", "<Dimension start=\"2\"/>", "<Dimension start=\"0\"/>"),
    ("structural-parameter", "start=\"3\"/>", "start=\"3\"><Dimension start=\"1\"/></UInt64>"),
    ("declared-type", "declaredType=\"I16\"", "declaredType=\"Nowhere\""),
    ("enumeration-start", "max=\"2\" start=\"2\"", "max=\"2\" start=\"3\""),
    ("unit", "initial=\"exact\" unit=\"K\"", "initial=\"exact\" unit=\"nowhere\""),
    ("display-unit", "<Alias name=\"w2\" displayUnit=\"degC\"/>", "<Alias name=\"w2\" displayUnit=\"F\"/>"),
    ("range", "max=\"400.0\" nominal=\"300.0\" start=\"300.0\"", "max=\"400.0\" nominal=\"300.0\" start=\"401\""),
    ("range-of-type", "min=\"0.0\" max=\"400.0\"", "min=\"-1\" max=\"400.0\""),
    ("nominal", "nominal=\"0.5\"", "nominal=\"0\""),
    ("max-size", "maxSize=\"10\"", "maxSize=\"2\""),
    ("derivative", "derivative=\"4\"", "derivative=\"99\""),
    ("previous", "previous=\"23\"", "previous=\"22\""),
    ("clocked-variable", "clocks=\"20 21\"", "clocks=\"20 23\""),
    ("clock", "clocks=\"20\" intervalVariability=\"triggered\"", "clocks=\"20\" intervalVariability=\"countdown\""),
    (
        "intermediate-update",
        "valueReference=\"24\" variability=\"continuous\"",
        "valueReference=\"24\" variability=\"discrete\" intermediateUpdate=\"true\"",
    ),
    ("misplaced-attribute", "valueReference=\"24\"", "valueReference=\"24\" reinit=\"true\""),
    ("reference", "<InitialUnknown valueReference=\"13\"/>", "<InitialUnknown valueReference=\"99\"/>"),
    ("outputs", "<Output valueReference=\"10\"/>", ""),
    ("derivatives", "<ContinuousStateDerivative valueReference=\"5\"", "<ContinuousStateDerivative valueReference=\"4\""),
    ("clocked-states", "<ClockedState valueReference=\"22\"/>", ""),
    ("initial-unknowns", "<InitialUnknown valueReference=\"13\"/>", ""),
    ("event-indicators", "<EventIndicator valueReference=\"24\"/>", "<EventIndicator valueReference=\"22\"/>"),
    ("dependencies", "dependencies=\"2 4\"", "dependencies=\"2 99\""),
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
    let deep = format!("<fmiModelDescription fmiVersion=\"3.0\">{}", "<a>".repeat(70));
    let prefixes: String = (0..65).map(|n| format!(" xmlns:p{n}=\"u\"")).collect();
    let empty = "<fmiModelDescription fmiVersion=\"3.0\" instantiationToken=\"g\"><ModelVariables></ModelVariables></fmiModelDescription>";
    vec![
        ("too-large", vec![b' '; (256 << 20) + 1]),
        ("invalid-bytes", b"<fmiModelDescription a='\xff'/>".to_vec()),
        ("too-deep", deep.into_bytes()),
        ("too-many-namespaces", format!("<fmiModelDescription{prefixes}/>").into_bytes()),
        ("root", b"<Description/>".to_vec()),
        ("missing-element", without("<ModelVariables>", "</ModelVariables>")),
        ("no-interface", without("<ModelExchange", "</ScheduledExecution>")),
        ("no-log-categories", without("<LogCategories>", "</LogCategories>")),
        ("no-default-experiment", without("<DefaultExperiment", "</DefaultExperiment>")),
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
fn intermediate_updates_that_never_come_are_noted() {
    let text = RICH.replacen("providesIntermediateUpdate=\"true\"", "", 1).replacen(
        "canReturnEarlyAfterIntermediateUpdate=\"true\"",
        "",
        1,
    );
    let found = ModelDescription::examine(text.as_bytes());
    let rules: Vec<_> = found.iter().map(|problem| (problem.rule, problem.severity)).collect();
    assert_eq!(rules, [("once-per-process", Severity::Note), ("intermediate-update", Severity::Note)]);
}

#[test]
fn the_check_in_memory_agrees_with_the_reader() {
    for (rule, from, to) in EXAMPLES {
        let Ok(reading) = ModelDescription::read(RICH.replacen(from, to, 1).as_bytes(), fmi3::Strictness::Lenient) else {
            continue;
        };
        let again = ModelDescription::read(reading.description.to_xml().as_bytes(), fmi3::Strictness::Lenient).unwrap();
        let mut messages: Vec<_> = again.warnings.into_iter().map(|problem| problem.message).collect();
        let mut in_memory: Vec<_> = reading.description.check().into_iter().map(|problem| problem.message).collect();
        messages.sort();
        in_memory.sort();
        assert_eq!(messages, in_memory, "{rule}");
    }
    assert_eq!(rich().check(), vec![]);
}
