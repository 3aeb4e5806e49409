//! Capabilities of an FMU: the declared ones, without those for which its library lacks a function.

use fmi2::ffi::Functions;
use lotka_instance::Capabilities;

use crate::{Description, Warning};

/// Returns the capabilities that the library supports; each dropped one is a warning.
pub(crate) fn capabilities(description: &Description, functions: &Functions, warnings: &mut Vec<Warning>) -> Capabilities {
    let declared = description.as_fmi2().and_then(|description| description.co_simulation.clone()).unwrap_or_default();
    let f = functions;
    let mut keep = |declared: Option<bool>, attribute, has_functions: bool| {
        let is_declared = declared.unwrap_or(false);
        if is_declared && !has_functions {
            warnings.push(Warning::CapabilityDropped { attribute });
        }
        is_declared && has_functions
    };
    let interface = &declared.interface;
    let can_save = f.get_fmu_state.is_some() && f.set_fmu_state.is_some() && f.free_fmu_state.is_some();
    let can_serialize =
        f.serialized_fmu_state_size.is_some() && f.serialize_fmu_state.is_some() && f.de_serialize_fmu_state.is_some();
    let save_state = keep(interface.can_get_and_set_fmu_state, "canGetAndSetFMUstate", can_save);
    let order = declared.max_output_derivative_order.unwrap_or(0);
    let has_output_derivatives = keep(Some(order > 0), "maxOutputDerivativeOrder", f.get_real_output_derivatives.is_some());
    Capabilities {
        variable_step: declared.can_handle_variable_communication_step_size.unwrap_or(false),
        save_state,
        serialize_state: keep(interface.can_serialize_fmu_state, "canSerializeFMUstate", save_state && can_serialize),
        directional_derivative: keep(
            interface.provides_directional_derivative,
            "providesDirectionalDerivative",
            f.get_directional_derivative.is_some(),
        ),
        interpolate_inputs: keep(declared.can_interpolate_inputs, "canInterpolateInputs", f.set_real_input_derivatives.is_some()),
        max_output_derivative_order: if has_output_derivatives { order } else { 0 },
        run_asynchronously: keep(declared.can_run_asynchronuously, "canRunAsynchronuously", f.get_status.is_some()),
        only_once_per_process: interface.can_be_instantiated_only_once_per_process.unwrap_or(false),
        event_mode: false,
    }
}
