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

pub type GetTypesPlatform = unsafe extern "C" fn() -> FmiString;
pub type GetVersion = unsafe extern "C" fn() -> FmiString;
pub type SetDebugLogging = unsafe extern "C" fn(Component, Boolean, usize, *const FmiString) -> RawStatus;
pub type Instantiate =
    unsafe extern "C" fn(FmiString, RawType, FmiString, FmiString, *const CallbackFunctions, Boolean, Boolean) -> Component;
pub type FreeInstance = unsafe extern "C" fn(Component);
pub type SetupExperiment = unsafe extern "C" fn(Component, Boolean, Real, Real, Boolean, Real) -> RawStatus;
pub type EnterInitializationMode = unsafe extern "C" fn(Component) -> RawStatus;
pub type ExitInitializationMode = unsafe extern "C" fn(Component) -> RawStatus;
pub type Terminate = unsafe extern "C" fn(Component) -> RawStatus;
pub type Reset = unsafe extern "C" fn(Component) -> RawStatus;
pub type GetReal = unsafe extern "C" fn(Component, *const ValueReference, usize, *mut Real) -> RawStatus;
pub type GetInteger = unsafe extern "C" fn(Component, *const ValueReference, usize, *mut Integer) -> RawStatus;
pub type GetBoolean = unsafe extern "C" fn(Component, *const ValueReference, usize, *mut Boolean) -> RawStatus;
pub type GetString = unsafe extern "C" fn(Component, *const ValueReference, usize, *mut FmiString) -> RawStatus;
pub type SetReal = unsafe extern "C" fn(Component, *const ValueReference, usize, *const Real) -> RawStatus;
pub type SetInteger = unsafe extern "C" fn(Component, *const ValueReference, usize, *const Integer) -> RawStatus;
pub type SetBoolean = unsafe extern "C" fn(Component, *const ValueReference, usize, *const Boolean) -> RawStatus;
pub type SetString = unsafe extern "C" fn(Component, *const ValueReference, usize, *const FmiString) -> RawStatus;
pub type GetFMUstate = unsafe extern "C" fn(Component, *mut FmuState) -> RawStatus;
pub type SetFMUstate = unsafe extern "C" fn(Component, FmuState) -> RawStatus;
pub type FreeFMUstate = unsafe extern "C" fn(Component, *mut FmuState) -> RawStatus;
pub type SerializedFMUstateSize = unsafe extern "C" fn(Component, FmuState, *mut usize) -> RawStatus;
pub type SerializeFMUstate = unsafe extern "C" fn(Component, FmuState, *mut Byte, usize) -> RawStatus;
pub type DeSerializeFMUstate = unsafe extern "C" fn(Component, *const Byte, usize, *mut FmuState) -> RawStatus;
pub type GetDirectionalDerivative = unsafe extern "C" fn(
    Component,
    *const ValueReference,
    usize,
    *const ValueReference,
    usize,
    *const Real,
    *mut Real,
) -> RawStatus;
pub type SetRealInputDerivatives =
    unsafe extern "C" fn(Component, *const ValueReference, usize, *const Integer, *const Real) -> RawStatus;
pub type GetRealOutputDerivatives =
    unsafe extern "C" fn(Component, *const ValueReference, usize, *const Integer, *mut Real) -> RawStatus;
pub type DoStep = unsafe extern "C" fn(Component, Real, Real, Boolean) -> RawStatus;
pub type CancelStep = unsafe extern "C" fn(Component) -> RawStatus;
pub type GetStatus = unsafe extern "C" fn(Component, RawStatusKind, *mut RawStatus) -> RawStatus;
pub type GetRealStatus = unsafe extern "C" fn(Component, RawStatusKind, *mut Real) -> RawStatus;
pub type GetIntegerStatus = unsafe extern "C" fn(Component, RawStatusKind, *mut Integer) -> RawStatus;
pub type GetBooleanStatus = unsafe extern "C" fn(Component, RawStatusKind, *mut Boolean) -> RawStatus;
pub type GetStringStatus = unsafe extern "C" fn(Component, RawStatusKind, *mut FmiString) -> RawStatus;

macro_rules! function_table {
    (required { $($required:ident: $required_type:ident,)* } optional { $($optional:ident: $optional_type:ident,)* }) => {
        /// The functions of one co-simulation FMU: the required ones, and the optional ones, which provide capabilities.
        #[derive(Debug, Clone, Copy)]
        pub struct Functions {
            $(pub $required: $required_type,)*
            $(pub $optional: Option<$optional_type>,)*
        }

        /// Calls `$apply!` once with the required and the optional functions as `field: Type` lists, so that a loader or an
        /// exporter need not repeat the 34 names. The symbol is `fmi2` followed by the type name.
        #[macro_export]
        macro_rules! with_functions {
            ($apply:ident) => {
                $apply! { required { $($required: $required_type,)* } optional { $($optional: $optional_type,)* } }
            };
        }
    };
}

function_table! {
    required {
        get_types_platform: GetTypesPlatform,
        get_version: GetVersion,
        instantiate: Instantiate,
        free_instance: FreeInstance,
        setup_experiment: SetupExperiment,
        enter_initialization_mode: EnterInitializationMode,
        exit_initialization_mode: ExitInitializationMode,
        terminate: Terminate,
        do_step: DoStep,
    }
    optional {
        set_debug_logging: SetDebugLogging,
        reset: Reset,
        get_real: GetReal,
        get_integer: GetInteger,
        get_boolean: GetBoolean,
        get_string: GetString,
        set_real: SetReal,
        set_integer: SetInteger,
        set_boolean: SetBoolean,
        set_string: SetString,
        get_fmu_state: GetFMUstate,
        set_fmu_state: SetFMUstate,
        free_fmu_state: FreeFMUstate,
        serialized_fmu_state_size: SerializedFMUstateSize,
        serialize_fmu_state: SerializeFMUstate,
        de_serialize_fmu_state: DeSerializeFMUstate,
        get_directional_derivative: GetDirectionalDerivative,
        set_real_input_derivatives: SetRealInputDerivatives,
        get_real_output_derivatives: GetRealOutputDerivatives,
        cancel_step: CancelStep,
        get_status: GetStatus,
        get_real_status: GetRealStatus,
        get_integer_status: GetIntegerStatus,
        get_boolean_status: GetBooleanStatus,
        get_string_status: GetStringStatus,
    }
}
