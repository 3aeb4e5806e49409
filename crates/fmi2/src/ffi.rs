//! C types of FMI 2.0 and the 34 function types of co-simulation, named as in `fmi2FunctionTypes.h`.
//!
//! Statuses and status kinds are plain integers here. Values from foreign code are checked before they become a
//! [`lotka_instance::Status`].
#![allow(missing_docs, reason = "names and meaning are those of the standard's header files")]

use std::ffi::{c_char, c_int, c_uint, c_void};

pub type Component = *mut c_void;
pub type ComponentEnvironment = *mut c_void;
pub type FmuState = *mut c_void;
pub type ValueReference = c_uint;
pub type Real = f64;
pub type Integer = c_int;
pub type Boolean = c_int;
pub type Char = c_char;
pub type FmiString = *const c_char;
pub type Byte = c_char;
pub type RawStatus = c_int;
pub type RawType = c_int;
pub type RawStatusKind = c_int;

pub const TRUE: Boolean = 1;
pub const FALSE: Boolean = 0;
/// `fmi2CoSimulation`, a value of `fmi2Type`.
pub const CO_SIMULATION: RawType = 1;
/// Values of `fmi2StatusKind`.
pub const DO_STEP_STATUS: RawStatusKind = 0;
pub const PENDING_STATUS: RawStatusKind = 1;
pub const LAST_SUCCESSFUL_TIME: RawStatusKind = 2;
pub const TERMINATED: RawStatusKind = 3;

pub type CallbackLogger = unsafe extern "C" fn(ComponentEnvironment, FmiString, RawStatus, FmiString, FmiString, ...);
/// A [`CallbackLogger`] with exactly one argument after the format, which is what the kit passes. Miri cannot call variadic
/// functions, so loggers have this type under Miri.
#[cfg(miri)]
pub type FixedLogger = unsafe extern "C" fn(ComponentEnvironment, FmiString, RawStatus, FmiString, FmiString, FmiString);
pub type CallbackAllocateMemory = unsafe extern "C" fn(usize, usize) -> *mut c_void;
pub type CallbackFreeMemory = unsafe extern "C" fn(*mut c_void);
pub type CallbackStepFinished = unsafe extern "C" fn(ComponentEnvironment, RawStatus);

/// `fmi2CallbackFunctions`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct CallbackFunctions {
    pub logger: Option<CallbackLogger>,
    pub allocate_memory: Option<CallbackAllocateMemory>,
    pub free_memory: Option<CallbackFreeMemory>,
    pub step_finished: Option<CallbackStepFinished>,
    pub component_environment: ComponentEnvironment,
}

fmi_xml::function_table! {
    /// The functions of one co-simulation FMU: the required ones, and the optional ones, which provide capabilities.
    "fmi2"
    required {
        get_types_platform: GetTypesPlatform() -> FmiString;
        get_version: GetVersion() -> FmiString;
        instantiate: Instantiate(
            name: FmiString, fmu_type: RawType, guid: FmiString, resources: FmiString, callbacks: *const CallbackFunctions,
            visible: Boolean, logging_on: Boolean
        ) -> Component;
        free_instance: FreeInstance(c: Component) -> ();
        setup_experiment: SetupExperiment(
            c: Component, tolerance_defined: Boolean, tolerance: Real, start: Real, stop_defined: Boolean, stop: Real
        ) -> RawStatus;
        enter_initialization_mode: EnterInitializationMode(c: Component) -> RawStatus;
        exit_initialization_mode: ExitInitializationMode(c: Component) -> RawStatus;
        terminate: Terminate(c: Component) -> RawStatus;
        do_step: DoStep(c: Component, t: Real, h: Real, commit: Boolean) -> RawStatus;
    }
    optional {
        set_debug_logging: SetDebugLogging(c: Component, on: Boolean, n: usize, categories: *const FmiString) -> RawStatus;
        reset: Reset(c: Component) -> RawStatus;
        get_real: GetReal(c: Component, vr: *const ValueReference, n: usize, values: *mut Real) -> RawStatus;
        get_integer: GetInteger(c: Component, vr: *const ValueReference, n: usize, values: *mut Integer) -> RawStatus;
        get_boolean: GetBoolean(c: Component, vr: *const ValueReference, n: usize, values: *mut Boolean) -> RawStatus;
        get_string: GetString(c: Component, vr: *const ValueReference, n: usize, values: *mut FmiString) -> RawStatus;
        set_real: SetReal(c: Component, vr: *const ValueReference, n: usize, values: *const Real) -> RawStatus;
        set_integer: SetInteger(c: Component, vr: *const ValueReference, n: usize, values: *const Integer) -> RawStatus;
        set_boolean: SetBoolean(c: Component, vr: *const ValueReference, n: usize, values: *const Boolean) -> RawStatus;
        set_string: SetString(c: Component, vr: *const ValueReference, n: usize, values: *const FmiString) -> RawStatus;
        get_fmu_state: GetFMUstate(c: Component, state: *mut FmuState) -> RawStatus;
        set_fmu_state: SetFMUstate(c: Component, state: FmuState) -> RawStatus;
        free_fmu_state: FreeFMUstate(c: Component, state: *mut FmuState) -> RawStatus;
        serialized_fmu_state_size: SerializedFMUstateSize(c: Component, state: FmuState, size: *mut usize) -> RawStatus;
        serialize_fmu_state: SerializeFMUstate(c: Component, state: FmuState, bytes: *mut Byte, n: usize) -> RawStatus;
        de_serialize_fmu_state: DeSerializeFMUstate(
            c: Component, bytes: *const Byte, n: usize, state: *mut FmuState
        ) -> RawStatus;
        get_directional_derivative: GetDirectionalDerivative(
            c: Component, unknowns: *const ValueReference, n_unknowns: usize, knowns: *const ValueReference, n_knowns: usize,
            seeds: *const Real, results: *mut Real
        ) -> RawStatus;
        set_real_input_derivatives: SetRealInputDerivatives(
            c: Component, vr: *const ValueReference, n: usize, orders: *const Integer, values: *const Real
        ) -> RawStatus;
        get_real_output_derivatives: GetRealOutputDerivatives(
            c: Component, vr: *const ValueReference, n: usize, orders: *const Integer, values: *mut Real
        ) -> RawStatus;
        cancel_step: CancelStep(c: Component) -> RawStatus;
        get_status: GetStatus(c: Component, kind: RawStatusKind, value: *mut RawStatus) -> RawStatus;
        get_real_status: GetRealStatus(c: Component, kind: RawStatusKind, value: *mut Real) -> RawStatus;
        get_integer_status: GetIntegerStatus(c: Component, kind: RawStatusKind, value: *mut Integer) -> RawStatus;
        get_boolean_status: GetBooleanStatus(c: Component, kind: RawStatusKind, value: *mut Boolean) -> RawStatus;
        get_string_status: GetStringStatus(c: Component, kind: RawStatusKind, value: *mut FmiString) -> RawStatus;
    }
    other {}
}
