//! Capabilities of an FMU: the declared ones, without those for which its library lacks a function.

use std::collections::HashMap;

use fmi3::ffi::Functions;
use lotka_instance::Capabilities;

use super::intermediate::Intermediates;
use crate::{Description, Warning};

/// Returns the capabilities that the library supports; each dropped one is a warning.
pub(crate) fn capabilities(description: &Description, functions: &Functions, warnings: &mut Vec<Warning>) -> Capabilities {
    let has_intermediates = description
        .as_fmi3()
        .is_some_and(|description| !Intermediates::of(description, &description.flatten(&HashMap::new())).is_empty());
    let declared = description.as_fmi3().and_then(|description| description.co_simulation.as_ref());
    let declared = declared.map(|declared| declared.declared_capabilities()).unwrap_or_default();
    let f = functions;
    let mut keep = |is_declared: bool, attribute, has_functions: bool| {
        if is_declared && !has_functions {
            warnings.push(Warning::CapabilityDropped { attribute });
        }
        is_declared && has_functions
    };
    let can_save = f.get_fmu_state.is_some() && f.set_fmu_state.is_some() && f.free_fmu_state.is_some();
    let can_serialize =
        f.serialized_fmu_state_size.is_some() && f.serialize_fmu_state.is_some() && f.deserialize_fmu_state.is_some();
    let save_state = keep(declared.save_state, "canGetAndSetFMUState", can_save);
    let has_events = f.enter_event_mode.is_some() && f.update_discrete_states.is_some() && f.enter_step_mode.is_some();
    let order = declared.max_output_derivative_order;
    let has_output_derivatives = keep(order > 0, "maxOutputDerivativeOrder", f.get_output_derivatives.is_some());
    Capabilities {
        save_state,
        serialize_state: keep(declared.serialize_state, "canSerializeFMUState", save_state && can_serialize),
        directional_derivative: keep(
            declared.directional_derivative,
            "providesDirectionalDerivatives",
            f.get_directional_derivative.is_some(),
        ),
        event_mode: keep(declared.event_mode, "hasEventMode", has_events),
        interpolate_inputs: has_intermediates && f.set_float64.is_some(),
        max_output_derivative_order: if has_output_derivatives { order } else { 0 },
        ..declared
    }
}
