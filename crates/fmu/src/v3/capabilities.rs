//! Capabilities of an FMU of FMI 3.0.

use std::collections::HashMap;

use fmi3::ffi::Functions;
use lotka_instance::Capabilities;

use super::intermediate::Intermediates;
use crate::{Description, Warning, capabilities::Supported};

/// Returns the capabilities that the library supports; each dropped one is a warning.
pub(crate) fn capabilities(description: &Description, functions: &Functions, warnings: &mut Vec<Warning>) -> Capabilities {
    let has_intermediates = description
        .as_fmi3()
        .is_some_and(|description| !Intermediates::of(description, &description.flatten(&HashMap::new())).is_empty());
    let declared = description.as_fmi3().and_then(|description| description.co_simulation.as_ref());
    let mut c = declared.map(|declared| declared.declared_capabilities()).unwrap_or_default();
    let (mut supported, f) = (Supported(warnings), functions);
    let can_save = f.get_fmu_state.is_some() && f.set_fmu_state.is_some() && f.free_fmu_state.is_some();
    let can_serialize =
        f.serialized_fmu_state_size.is_some() && f.serialize_fmu_state.is_some() && f.deserialize_fmu_state.is_some();
    let has_events = f.enter_event_mode.is_some() && f.update_discrete_states.is_some() && f.enter_step_mode.is_some();
    supported.keep(&mut c.save_state, "canGetAndSetFMUState", can_save);
    supported.keep_order(&mut c.max_output_derivative_order, f.get_output_derivatives.is_some());
    supported.keep(&mut c.serialize_state, "canSerializeFMUState", c.save_state && can_serialize);
    supported.keep(&mut c.directional_derivative, "providesDirectionalDerivatives", f.get_directional_derivative.is_some());
    supported.keep(&mut c.event_mode, "hasEventMode", has_events);
    c.interpolate_inputs = has_intermediates && f.set_float64.is_some();
    c
}
