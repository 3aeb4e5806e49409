//! A valid description with every element and attribute of co-simulation is read completely and without problems.

use fmi2::description::{Causality, DependencyKind, Initial, TypeKind, Variability, VariableKind};
use fmi2::{ModelDescription, Strictness};

/// The description as text.
pub(crate) const RICH: &str = include_str!("rich.xml");

fn rich() -> ModelDescription {
    let reading = ModelDescription::read(RICH.as_bytes(), Strictness::Strict).unwrap_or_else(|problems| panic!("{problems}"));
    assert_eq!(reading.warnings, vec![]);
    reading.description
}

#[test]
fn writing_it_gives_the_same_and_the_check_agrees() {
    let description = rich();
    assert_eq!(description.check(), vec![]);
    let again = ModelDescription::read(description.to_xml().as_bytes(), Strictness::Strict).unwrap();
    assert_eq!(again.description, description);
    assert_eq!(again.description.to_xml(), description.to_xml());
}

#[test]
fn root_and_interface_are_read() {
    let d = rich();
    assert_eq!((d.fmi_version.as_str(), d.model_name.as_str(), d.guid.as_str()), ("2.0", "Rich & famous", "{0}"));
    assert_eq!(d.description.as_deref(), Some("a < b"));
    let co_simulation = d.co_simulation.unwrap();
    assert_eq!(co_simulation.max_output_derivative_order, Some(2));
    assert_eq!(co_simulation.can_run_asynchronuously, Some(false));
    assert_eq!(co_simulation.interface.can_serialize_fmu_state, Some(true));
    assert_eq!(co_simulation.interface.source_files[0].name, "rich.c");
    assert_eq!(d.default_experiment.unwrap().step_size, Some(0.1));
    assert_eq!(d.log_categories[0].description.as_deref(), Some("everything"));
}

#[test]
fn definitions_are_read() {
    let d = rich();
    assert_eq!(d.units[1].base_unit.unwrap().s, Some(-2));
    assert_eq!(d.units[0].display_units[0].offset, Some(-273.15));
    let TypeKind::Enumeration { items, .. } = &d.types[4].kind else { panic!("{:?}", d.types[4]) };
    assert_eq!((items[1].name.as_str(), items[1].value), ("high", 2));
    assert_eq!(d.vendor_annotations[0].xml, r#"<t:note xmlns:t="urn:t" a="1">text <t:b/> &amp; more</t:note>"#);
}

#[test]
fn variables_and_structure_are_read() {
    let d = rich();
    let p = d.variable("p").unwrap();
    assert_eq!((p.causality(), p.variability()), (Causality::Parameter, Variability::Tunable));
    assert_eq!(p.initial(), Some(Initial::Exact));
    let VariableKind::Real(u) = &d.variable("u").unwrap().kind else { panic!("u is Real") };
    assert_eq!(u.start.map(f64::to_bits), Some((-0.0_f64).to_bits()));
    let VariableKind::String(s) = &d.variable("s").unwrap().kind else { panic!("s is a String") };
    assert_eq!(s.start.as_deref(), Some("line\nbreak \"quoted\""));
    assert_eq!(d.variable("y").unwrap().annotations[0].xml, "<e/>");
    let outputs = &d.model_structure.outputs;
    assert_eq!(outputs[0].dependency_kinds, Some(vec![DependencyKind::Dependent, DependencyKind::Fixed]));
    assert_eq!(outputs[1].dependencies, Some(vec![]), "empty: depends on nothing");
    assert_eq!(d.model_structure.initial_unknowns[1].dependencies, None, "absent: depends on everything");
}

#[test]
fn prefixes_declared_outside_of_an_annotation_are_kept_with_it() {
    let text = RICH
        .replace("fmiVersion=", "xmlns:xsi=\"urn:unused\" xmlns:t=\"urn:a&amp;b\" fmiVersion=")
        .replace("<t:note xmlns:t=\"urn:t\"", "<first/><t:note");
    let xml = super::lenient(&text).description.vendor_annotations[0].xml.clone();
    assert_eq!(xml, r#"<first/><t:note xmlns:t="urn:a&amp;b" a="1">text <t:b/> &amp; more</t:note>"#);
}

#[test]
fn a_hundred_thousand_variables_are_read() {
    let variables: String = (0..100_000)
        .map(|i| {
            format!(r#"<ScalarVariable name="v{i}" valueReference="{i}" initial="exact"><Real start="{i}"/></ScalarVariable>"#)
        })
        .collect();
    let text = format!(
        r#"<fmiModelDescription fmiVersion="2.0" modelName="m" guid="g"><CoSimulation modelIdentifier="m"/><ModelVariables>{variables}</ModelVariables><ModelStructure/></fmiModelDescription>"#
    );
    let reading = ModelDescription::read(text.as_bytes(), Strictness::Strict).unwrap_or_else(|problems| panic!("{problems}"));
    assert_eq!(reading.description.variables.len(), 100_000);
    assert_eq!(reading.description.variables[99_999].name, "v99999");
}
