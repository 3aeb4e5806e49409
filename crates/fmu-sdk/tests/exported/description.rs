//! The generated model description.

use fmi2::ModelDescription;
use fmi2::description::{Strictness, Unknown, VariableKind};
use fmu_sdk::{Declaration, Error, Model, Refusal, Step};
use serde::{Deserialize, Serialize};

use crate::model::Everything;

#[test]
fn it_passes_the_checks_and_survives_writing_and_reading() {
    let description = fmu_sdk::description::<Everything>();
    assert_eq!(description.check(), []);
    let reading = ModelDescription::read(description.to_xml().as_bytes(), Strictness::Strict).unwrap();
    assert_eq!(reading.description, description);
    assert_eq!(fmu_sdk::problems::<Everything>(), []);
}

#[test]
fn dependencies_are_exact() {
    let description = fmu_sdk::description::<Everything>();
    let index = |name: &str| description.variables.iter().position(|v| v.name == name).unwrap() as u32 + 1;
    let list = |unknowns: &[Unknown], name: &str| unknowns.iter().find(|u| u.index == index(name)).cloned();
    let on = |names: &[&str]| Some(names.iter().map(|name| index(name)).collect::<Vec<_>>());
    let structure = &description.model_structure;
    assert_eq!(structure.outputs.len(), 6);
    assert_eq!(list(&structure.outputs, "y").unwrap().dependencies, on(&["u", "z"]));
    assert_eq!(list(&structure.outputs, "sum").unwrap().dependencies, on(&["k"]));
    assert_eq!(list(&structure.outputs, "message").unwrap().dependencies, None);
    assert_eq!(list(&structure.initial_unknowns, "y").unwrap().dependencies, on(&["offset", "u", "z"]));
    assert_eq!(list(&structure.initial_unknowns, "double").unwrap().dependencies, on(&["offset"]));
    assert_eq!(list(&structure.initial_unknowns, "der(z)"), None, "states are not exposed");
    assert_eq!(list(&structure.initial_unknowns, "z"), None, "its start value is given");
    assert_eq!(list(&structure.initial_unknowns, "initializations"), None, "a local that is no state");
    assert!(structure.initial_unknowns.is_sorted_by_key(|unknown| unknown.index));
}

#[test]
fn capabilities_follow_from_what_is_declared() {
    let description = fmu_sdk::description::<Everything>();
    let cosim = description.co_simulation.unwrap();
    assert_eq!(cosim.max_output_derivative_order, Some(2));
    assert_eq!(cosim.can_interpolate_inputs, Some(false), "`held` cannot be interpolated");
    assert_eq!(cosim.interface.provides_directional_derivative, Some(false), "nothing is known about z");
    assert_eq!(description.model_structure.derivatives, []);
}

#[test]
fn starts_are_those_of_the_default_model() {
    let description = fmu_sdk::description::<Everything>();
    let VariableKind::Real(z) = &description.variable("z").unwrap().kind else { panic!() };
    assert_eq!(z.start, Some(4.0));
    assert!(description.variable("gear").unwrap().kind.has_start());
    assert!(!description.variable("y").unwrap().kind.has_start());
}

/// Refers to names that do not exist, and in a circle.
#[derive(Clone, Default, Serialize, Deserialize)]
struct Wrong {
    x: f64,
}

impl Model for Wrong {
    const NAME: &'static str = "wrong";
    const DESCRIPTION: &'static str = "";

    fn declare(v: &mut Declaration<Self>) {
        v.output("x", |m| &mut m.x).depends_on(["y"]);
        v.output("x", |m| &mut m.x).depends_on(["typo"]);
        v.computed("y", |m| m.x).depends_on(["x"]).derivative_of("nothing");
    }

    fn do_step(&mut self, _: &Step) -> Result<(), Refusal> {
        Ok(())
    }
}

#[test]
fn a_wrong_declaration_is_reported_in_full() {
    let problems = fmu_sdk::problems::<Wrong>();
    let unknown = |variable: &str, on: &str| Error::UnknownVariable { variable: variable.into(), on: on.into() };
    assert!(problems.contains(&unknown("x", "typo")), "{problems:?}");
    assert!(problems.contains(&unknown("y", "nothing")), "{problems:?}");
    assert!(problems.contains(&Error::RepeatedName { variable: "x".into() }), "{problems:?}");
}
