//! The generated model description.

use fmi3::description::{Causality, Dimension, IntegerType, Unknown, VariableKind};
use fmu_sdk::{Declaration, Model, Refusal, Step};
use serde::{Deserialize, Serialize};

use super::host::vr;
use super::types::{Shared, Wide};
use crate::model::Everything;

#[test]
fn value_references_count_from_the_time() {
    let description = fmu_sdk::fmi3::description::<Everything>();
    let references: Vec<_> = description.variables.iter().map(|v| v.value_reference).collect();
    assert_eq!(references, (0..=22).collect::<Vec<_>>());
    let time = &description.variables[0];
    assert_eq!((time.name.as_str(), time.causality()), ("time", Causality::Independent));
    let independent = description.variables.iter().filter(|v| v.causality() == Causality::Independent);
    assert_eq!(independent.count(), 1);
    let index = |name: &str| description.variables.iter().find(|v| v.name == name).unwrap().value_reference;
    assert_eq!([index("gain"), index("z"), index("initializations")], [vr::GAIN, vr::Z, vr::INITIALIZATIONS]);
}

#[test]
fn dependencies_are_exact() {
    let description = fmu_sdk::fmi3::description::<Everything>();
    let of = |unknowns: &[Unknown], vr| unknowns.iter().find(|u| u.value_reference == vr).unwrap().dependencies.clone();
    let structure = &description.model_structure;
    assert_eq!(structure.outputs.len(), 6);
    assert_eq!(of(&structure.outputs, vr::Y), Some(vec![vr::U, vr::Z]));
    assert_eq!(of(&structure.outputs, vr::SUM), Some(vec![vr::K]));
    assert_eq!(of(&structure.outputs, vr::MESSAGE), None);
    assert_eq!(of(&structure.initial_unknowns, vr::Y), Some(vec![vr::OFFSET, vr::U, vr::Z]));
    assert_eq!(structure.continuous_state_derivatives, [], "states are not exposed");
}

#[test]
fn capabilities_follow_from_what_is_declared() {
    let description = fmu_sdk::fmi3::description::<Everything>();
    let cosim = description.co_simulation.unwrap();
    assert_eq!(cosim.interface.model_identifier, "everything");
    assert_eq!(cosim.max_output_derivative_order, Some(2));
    assert_eq!(cosim.provides_intermediate_update, Some(true));
    assert_eq!((cosim.interface.can_get_and_set_fmu_state, cosim.interface.can_serialize_fmu_state), (Some(true), Some(true)));
    let asked: Vec<_> = description.variables.iter().filter(|v| v.intermediate_update == Some(true)).map(|v| &v.name).collect();
    assert_eq!(asked, ["u"]);
    assert_eq!(fmu_sdk::fmi3::description::<Wide>().co_simulation.unwrap().provides_intermediate_update, Some(false));
}

#[test]
fn arrays_have_dimensions_and_all_their_start_values() {
    let description = fmu_sdk::fmi3::description::<Shared>();
    let weights = &description.variables[1];
    assert_eq!(weights.dimensions, [Dimension::Fixed(2), Dimension::Fixed(3)]);
    let VariableKind::Float64(float) = &weights.kind else { panic!() };
    assert_eq!((float.start.as_deref(), float.unit.as_deref(), float.max), (Some(&[0.0; 6][..]), Some("kg"), Some(10.0)));
    let wide = fmu_sdk::fmi3::description::<Wide>();
    let VariableKind::Integer(IntegerType::UInt64, huge) = &wide.variables[3].kind else { panic!() };
    assert_eq!(huge.start, Some(vec![0, 0]));
    let VariableKind::Binary(blob) = &wide.variables[4].kind else { panic!() };
    assert_eq!(blob.start, [vec![]]);
}

#[test]
fn the_token_tells_versions_and_models_apart() {
    let token = fmu_sdk::fmi3::description::<Everything>().instantiation_token;
    assert_eq!(token, fmu_sdk::fmi3::description::<Everything>().instantiation_token);
    assert_ne!(token, fmu_sdk::description::<Everything>().guid);
    assert_ne!(token, fmu_sdk::fmi3::description::<Wide>().instantiation_token);
}

/// Has a variable of the name that the kit would give to the time.
#[derive(Clone, Default, Serialize, Deserialize)]
struct Clock {
    time: f64,
}

impl Model for Clock {
    const NAME: &'static str = "clock";
    const DESCRIPTION: &'static str = "";

    fn declare(v: &mut Declaration<Self>) {
        v.output("time", |m| &mut m.time);
        v.output("time_1", |m| &mut m.time);
    }

    fn do_step(&mut self, _: &Step) -> Result<(), Refusal> {
        Ok(())
    }
}

#[test]
fn the_time_has_a_name_of_its_own() {
    let names: Vec<_> = fmu_sdk::fmi3::description::<Clock>().variables.into_iter().map(|v| v.name).collect();
    assert_eq!(names, ["time_2", "time", "time_1"]);
}
