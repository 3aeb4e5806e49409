//! Configuration mode and event mode.

use fmi3::{Function, ffi};

use crate::Model;
use crate::component::refuse;

const NO_STRUCTURE: &str = "this FMU has no structural parameters";
const NO_EVENTS: &str = "this FMU has no event mode";

/// `fmi3EnterConfigurationMode`.
pub unsafe extern "C" fn enter_configuration_mode<M: Model>(instance: ffi::Instance) -> ffi::RawStatus {
    // SAFETY: the importer passes one of its instances.
    unsafe { refuse::<M, _>(instance, Function::EnterConfigurationMode, NO_STRUCTURE) }
}

/// `fmi3ExitConfigurationMode`.
pub unsafe extern "C" fn exit_configuration_mode<M: Model>(instance: ffi::Instance) -> ffi::RawStatus {
    // SAFETY: the importer passes one of its instances.
    unsafe { refuse::<M, _>(instance, Function::ExitConfigurationMode, NO_STRUCTURE) }
}

/// `fmi3EnterEventMode`.
pub unsafe extern "C" fn enter_event_mode<M: Model>(instance: ffi::Instance) -> ffi::RawStatus {
    // SAFETY: the importer passes one of its instances.
    unsafe { refuse::<M, _>(instance, Function::EnterEventMode, NO_EVENTS) }
}

/// `fmi3UpdateDiscreteStates`.
pub unsafe extern "C" fn update_discrete_states<M: Model>(
    instance: ffi::Instance,
    _discrete_states_need_update: *mut ffi::Boolean,
    _terminate_simulation: *mut ffi::Boolean,
    _nominals_of_continuous_states_changed: *mut ffi::Boolean,
    _values_of_continuous_states_changed: *mut ffi::Boolean,
    _next_event_time_defined: *mut ffi::Boolean,
    _next_event_time: *mut ffi::Float64,
) -> ffi::RawStatus {
    // SAFETY: the importer passes one of its instances.
    unsafe { refuse::<M, _>(instance, Function::UpdateDiscreteStates, NO_EVENTS) }
}

/// `fmi3EnterStepMode`.
pub unsafe extern "C" fn enter_step_mode<M: Model>(instance: ffi::Instance) -> ffi::RawStatus {
    // SAFETY: the importer passes one of its instances.
    unsafe { refuse::<M, _>(instance, Function::EnterStepMode, NO_EVENTS) }
}
