//! Capabilities of an FMU of FMI 2.0.

use fmi2::ffi::Functions;
use lotka_instance::Capabilities;

use crate::{Description, Warning, capabilities::Supported};

/// Returns the capabilities that the library supports; each dropped one is a warning.
pub(crate) fn capabilities(description: &Description, functions: &Functions, warnings: &mut Vec<Warning>) -> Capabilities {
    let declared = description.as_fmi2().and_then(|description| description.co_simulation.as_ref());
    let mut c = declared.map(|declared| declared.declared_capabilities()).unwrap_or_default();
    let (mut supported, f) = (Supported(warnings), functions);
    let can_save = f.get_fmu_state.is_some() && f.set_fmu_state.is_some() && f.free_fmu_state.is_some();
    let can_serialize =
        f.serialized_fmu_state_size.is_some() && f.serialize_fmu_state.is_some() && f.de_serialize_fmu_state.is_some();
    supported.keep(&mut c.save_state, "canGetAndSetFMUstate", can_save);
    supported.keep_order(&mut c.max_output_derivative_order, f.get_real_output_derivatives.is_some());
    supported.keep(&mut c.serialize_state, "canSerializeFMUstate", c.save_state && can_serialize);
    supported.keep(&mut c.directional_derivative, "providesDirectionalDerivative", f.get_directional_derivative.is_some());
    supported.keep(&mut c.interpolate_inputs, "canInterpolateInputs", f.set_real_input_derivatives.is_some());
    supported.keep(&mut c.run_asynchronously, "canRunAsynchronuously", f.get_status.is_some());
    c
}
