//! Rules of `ModelStructure`, and rules that only a description in memory can break.

use crate::rich::RICH;
use crate::rules::broken;
use fmi2::description::{Annotation, Unknown, VariableKind};
use fmi2::{ModelDescription, Severity, Strictness};

fn warning(from: &str, to: &str, rule: &str) {
    broken(from, to, rule, Severity::Warning);
}

#[test]
fn outputs_are_exactly_the_outputs() {
    warning("<Unknown index=\"8\" dependencies=\"\"/>", "", "outputs");
    warning("<Unknown index=\"8\" dependencies=\"\"/>", "<Unknown index=\"8\"/><Unknown index=\"8\"/>", "outputs");
    warning("<Unknown index=\"8\" dependencies=\"\"/>", "<Unknown index=\"8\"/><Unknown index=\"2\"/>", "outputs");
    warning("<Unknown index=\"8\" dependencies=\"\"/>", "<Unknown index=\"8\"/><Unknown/>", "missing-attribute");
    warning("<Unknown index=\"8\" dependencies=\"\"/>", "<Unknown index=\"8\"/><Output/>", "unknown-element");
}

#[test]
fn derivatives_are_derivatives_and_need_directional_derivatives() {
    warning("<Unknown index=\"5\"/>", "<Unknown index=\"5\"/><Unknown index=\"3\"/>", "derivatives");
    warning("providesDirectionalDerivative=\"true\"", "", "derivatives");
}

#[test]
fn initial_unknowns_are_exact_and_sorted() {
    warning("<Unknown index=\"11\"/>", "", "initial-unknowns");
    warning("<Unknown index=\"11\"/>", "<Unknown index=\"11\"/><Unknown index=\"12\"/>", "initial-unknowns");
    warning("<Unknown index=\"11\"/>", "<Unknown index=\"11\"/><Unknown index=\"11\"/>", "initial-unknowns");
    warning(
        "<Unknown index=\"6\"/>\n      <Unknown index=\"11\"/>",
        "<Unknown index=\"11\"/><Unknown index=\"6\"/>",
        "initial-unknowns",
    );
    // A calculated state whose derivative is exposed is an initial unknown.
    warning(
        "initial=\"exact\">\n      <Real unit=\"K\" start=\"1.0\"/>",
        "initial=\"approx\"><Real unit=\"K\" start=\"1.0\"/>",
        "initial-unknowns",
    );
}

#[test]
fn dependencies_are_ascending_and_exist() {
    warning("dependencies=\"3 4\"", "dependencies=\"4 3\"", "dependencies");
    warning("dependencies=\"3 4\"", "dependencies=\"3 3\"", "dependencies");
    warning("dependencies=\"3 4\"", "dependencies=\"0 4\"", "dependencies");
    warning("dependencies=\"3 4\"", "dependencies=\"3 13\"", "dependencies");
    warning("dependencies=\"3 4\"", "", "dependencies-kind");
    warning("dependenciesKind=\"dependent fixed\"", "dependenciesKind=\"dependent\"", "dependencies-kind");
    warning("dependenciesKind=\"constant\"", "dependenciesKind=\"fixed\"", "dependencies-kind");
    warning("dependenciesKind=\"constant\"", "dependenciesKind=\"none\"", "malformed-value");
    warning("<Unknown index=\"11\"/>", "<Unknown index=\"0\"/>", "index");
    warning("<Unknown index=\"11\"/>", "<Unknown index=\"13\"/>", "index");
}

#[test]
fn a_broken_structure_is_repaired_on_the_safe_side() {
    let text = RICH
        .replace("<Unknown index=\"5\"/>", "<Unknown index=\"0\"/><Unknown index=\"4294967295\"/>")
        .replace("dependencies=\"3 4\"", "dependencies=\"3 99\"")
        .replace("dependencies=\"2\" dependenciesKind=\"constant\"", "dependencies=\"2\" dependenciesKind=\"constant constant\"");
    let structure = crate::lenient(&text).description.model_structure;
    assert_eq!(structure.derivatives, vec![]);
    assert_eq!(structure.outputs[0], Unknown { index: 6, dependencies: None, dependency_kinds: None });
    assert_eq!(structure.initial_unknowns[0], Unknown { index: 5, dependencies: Some(vec![2]), dependency_kinds: None });
}

#[test]
fn values_that_no_file_can_hold_are_found_in_memory() {
    let rich = ModelDescription::read(RICH.as_bytes(), Strictness::Strict).unwrap().description;
    let found = |change: &dyn Fn(&mut ModelDescription)| {
        let mut description = rich.clone();
        change(&mut description);
        let problems = description.check();
        assert!(problems.iter().all(|problem| (problem.line, problem.column) == (0, 0)));
        problems.into_iter().filter(|problem| problem.severity == Severity::Error).map(|problem| problem.rule).collect::<Vec<_>>()
    };
    assert_eq!(found(&|_| {}), Vec::<&str>::new());
    assert_eq!(found(&|d| d.model_name = "\u{1}".to_owned()), ["value"]);
    assert_eq!(found(&|d| d.units[0].display_units[0].factor = Some(f64::NAN)), ["value"]);
    assert_eq!(
        found(&|d| match &mut d.variables[1].kind {
            VariableKind::Real(real) => real.start = Some(f64::INFINITY),
            other => panic!("{other:?}"),
        }),
        ["value"]
    );
    for xml in ["<a>", "</Tool><Tool>", "&", "&boom;", "<!DOCTYPE a>", "\u{1}", "<a b='<'/>", "</a>"] {
        let annotation = Annotation { tool: "T".to_owned(), xml: xml.to_owned() };
        assert_eq!(found(&|d| d.vendor_annotations.push(annotation.clone())), ["annotation"], "{xml}");
    }
}

#[test]
fn a_message_without_position_has_none() {
    let problems = ModelDescription::default().check();
    let texts: Vec<_> = problems.iter().map(ToString::to_string).collect();
    assert!(texts.contains(&"there is no fmiVersion; add fmiVersion=\"2.0\"".to_owned()), "{texts:?}");
}
