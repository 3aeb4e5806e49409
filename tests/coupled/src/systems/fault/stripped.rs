//! FMUs of the kit without some of its standard capabilities.

use fmi2::ffi::Functions;
use fmi2::{ModelDescription, description::CoSimulation};
use fmu::Fmu;
use fmu_sdk::Model;

/// The missing capabilities of an FMU.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lacking {
    /// Inputs are held; there are neither output derivatives nor directional derivatives.
    Derivatives,
    /// In addition, states can be neither saved nor restored.
    DerivativesAndStates,
}

/// Returns an FMU of this kit, linked statically, without the given capabilities.
pub fn stripped<M: Model>(lacking: Lacking) -> Fmu {
    let (mut description, mut functions) = (fmu_sdk::description::<M>(), fmu_sdk::functions::<M>());
    without_derivatives(&mut description, &mut functions);
    if lacking == Lacking::DerivativesAndStates {
        without_states(&mut description, &mut functions);
    }
    Fmu::from_functions(description, functions)
}

/// The model structure lists states only for FMUs with directional derivatives.
fn without_derivatives(description: &mut ModelDescription, functions: &mut Functions) {
    description.model_structure.derivatives.clear();
    let outputs: Vec<u32> = description.model_structure.outputs.iter().map(|output| output.index).collect();
    description.model_structure.initial_unknowns.retain(|unknown| outputs.contains(&unknown.index));
    co_simulation(description, |declared| {
        declared.can_interpolate_inputs = Some(false);
        declared.max_output_derivative_order = None;
        declared.interface.provides_directional_derivative = Some(false);
    });
    functions.set_real_input_derivatives = None;
    functions.get_real_output_derivatives = None;
    functions.get_directional_derivative = None;
}

fn without_states(description: &mut ModelDescription, functions: &mut Functions) {
    co_simulation(description, |declared| {
        declared.interface.can_get_and_set_fmu_state = Some(false);
        declared.interface.can_serialize_fmu_state = Some(false);
    });
    functions.get_fmu_state = None;
    functions.set_fmu_state = None;
    functions.free_fmu_state = None;
    functions.serialized_fmu_state_size = None;
    functions.serialize_fmu_state = None;
    functions.de_serialize_fmu_state = None;
}

fn co_simulation(description: &mut ModelDescription, change: impl FnOnce(&mut CoSimulation)) {
    if let Some(declared) = &mut description.co_simulation {
        change(declared);
    }
}
