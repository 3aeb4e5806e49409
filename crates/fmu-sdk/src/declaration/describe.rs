//! The model description generated from a declaration.

use std::collections::BTreeSet;
use std::fmt::Write;

use fmi2::ModelDescription;
use fmi2::description::{
    Annotation, Causality, CoSimulation, Initial, Interface, LogCategory, ModelStructure, ScalarVariable, Unknown, VariableKind,
};

use super::dependencies::{Dependencies, Mode};
use crate::{hash::Fnv1a128, log::CATEGORIES};

/// Contents of the description other than the variables.
pub(super) struct Facts {
    pub name: &'static str,
    pub description: &'static str,
    pub thread_safe: bool,
    pub interpolates_inputs: bool,
    pub max_output_derivative_order: usize,
}

/// Fills everything except variables, units, types and default experiment, which already exist.
pub(super) fn describe<M>(facts: &Facts, dependencies: &Dependencies<M>, description: &mut ModelDescription) {
    let full = structure(&description.variables, dependencies, true);
    let directional = provides_directional_derivative(&full, &description.variables, dependencies);
    description.fmi_version = "2.0".into();
    description.model_name = facts.name.into();
    description.description = Some(facts.description.into());
    description.generation_tool = Some(concat!("Lotka fmu-sdk ", env!("CARGO_PKG_VERSION")).into());
    description.co_simulation = Some(co_simulation(facts, directional));
    description.log_categories = CATEGORIES.iter().map(|c| LogCategory { name: c.name().into(), description: None }).collect();
    description.model_structure = if directional { full } else { structure(&description.variables, dependencies, false) };
    description.guid = guid(description);
    // Not part of the interface, so it does not change the GUID.
    description.vendor_annotations = facts.thread_safe.then(Annotation::thread_safe).into_iter().collect();
}

fn co_simulation(facts: &Facts, directional: bool) -> CoSimulation {
    CoSimulation {
        interface: Interface {
            model_identifier: facts.name.into(),
            can_not_use_memory_management_functions: Some(true),
            can_get_and_set_fmu_state: Some(true),
            can_serialize_fmu_state: Some(true),
            provides_directional_derivative: Some(directional),
            ..Default::default()
        },
        can_handle_variable_communication_step_size: Some(true),
        can_interpolate_inputs: Some(facts.interpolates_inputs),
        max_output_derivative_order: Some(facts.max_output_derivative_order as u32),
        can_run_asynchronuously: None,
    }
}

/// States and their derivatives belong to the structure only if the FMU provides directional derivatives.
fn structure<M>(variables: &[ScalarVariable], dependencies: &Dependencies<M>, expose_states: bool) -> ModelStructure {
    let unknown = |i: usize, mode| Unknown {
        index: one_based(i),
        dependencies: dependencies.knowns(i, mode).map(|list| list.into_iter().map(one_based).collect()),
        dependency_kinds: None,
    };
    let select = |wanted: &dyn Fn(usize, &ScalarVariable) -> bool, mode| {
        variables.iter().enumerate().filter(|(i, v)| wanted(*i, v)).map(|(i, _)| unknown(i, mode)).collect()
    };
    let states: BTreeSet<_> = variables.iter().filter_map(derivative).collect();
    let exposed = |i: usize, v: &ScalarVariable| expose_states && (derivative(v).is_some() || states.contains(&one_based(i)));
    ModelStructure {
        outputs: select(&|_, v| v.causality() == Causality::Output, Mode::Steps),
        derivatives: select(&|_, v| expose_states && derivative(v).is_some(), Mode::Steps),
        initial_unknowns: select(
            &|i, v| match v.causality() {
                Causality::CalculatedParameter => true,
                Causality::Output => is_computed(v),
                _ => exposed(i, v) && is_computed(v),
            },
            Mode::Start,
        ),
    }
}

fn provides_directional_derivative<M>(
    structure: &ModelStructure,
    variables: &[ScalarVariable],
    dependencies: &Dependencies<M>,
) -> bool {
    let known = |list: &[Unknown], mode| {
        let mut indices = list.iter().map(|unknown| unknown.index as usize - 1);
        indices.all(|i| !matches!(variables[i].kind, VariableKind::Real(_)) || dependencies.differentiable(i, mode))
    };
    known(&structure.outputs, Mode::Steps)
        && known(&structure.derivatives, Mode::Steps)
        && known(&structure.initial_unknowns, Mode::Start)
}

fn is_computed(variable: &ScalarVariable) -> bool {
    matches!(variable.initial(), Some(Initial::Calculated | Initial::Approx))
}

fn derivative(variable: &ScalarVariable) -> Option<u32> {
    match &variable.kind {
        VariableKind::Real(real) => real.derivative,
        _ => None,
    }
}

fn one_based(i: usize) -> u32 {
    i as u32 + 1
}

/// Returns a GUID derived from the rest of the description, so that equal interfaces have equal GUIDs in every build.
fn guid(description: &ModelDescription) -> String {
    let mut hash = Fnv1a128::new();
    // Hashing text cannot fail.
    let _ = write!(hash, "{description:?}");
    let hex = format!("{:032x}", hash.value());
    format!("{{{}-{}-{}-{}-{}}}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}
