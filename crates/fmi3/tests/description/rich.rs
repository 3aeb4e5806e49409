//! A valid description with every element and attribute is read completely and without problems.

use fmi3::description::{
    Causality, DependencyKind, Dimension, Initial, IntegerType, IntervalVariability, TypeKind, Variability, Variable,
    VariableKind,
};
use fmi3::{ModelDescription, Strictness};

/// The description as text.
pub(crate) const RICH: &str = include_str!("rich.xml");

/// Reads the description, which must have no problem.
pub(crate) fn rich() -> ModelDescription {
    let reading = ModelDescription::read(RICH.as_bytes(), Strictness::Strict).unwrap_or_else(|problems| panic!("{problems}"));
    assert_eq!(reading.warnings, vec![]);
    reading.description
}

fn variable<'a>(description: &'a ModelDescription, name: &str) -> &'a Variable {
    description.variables.iter().find(|variable| variable.name == name).unwrap()
}

#[test]
fn writing_it_gives_the_same_and_the_check_agrees() {
    let description = rich();
    assert_eq!(description.check(), vec![]);
    let again = ModelDescription::read(description.to_xml().as_bytes(), Strictness::Strict).unwrap();
    assert_eq!(again.description, description);
    assert_eq!(again.description.to_xml(), description.to_xml());
}

/// Returns every element with each of its attributes, as `element attribute`.
fn attributes(xml: &str) -> std::collections::BTreeSet<String> {
    let tags = xml.split('<').skip(1).filter(|tag| !tag.starts_with(['/', '?', 't', 'e', 'a']));
    let names = |tag: &str| {
        let tag = tag.split('>').next().unwrap().to_owned();
        let element = tag.split([' ', '/']).next().unwrap().to_owned();
        let parts: Vec<_> = tag.split("=\"").map(str::to_owned).collect();
        let last = parts.len() - 1;
        let attributes = parts[..last].iter().map(|part| part.rsplit([' ', '"']).next().unwrap().to_owned());
        attributes.map(move |attribute| format!("{element} {attribute}")).collect::<Vec<_>>()
    };
    tags.flat_map(names).collect()
}

#[test]
fn no_element_or_attribute_gets_lost() {
    assert_eq!(attributes(&rich().to_xml()), attributes(RICH));
    let count = |xml: &str, name: &str| xml.matches(&format!("<{name} ")).count() + xml.matches(&format!("<{name}>")).count();
    for name in ["Annotation", "Alias", "Start", "Dimension", "Item", "Output", "InitialUnknown", "Category", "DisplayUnit"] {
        assert_eq!(count(&rich().to_xml(), name), count(RICH, name), "{name}");
    }
}

#[test]
fn root_and_interfaces_are_read() {
    let d = rich();
    let root = (d.fmi_version.as_str(), d.model_name.as_str(), d.instantiation_token.as_str());
    assert_eq!(root, ("3.0", "Rich & famous", "{0}"));
    assert_eq!(d.description.as_deref(), Some("a < b"));
    let co_simulation = d.co_simulation.unwrap();
    assert_eq!(co_simulation.max_output_derivative_order, Some(2));
    assert_eq!(co_simulation.fixed_internal_step_size, Some(0.01));
    assert_eq!(co_simulation.recommended_intermediate_input_smoothness, Some(-1));
    assert_eq!(co_simulation.has_event_mode, Some(true));
    assert_eq!(co_simulation.interface.can_serialize_fmu_state, Some(true));
    assert_eq!(co_simulation.interface.annotations[0].xml, "text");
    assert_eq!(d.model_exchange.unwrap().needs_completed_integrator_step, Some(true));
    assert_eq!(d.scheduled_execution.unwrap().model_identifier, "rich_se");
    assert_eq!(d.default_experiment.unwrap().step_size, Some(0.1));
    assert_eq!(d.default_experiment_annotations[0].kind, "org.example.experiment");
    assert_eq!(d.log_categories[0].description.as_deref(), Some("everything"));
    assert_eq!((d.annotations[0].kind.as_str(), d.annotations[0].xml.as_str()), ("org.example.root", " <a b=\"&lt;\"/> "));
}

#[test]
fn definitions_are_read() {
    let d = rich();
    assert_eq!(d.units[1].base_unit.unwrap().s, Some(-2));
    assert_eq!((d.units[0].display_units[0].offset, d.units[0].display_units[1].inverse), (Some(-273.15), Some(true)));
    let TypeKind::Float { is_single: true, min, .. } = &d.types[1].kind else { panic!("{:?}", d.types[1]) };
    assert_eq!(*min, Some(f64::from(-0.1_f32)));
    let TypeKind::Integer { of: IntegerType::UInt64, max, .. } = &d.types[9].kind else { panic!("{:?}", d.types[9]) };
    assert_eq!(*max, Some(u64::MAX.into()));
    let gear = d.types.iter().find(|definition| definition.name == "Gear").unwrap();
    assert_eq!((gear.kind.items()[1].name.as_str(), gear.kind.items()[1].value), ("high", 2));
    assert_eq!(gear.kind.items()[1].annotations[0].kind, "org.example.item");
    let TypeKind::Clock { clock } = &d.types[14].kind else { panic!("{:?}", d.types[14]) };
    assert_eq!((clock.interval_variability, clock.shift_counter), (Some(IntervalVariability::Constant), Some(1)));
}

#[test]
fn variables_are_read() {
    let d = rich();
    let p = variable(&d, "p");
    assert_eq!((p.causality(), p.variability(), p.initial()), (Causality::Parameter, Variability::Tunable, Some(Initial::Exact)));
    assert_eq!((p.aliases[0].name.as_str(), p.aliases[0].display_unit.as_deref()), ("p2", Some("1/K")));
    assert_eq!(p.annotations[0].xml, r#"<t:note xmlns:t="urn:t" a="1">text <t:b/> &amp; more</t:note>"#);
    let u = variable(&d, "u");
    assert_eq!(u.dimensions, [Dimension::Fixed(2), Dimension::Variable(3)]);
    assert_eq!((u.initial(), u.intermediate_update), (None, Some(true)));
    let VariableKind::Float64(float) = &u.kind else { panic!("{u:?}") };
    assert_eq!(float.start.as_ref().unwrap()[0].to_bits(), (-0.0_f64).to_bits());
    let VariableKind::Float32(w) = &variable(&d, "w").kind else { panic!("w is Float32") };
    assert_eq!(w.start, Some(vec![f64::from(0.1_f32)]));
    let VariableKind::Integer(IntegerType::Int64, i64) = &variable(&d, "i64").kind else { panic!("i64 is Int64") };
    assert_eq!(i64.start, Some(vec![(1 << 53) + 1]));
    let VariableKind::String(s) = &variable(&d, "s").kind else { panic!("s is a String") };
    assert_eq!(s.start, ["line\nbreak \"quoted\"", ""]);
    let VariableKind::Binary(blob) = &variable(&d, "blob").kind else { panic!("blob is Binary") };
    assert_eq!((blob.start.as_slice(), blob.max_size), (&[vec![0, 255, 16]][..], Some(10)));
    let k = variable(&d, "k");
    assert_eq!((k.clocks.as_deref(), k.previous), (Some(&[20, 21][..]), Some(23)));
}

#[test]
fn the_structure_is_read() {
    let structure = rich().model_structure;
    assert_eq!(structure.outputs[0].dependency_kinds, Some(vec![DependencyKind::Dependent, DependencyKind::Fixed]));
    assert_eq!(structure.outputs[0].annotations[0].kind, "org.example.output");
    assert_eq!(structure.outputs[2].dependencies, Some(vec![]), "empty: depends on nothing");
    assert_eq!(structure.outputs[1].dependencies, None, "absent: depends on everything");
    let lengths =
        [structure.continuous_state_derivatives.len(), structure.clocked_states.len(), structure.event_indicators.len()];
    assert_eq!((lengths, structure.initial_unknowns.len()), ([1, 1, 1], 5));
}

#[test]
fn defaults_of_variability_and_initial_are_those_of_the_standard() {
    let of = |attributes: &str, element: &str| {
        let text = RICH.replace(
            "</ModelVariables>",
            &format!("<{element} name=\"v\" valueReference=\"99\" {attributes}/></ModelVariables>"),
        );
        let reading = ModelDescription::read(text.as_bytes(), Strictness::Lenient).unwrap();
        let v = variable(&reading.description, "v");
        (v.causality(), v.variability(), v.initial())
    };
    use {Causality as Ca, Initial as In, Variability as Va};
    assert_eq!(of("", "Float64"), (Ca::Local, Va::Continuous, Some(In::Calculated)));
    assert_eq!(of("causality=\"output\"", "Int8"), (Ca::Output, Va::Discrete, Some(In::Calculated)));
    assert_eq!(of("causality=\"input\" start=\"1\"", "Float32"), (Ca::Input, Va::Continuous, None));
    assert_eq!(of("causality=\"parameter\" start=\"1\"", "Float64"), (Ca::Parameter, Va::Fixed, Some(In::Exact)));
    assert_eq!(of("causality=\"calculatedParameter\"", "Float64"), (Ca::CalculatedParameter, Va::Fixed, Some(In::Calculated)));
    assert_eq!(
        of("causality=\"structuralParameter\" start=\"1\"", "UInt64"),
        (Ca::StructuralParameter, Va::Fixed, Some(In::Exact))
    );
    assert_eq!(of("variability=\"constant\" start=\"1\"", "Float64"), (Ca::Local, Va::Constant, Some(In::Exact)));
}

#[test]
fn a_hundred_thousand_variables_are_read() {
    let variables: String =
        (1..100_000).map(|i| format!(r#"<Float64 name="v{i}" valueReference="{i}" initial="exact" start="{i}"/>"#)).collect();
    let text = format!(
        r#"<fmiModelDescription fmiVersion="3.0" modelName="m" instantiationToken="g"><CoSimulation modelIdentifier="m"/><ModelVariables><Float64 name="time" valueReference="0" causality="independent"/>{variables}</ModelVariables><ModelStructure/></fmiModelDescription>"#
    );
    let reading = ModelDescription::read(text.as_bytes(), Strictness::Strict).unwrap_or_else(|problems| panic!("{problems}"));
    assert_eq!(reading.description.variables.len(), 100_000);
    assert_eq!(reading.description.variables[99_999].name, "v99999");
}
