//! Rules of `ModelStructure`, and rules that only a description in memory can break.

use crate::rich::{RICH, rich};
use crate::rules::{fine, warning};
use fmi3::description::{Annotation, VariableKind};
use fmi3::{ModelDescription, Severity};

#[test]
fn outputs_are_exactly_the_outputs() {
    const OUTPUT: &str = "<Output valueReference=\"10\"/>";
    warning(OUTPUT, "", "outputs");
    warning(OUTPUT, "<Output valueReference=\"10\"/><Output valueReference=\"10\"/>", "outputs");
    warning(OUTPUT, "<Output valueReference=\"10\"/><Output valueReference=\"4\"/>", "outputs");
    warning(OUTPUT, "<Output valueReference=\"10\"/><Output/>", "missing-attribute");
    warning(OUTPUT, "<Output valueReference=\"10\"/><Outputs/>", "unknown-element");
    warning(OUTPUT, "<Output valueReference=\"10\"/><Output valueReference=\"99\"/>", "reference");
    let found = crate::problems(RICH.replace(OUTPUT, "").as_bytes());
    assert_eq!(found[0].message, "\"i16\" is not listed as <Output>");
    assert_eq!(found[0].remedy.as_deref(), Some("add <Output valueReference=\"10\"/>"));
}

#[test]
fn derivatives_and_event_indicators_are_continuous_numbers() {
    const DERIVATIVE: &str = "<ContinuousStateDerivative valueReference=\"5\" dependencies";
    let with = |entry: &str| format!("{entry}{DERIVATIVE}");
    warning(DERIVATIVE, &with("<ContinuousStateDerivative valueReference=\"24\"/>"), "derivatives");
    warning(DERIVATIVE, &with("<ContinuousStateDerivative valueReference=\"8\"/>"), "derivatives");
    warning(DERIVATIVE, &with("<ContinuousStateDerivative valueReference=\"5\"/>"), "derivatives");
    const INDICATOR: &str = "<EventIndicator valueReference=\"24\"/>";
    warning(INDICATOR, "<EventIndicator valueReference=\"22\"/>", "event-indicators");
    warning(INDICATOR, "<EventIndicator valueReference=\"24\"/><EventIndicator valueReference=\"24\"/>", "event-indicators");
    fine(INDICATOR, "");
}

#[test]
fn clocked_states_are_the_variables_with_previous_values() {
    warning("<ClockedState valueReference=\"22\"/>", "", "clocked-states");
    warning(
        "<ClockedState valueReference=\"22\"/>",
        "<ClockedState valueReference=\"22\"/><ClockedState valueReference=\"23\"/>",
        "clocked-states",
    );
}

#[test]
fn initial_unknowns_are_exact() {
    const UNKNOWN: &str = "<InitialUnknown valueReference=\"13\"/>";
    warning(UNKNOWN, "", "initial-unknowns");
    warning(UNKNOWN, "<InitialUnknown valueReference=\"13\"/><InitialUnknown valueReference=\"12\"/>", "initial-unknowns");
    warning(UNKNOWN, "<InitialUnknown valueReference=\"13\"/><InitialUnknown valueReference=\"13\"/>", "initial-unknowns");
    // Any order is fine, and clocked variables may be left out.
    fine(
        "<InitialUnknown valueReference=\"13\"/>\n    <InitialUnknown valueReference=\"23\"/>",
        "<InitialUnknown valueReference=\"23\"/><InitialUnknown valueReference=\"13\"/>",
    );
    fine("<InitialUnknown valueReference=\"23\"/>", "");
    // A calculated state whose derivative is exposed is an initial unknown.
    warning("initial=\"exact\" unit=\"K\" start=\"1.0\"", "initial=\"approx\" unit=\"K\" start=\"1.0\"", "initial-unknowns");
    // An output that begins with its start value is not.
    warning(
        "initial=\"calculated\" declaredType=\"Single\"",
        "initial=\"exact\" start=\"1\" declaredType=\"Single\"",
        "initial-unknowns",
    );
}

#[test]
fn dependencies_exist_and_have_kinds() {
    warning("dependencies=\"2 4\"", "dependencies=\"2 99\"", "dependencies");
    fine("dependencies=\"2 4\"", "dependencies=\"4 2\"");
    warning("dependencies=\"2 4\"", "", "dependencies-kind");
    warning("dependenciesKind=\"dependent fixed\"", "dependenciesKind=\"dependent\"", "dependencies-kind");
    warning("dependenciesKind=\"constant\"", "dependenciesKind=\"fixed\"", "dependencies-kind");
    warning("dependenciesKind=\"constant\"", "dependenciesKind=\"none\"", "malformed-value");
    let others = RICH
        .replace(
            "<Output valueReference=\"10\"/>",
            "<Output valueReference=\"10\" dependencies=\"9\" dependenciesKind=\"fixed\"/>",
        )
        .replace(
            "<Output valueReference=\"16\" dependencies=\"\"/>",
            "<Output valueReference=\"16\" dependencies=\"9\" dependenciesKind=\"constant\"/>",
        );
    let messages: Vec<_> = crate::problems(others.as_bytes()).into_iter().map(|problem| problem.message).collect();
    let message = "\"i16\" and 1 more <Output> are not floating-point numbers, so their dependenciesKind can only be dependent";
    assert_eq!(messages, [message]);
    warning(
        "dependencies=\"9\" dependenciesKind=\"dependent\"",
        "dependencies=\"9\" dependenciesKind=\"constant\"",
        "dependencies-kind",
    );
}

#[test]
fn values_that_no_file_can_hold_are_found_in_memory() {
    let rich = rich();
    let found = |change: &dyn Fn(&mut ModelDescription)| {
        let mut description = rich.clone();
        change(&mut description);
        let problems = description.check();
        assert!(problems.iter().all(|problem| (problem.line, problem.column) == (0, 0)));
        problems.into_iter().filter(|problem| problem.severity == Severity::Error).map(|problem| problem.rule).collect::<Vec<_>>()
    };
    let float = |d: &mut ModelDescription, index: usize, start: Vec<f64>| match &mut d.variables[index].kind {
        VariableKind::Float64(float) | VariableKind::Float32(float) => float.start = Some(start),
        other => panic!("{other:?}"),
    };
    assert_eq!(found(&|_| {}), Vec::<&str>::new());
    assert_eq!(found(&|d| d.model_name = "\u{1}".to_owned()), ["value"]);
    assert_eq!(found(&|d| d.units[0].display_units[0].factor = Some(f64::NAN)), ["value"]);
    assert_eq!(found(&|d| float(d, 1, vec![f64::INFINITY])), ["value"]);
    assert_eq!(found(&|d| float(d, 1, vec![])), ["value"]);
    assert_eq!(found(&|d| float(d, 7, vec![0.1])), ["value"], "0.1 is no Float32");
    assert_eq!(found(&|d| float(d, 7, vec![1e39])), ["value"]);
    assert_eq!(found(&|d| d.variables[1].aliases[0].name = "\u{1}".to_owned()), ["value"]);
    assert_eq!(
        found(&|d| match &mut d.variables[9].kind {
            VariableKind::Integer(_, integer) => integer.start = Some(vec![256]),
            other => panic!("{other:?}"),
        }),
        ["value"]
    );
    assert_eq!(
        found(&|d| match &mut d.variables[17].kind {
            VariableKind::String(text) => text.start[0] = "\u{0}".to_owned(),
            other => panic!("{other:?}"),
        }),
        ["value"]
    );
    for xml in ["<a>", "</Annotation><Annotation>", "&", "&boom;", "<!DOCTYPE a>", "\u{1}", "<a b='<'/>", "</a>"] {
        let annotation = Annotation { kind: "org.example".to_owned(), xml: xml.to_owned() };
        assert_eq!(found(&|d| d.annotations.push(annotation.clone())), ["annotation"], "{xml}");
        assert_eq!(found(&|d| d.units[1].annotations.push(annotation.clone())), ["annotation"], "{xml}");
        assert_eq!(found(&|d| d.default_experiment_annotations.push(annotation.clone())), ["annotation"], "{xml}");
        assert_eq!(found(&|d| d.variables[3].annotations.push(annotation.clone())), ["annotation"], "{xml}");
        assert_eq!(found(&|d| d.model_structure.outputs[1].annotations.push(annotation.clone())), ["annotation"], "{xml}");
    }
}

#[test]
fn a_message_without_position_has_none() {
    let problems = ModelDescription::default().check();
    let texts: Vec<_> = problems.iter().map(ToString::to_string).collect();
    assert!(texts.contains(&"there is no fmiVersion; add fmiVersion=\"3.0\"".to_owned()), "{texts:?}");
}
