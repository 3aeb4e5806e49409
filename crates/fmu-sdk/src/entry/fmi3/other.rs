//! Functions of what the FMU lacks: model exchange, scheduled execution, clocks, and optional functions. Each logs a sentence and
//! fails.

use std::ptr;

use fmi3::{Function, ffi};
use lotka_instance::Status;

use crate::Model;
use crate::component::refuse;
use crate::log::{Callback, Logger};

const CO_SIMULATION_ONLY: &str = "this FMU is for co-simulation only; call fmi3InstantiateCoSimulation";
const NO_CLOCKS: &str = "this FMU has no clocks";
const NO_SUCH_STATES: &str = "this FMU does not evaluate discrete states (providesEvaluateDiscreteStates = false)";
const NO_ADJOINT: &str = "this FMU has no adjoint derivatives (providesAdjointDerivatives = false)";
const NO_DEPENDENCIES: &str = "this FMU has no dependencies that change (providesPerElementDependencies = false)";

/// `fmi3InstantiateModelExchange`. Returns NULL.
#[must_use]
pub unsafe extern "C" fn instantiate_model_exchange<M: Model>(
    _instance_name: ffi::FmiString,
    _instantiation_token: ffi::FmiString,
    _resource_path: ffi::FmiString,
    _visible: ffi::Boolean,
    _logging_on: ffi::Boolean,
    instance_environment: ffi::InstanceEnvironment,
    log_message: Option<ffi::LogMessageCallback>,
) -> ffi::Instance {
    // SAFETY: the importer passes its logger.
    unsafe { no_instance(Function::InstantiateModelExchange, instance_environment, log_message) }
}

/// `fmi3InstantiateScheduledExecution`. Returns NULL.
#[must_use]
pub unsafe extern "C" fn instantiate_scheduled_execution<M: Model>(
    _instance_name: ffi::FmiString,
    _instantiation_token: ffi::FmiString,
    _resource_path: ffi::FmiString,
    _visible: ffi::Boolean,
    _logging_on: ffi::Boolean,
    instance_environment: ffi::InstanceEnvironment,
    log_message: Option<ffi::LogMessageCallback>,
    _clock_update: Option<ffi::ClockUpdateCallback>,
    _lock_preemption: Option<ffi::LockPreemptionCallback>,
    _unlock_preemption: Option<ffi::UnlockPreemptionCallback>,
) -> ffi::Instance {
    // SAFETY: the importer passes its logger.
    unsafe { no_instance(Function::InstantiateScheduledExecution, instance_environment, log_message) }
}

/// # Safety
/// The logger is one as FMI defines it, and callable with the environment.
unsafe fn no_instance(
    function: Function,
    environment: ffi::InstanceEnvironment,
    log_message: Option<ffi::LogMessageCallback>,
) -> ffi::Instance {
    // SAFETY: passed on.
    let logger = unsafe { Logger::new(log_message.map_or(Callback::Missing, Callback::Fmi3), environment, false) };
    logger.explain(Status::Error, &format!("{function}: {CO_SIMULATION_ONLY}"));
    ptr::null_mut()
}

macro_rules! refused {
    ($($name:ident: $function:ident($($type:ty),*), $why:ident;)*) => {$(
        #[doc = concat!("`fmi3", stringify!($function), "`.")]
        pub unsafe extern "C" fn $name<M: Model>(instance: ffi::Instance $(, _: $type)*) -> ffi::RawStatus {
            // SAFETY: the importer passes one of its instances.
            unsafe { refuse::<M, _>(instance, Function::$function, $why) }
        }
    )*};
}

refused! {
    get_clock: GetClock(*const ffi::ValueReference, usize, *mut ffi::Clock), NO_CLOCKS;
    set_clock: SetClock(*const ffi::ValueReference, usize, *const ffi::Clock), NO_CLOCKS;
    get_interval_decimal: GetIntervalDecimal(
        *const ffi::ValueReference, usize, *mut ffi::Float64, *mut ffi::RawIntervalQualifier
    ), NO_CLOCKS;
    get_interval_fraction: GetIntervalFraction(
        *const ffi::ValueReference, usize, *mut ffi::UInt64, *mut ffi::UInt64, *mut ffi::RawIntervalQualifier
    ), NO_CLOCKS;
    get_shift_decimal: GetShiftDecimal(*const ffi::ValueReference, usize, *mut ffi::Float64), NO_CLOCKS;
    get_shift_fraction: GetShiftFraction(*const ffi::ValueReference, usize, *mut ffi::UInt64, *mut ffi::UInt64), NO_CLOCKS;
    set_interval_decimal: SetIntervalDecimal(*const ffi::ValueReference, usize, *const ffi::Float64), NO_CLOCKS;
    set_interval_fraction: SetIntervalFraction(
        *const ffi::ValueReference, usize, *const ffi::UInt64, *const ffi::UInt64
    ), NO_CLOCKS;
    set_shift_decimal: SetShiftDecimal(*const ffi::ValueReference, usize, *const ffi::Float64), NO_CLOCKS;
    set_shift_fraction: SetShiftFraction(*const ffi::ValueReference, usize, *const ffi::UInt64, *const ffi::UInt64), NO_CLOCKS;
    evaluate_discrete_states: EvaluateDiscreteStates(), NO_SUCH_STATES;
    get_adjoint_derivative: GetAdjointDerivative(
        *const ffi::ValueReference, usize, *const ffi::ValueReference, usize, *const ffi::Float64, usize, *mut ffi::Float64, usize
    ), NO_ADJOINT;
    get_number_of_variable_dependencies: GetNumberOfVariableDependencies(ffi::ValueReference, *mut usize), NO_DEPENDENCIES;
    get_variable_dependencies: GetVariableDependencies(
        ffi::ValueReference, *mut usize, *mut ffi::ValueReference, *mut usize, *mut ffi::RawDependencyKind, usize
    ), NO_DEPENDENCIES;
    enter_continuous_time_mode: EnterContinuousTimeMode(), CO_SIMULATION_ONLY;
    completed_integrator_step: CompletedIntegratorStep(ffi::Boolean, *mut ffi::Boolean, *mut ffi::Boolean), CO_SIMULATION_ONLY;
    set_time: SetTime(ffi::Float64), CO_SIMULATION_ONLY;
    set_continuous_states: SetContinuousStates(*const ffi::Float64, usize), CO_SIMULATION_ONLY;
    get_continuous_state_derivatives: GetContinuousStateDerivatives(*mut ffi::Float64, usize), CO_SIMULATION_ONLY;
    get_event_indicators: GetEventIndicators(*mut ffi::Float64, usize), CO_SIMULATION_ONLY;
    get_continuous_states: GetContinuousStates(*mut ffi::Float64, usize), CO_SIMULATION_ONLY;
    get_nominals_of_continuous_states: GetNominalsOfContinuousStates(*mut ffi::Float64, usize), CO_SIMULATION_ONLY;
    get_number_of_event_indicators: GetNumberOfEventIndicators(*mut usize), CO_SIMULATION_ONLY;
    get_number_of_continuous_states: GetNumberOfContinuousStates(*mut usize), CO_SIMULATION_ONLY;
    activate_model_partition: ActivateModelPartition(ffi::ValueReference, ffi::Float64), CO_SIMULATION_ONLY;
}
