use lotka_instance::{
    ModelDescription,
    description::{BaseUnit, IntegerKind, RealKind, Unit},
};
use lotka_plan::link::VariableIndex;

use super::*;

fn instance(name: &str, variables: &[(&str, Causality, Option<&str>)]) -> DraftInstance {
    let variable = |&(name, causality, unit): &(&str, Causality, Option<&str>)| {
        let kind = VariableKind::Real(RealKind { unit: unit.map(str::to_owned), ..RealKind::default() });
        Variable::new(name, 0, causality, kind)
    };
    let unit = |name: &str, base| Unit { name: name.to_owned(), base_unit: Some(base), display_units: Vec::new() };
    let kelvin = BaseUnit { k: Some(1), ..BaseUnit::default() };
    let units = vec![
        unit("K", kelvin),
        unit("degC", BaseUnit { offset: Some(273.15), ..kelvin }),
        unit("m", BaseUnit { m: Some(1), ..BaseUnit::default() }),
        unit("1", BaseUnit::default()),
    ];
    let variables = variables.iter().map(variable).collect();
    let description = ModelDescription { variables, units, ..ModelDescription::default() };
    DraftInstance { name: name.to_owned(), path: format!("{name}.fmu").into(), description }
}

use Causality::{Input, Output};

/// The guess for the first input of the first instance: its connection and the reason, or the candidates, and the refused
/// outputs.
fn first(instances: &[DraftInstance]) -> (Option<String>, Vec<String>, Vec<String>) {
    let name =
        |place: VariableIndex| format!("{}.{}", instances[place.0].name, instances[place.0].description.variables[place.1].name);
    let guess = guesses(instances, &[]).remove(0);
    let describe = |candidate: &Candidate| format!("{}: {candidate}", name(candidate.output));
    let refused = guess.refused.iter().map(|(place, reason)| format!("{}: {reason}", name(*place))).collect();
    (guess.source.as_ref().map(describe), guess.candidates.iter().map(describe).collect(), refused)
}

fn connected(instances: &[DraftInstance]) -> Option<String> {
    first(instances).0
}

#[test]
fn one_output_of_the_name_is_connected_with_its_reason() {
    let room = instance("room", &[("T", Input, Some("K"))]);
    for (output, unit, reason) in [
        ("T", Some("K"), "source.T: same name, same unit (K)"),
        ("T", Some("degC"), "source.T: same name, degC is converted to K"),
        ("T", None, "source.T: same name, same type, but only one side has a unit (K)"),
        ("t_out", Some("K"), "source.t_out: similar name, same unit (K)"),
    ] {
        let source = instance("source", &[(output, Output, unit), ("z", Output, Some("K"))]);
        assert_eq!(connected(&[room.clone(), source]).as_deref(), Some(reason));
    }
}

#[test]
fn names_of_instances_count() {
    let source = instance("wind", &[("speed", Output, None)]);
    for (input, reason) in [
        ("windSpeed", "wind.speed: named after instance and output, same type"),
        ("speed.wind", "wind.speed: named after instance and output, same type"),
        ("Wind", "wind.speed: named after the instance, which has no other output, same type"),
    ] {
        let rotor = instance("rotor", &[(input, Input, None)]);
        assert_eq!(connected(&[rotor, source.clone()]).as_deref(), Some(reason));
    }
}

#[test]
fn a_unit_alone_is_a_candidate_but_no_connection() {
    let room = instance("room", &[("heating", Input, Some("K"))]);
    let others =
        instance("o", &[("a", Output, Some("degC")), ("b", Output, Some("K")), ("c", Output, Some("m")), ("d", Output, None)]);
    let (source, candidates, refused) = first(&[room, others]);
    assert_eq!((source, refused.len()), (None, 0));
    assert_eq!(candidates, ["o.b: same unit (K)", "o.a: degC is converted to K"]);
}

/// The instance with descriptions of its variables.
fn described(mut instance: DraftInstance, descriptions: &[&str]) -> DraftInstance {
    for (variable, description) in instance.description.variables.iter_mut().zip(descriptions) {
        variable.description = Some((*description).to_owned());
    }
    instance
}

#[test]
fn one_output_of_the_description_and_unit_is_connected_with_its_reason() {
    let room = |unit| described(instance("room", &[("u1", Input, unit)]), &["Ambient temperature"]);
    let weather = described(
        instance("weather", &[("y", Output, Some("degC")), ("z", Output, Some("K"))]),
        &["The ambient temperature", "Temperature of the sky"],
    );
    let (source, candidates, _) = first(&[room(Some("K")), weather.clone()]);
    assert_eq!((source.as_deref(), candidates.len()), (Some("weather.y: same description, degC is converted to K"), 0));
    // Without units, or with two outputs of the description, it is a candidate only.
    let (source, candidates, _) = first(&[room(None), weather.clone()]);
    assert_eq!((source, candidates.len()), (None, 1));
    assert!(candidates[0].starts_with("weather.y: same description, same type"), "{candidates:?}");
    let other = DraftInstance { name: "other".to_owned(), ..weather.clone() };
    let (source, candidates, _) = first(&[room(Some("K")), weather, other]);
    assert_eq!((source, candidates.len()), (None, 4));
    assert_eq!(candidates[2..], ["weather.z: same unit (K)", "other.z: same unit (K)"]);
}

#[test]
fn equal_descriptions_in_one_fmu_connect_nothing() {
    let pipe = |name| {
        described(
            instance(name, &[("u", Input, Some("K")), ("y", Output, Some("K"))]),
            &["Water temperature", "water temperature"],
        )
    };
    let (source, candidates, _) = first(&[pipe("first"), pipe("second")]);
    assert_eq!((source, candidates), (None, vec!["second.y: same description, same unit (K)".to_owned()]));
}

#[test]
fn what_is_given_is_connected_whatever_else_fits() {
    let instances = [
        instance("room", &[("T", Input, Some("K"))]),
        instance("a", &[("T", Output, Some("K"))]),
        instance("b", &[("l", Output, Some("m"))]),
    ];
    let source = |output| guesses(&instances, &[((0, 0), output)]).remove(0).source.unwrap().to_string();
    assert_eq!(source((1, 0)), "given, same unit (K)");
    assert_eq!(source((2, 0)), "given, but the unit `m` does not convert to `K`");
}

#[test]
fn several_outputs_of_the_name_are_candidates() {
    let instances = ["c", "a", "b"].map(|name| instance(name, &[("T", if name == "c" { Input } else { Output }, None)]));
    let (source, candidates, _) = first(&instances);
    assert_eq!(source, None);
    assert_eq!(candidates, ["a.T: same name, same type", "b.T: same name, same type"]);
}

#[test]
fn what_does_not_fit_is_refused_whatever_its_name() {
    let room = instance("room", &[("T", Input, Some("K"))]);
    let meter = instance("meter", &[("T", Output, Some("m"))]);
    let (source, candidates, refused) = first(&[room.clone(), meter]);
    assert_eq!((source, candidates.len()), (None, 0));
    assert_eq!(refused, ["meter.T: same name, but the unit `m` does not convert to `K`"]);

    let mut counter = instance("counter", &[("T", Output, None)]);
    counter.description.variables[0].kind = VariableKind::Integer(IntegerKind::default());
    assert_eq!(first(&[room.clone(), counter]).2, ["counter.T: same name, but it is Integer, not Real"]);

    let strange = instance("strange", &[("T", Output, Some("grad"))]);
    let (source, candidates, _) = first(&[room, strange]);
    assert_eq!(source, None);
    assert_eq!(candidates, ["strange.T: same name, but it is unknown whether grad is K"]);
}

#[test]
fn pipes_are_not_connected_to_a_ring() {
    let pipe = |name| instance(name, &[("T_in", Input, Some("K")), ("T_out", Output, Some("K"))]);
    let (source, candidates, _) = first(&[pipe("first"), pipe("second")]);
    assert_eq!(source, None);
    assert_eq!(candidates, ["second.T_out: similar name, same unit (K)"]);
}

#[test]
fn no_instance_feeds_itself() {
    assert_eq!(first(&[instance("a", &[("u", Input, None), ("y", Output, None)])]), (None, vec![], vec![]));
}
