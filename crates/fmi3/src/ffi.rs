//! C types of FMI 3.0 and its 75 function types, named as in `fmi3FunctionTypes.h`.
//!
//! Statuses and qualifiers are plain integers here, and booleans are bytes: foreign code may write any value. They are checked
//! before they become a [`lotka_instance::Status`] or a `bool`.
#![allow(missing_docs, reason = "names and meaning are those of the standard's header files")]

use std::ffi::{c_char, c_int, c_void};

pub type Instance = *mut c_void;
pub type InstanceEnvironment = *mut c_void;
pub type FmuState = *mut c_void;
pub type ValueReference = u32;
pub type Float32 = f32;
pub type Float64 = f64;
pub type Int8 = i8;
pub type UInt8 = u8;
pub type Int16 = i16;
pub type UInt16 = u16;
pub type Int32 = i32;
pub type UInt32 = u32;
pub type Int64 = i64;
pub type UInt64 = u64;
/// The C type `bool` is one byte wide. [`boolean`] converts it.
pub type Boolean = u8;
pub type FmiString = *const c_char;
pub type Byte = u8;
pub type Binary = *const Byte;
pub type Clock = u8;
pub type RawStatus = c_int;
pub type RawDependencyKind = c_int;
pub type RawIntervalQualifier = c_int;

pub const TRUE: Boolean = 1;
pub const FALSE: Boolean = 0;

/// Converts a byte from foreign code; every value except 0 is true.
#[inline]
#[must_use]
pub const fn boolean(byte: Boolean) -> bool {
    byte != FALSE
}

pub type LogMessageCallback = unsafe extern "C" fn(InstanceEnvironment, RawStatus, FmiString, FmiString);
pub type ClockUpdateCallback = unsafe extern "C" fn(InstanceEnvironment);
/// Arguments after the environment: the time, whether variables may be set, whether they may be read, whether the internal step
/// is finished, whether the FMU can return early, and the answers: whether it is to return early, and when.
pub type IntermediateUpdateCallback =
    unsafe extern "C" fn(InstanceEnvironment, Float64, Boolean, Boolean, Boolean, Boolean, *mut Boolean, *mut Float64);
pub type LockPreemptionCallback = unsafe extern "C" fn();
pub type UnlockPreemptionCallback = unsafe extern "C" fn();

pub type GetVersion = unsafe extern "C" fn() -> FmiString;
pub type SetDebugLogging = unsafe extern "C" fn(Instance, Boolean, usize, *const FmiString) -> RawStatus;
pub type InstantiateModelExchange = unsafe extern "C" fn(
    FmiString,
    FmiString,
    FmiString,
    Boolean,
    Boolean,
    InstanceEnvironment,
    Option<LogMessageCallback>,
) -> Instance;
/// Arguments: instance name, instantiation token, resource path, visible, logging on, event mode used, early return allowed,
/// required intermediate variables and their number, environment, and the two callbacks.
pub type InstantiateCoSimulation = unsafe extern "C" fn(
    FmiString,
    FmiString,
    FmiString,
    Boolean,
    Boolean,
    Boolean,
    Boolean,
    *const ValueReference,
    usize,
    InstanceEnvironment,
    Option<LogMessageCallback>,
    Option<IntermediateUpdateCallback>,
) -> Instance;
pub type InstantiateScheduledExecution = unsafe extern "C" fn(
    FmiString,
    FmiString,
    FmiString,
    Boolean,
    Boolean,
    InstanceEnvironment,
    Option<LogMessageCallback>,
    Option<ClockUpdateCallback>,
    Option<LockPreemptionCallback>,
    Option<UnlockPreemptionCallback>,
) -> Instance;
pub type FreeInstance = unsafe extern "C" fn(Instance);
/// Arguments after the instance: whether there is a tolerance, the tolerance, start time, whether there is a stop time, the stop
/// time.
pub type EnterInitializationMode = unsafe extern "C" fn(Instance, Boolean, Float64, Float64, Boolean, Float64) -> RawStatus;
pub type ExitInitializationMode = unsafe extern "C" fn(Instance) -> RawStatus;
pub type EnterEventMode = unsafe extern "C" fn(Instance) -> RawStatus;
pub type Terminate = unsafe extern "C" fn(Instance) -> RawStatus;
pub type Reset = unsafe extern "C" fn(Instance) -> RawStatus;
pub type GetFloat32 = unsafe extern "C" fn(Instance, *const ValueReference, usize, *mut Float32, usize) -> RawStatus;
pub type GetFloat64 = unsafe extern "C" fn(Instance, *const ValueReference, usize, *mut Float64, usize) -> RawStatus;
pub type GetInt8 = unsafe extern "C" fn(Instance, *const ValueReference, usize, *mut Int8, usize) -> RawStatus;
pub type GetUInt8 = unsafe extern "C" fn(Instance, *const ValueReference, usize, *mut UInt8, usize) -> RawStatus;
pub type GetInt16 = unsafe extern "C" fn(Instance, *const ValueReference, usize, *mut Int16, usize) -> RawStatus;
pub type GetUInt16 = unsafe extern "C" fn(Instance, *const ValueReference, usize, *mut UInt16, usize) -> RawStatus;
pub type GetInt32 = unsafe extern "C" fn(Instance, *const ValueReference, usize, *mut Int32, usize) -> RawStatus;
pub type GetUInt32 = unsafe extern "C" fn(Instance, *const ValueReference, usize, *mut UInt32, usize) -> RawStatus;
pub type GetInt64 = unsafe extern "C" fn(Instance, *const ValueReference, usize, *mut Int64, usize) -> RawStatus;
pub type GetUInt64 = unsafe extern "C" fn(Instance, *const ValueReference, usize, *mut UInt64, usize) -> RawStatus;
pub type GetBoolean = unsafe extern "C" fn(Instance, *const ValueReference, usize, *mut Boolean, usize) -> RawStatus;
pub type GetString = unsafe extern "C" fn(Instance, *const ValueReference, usize, *mut FmiString, usize) -> RawStatus;
pub type GetBinary = unsafe extern "C" fn(Instance, *const ValueReference, usize, *mut usize, *mut Binary, usize) -> RawStatus;
pub type GetClock = unsafe extern "C" fn(Instance, *const ValueReference, usize, *mut Clock) -> RawStatus;
pub type SetFloat32 = unsafe extern "C" fn(Instance, *const ValueReference, usize, *const Float32, usize) -> RawStatus;
pub type SetFloat64 = unsafe extern "C" fn(Instance, *const ValueReference, usize, *const Float64, usize) -> RawStatus;
pub type SetInt8 = unsafe extern "C" fn(Instance, *const ValueReference, usize, *const Int8, usize) -> RawStatus;
pub type SetUInt8 = unsafe extern "C" fn(Instance, *const ValueReference, usize, *const UInt8, usize) -> RawStatus;
pub type SetInt16 = unsafe extern "C" fn(Instance, *const ValueReference, usize, *const Int16, usize) -> RawStatus;
pub type SetUInt16 = unsafe extern "C" fn(Instance, *const ValueReference, usize, *const UInt16, usize) -> RawStatus;
pub type SetInt32 = unsafe extern "C" fn(Instance, *const ValueReference, usize, *const Int32, usize) -> RawStatus;
pub type SetUInt32 = unsafe extern "C" fn(Instance, *const ValueReference, usize, *const UInt32, usize) -> RawStatus;
pub type SetInt64 = unsafe extern "C" fn(Instance, *const ValueReference, usize, *const Int64, usize) -> RawStatus;
pub type SetUInt64 = unsafe extern "C" fn(Instance, *const ValueReference, usize, *const UInt64, usize) -> RawStatus;
pub type SetBoolean = unsafe extern "C" fn(Instance, *const ValueReference, usize, *const Boolean, usize) -> RawStatus;
pub type SetString = unsafe extern "C" fn(Instance, *const ValueReference, usize, *const FmiString, usize) -> RawStatus;
pub type SetBinary =
    unsafe extern "C" fn(Instance, *const ValueReference, usize, *const usize, *const Binary, usize) -> RawStatus;
pub type SetClock = unsafe extern "C" fn(Instance, *const ValueReference, usize, *const Clock) -> RawStatus;
pub type GetNumberOfVariableDependencies = unsafe extern "C" fn(Instance, ValueReference, *mut usize) -> RawStatus;
pub type GetVariableDependencies = unsafe extern "C" fn(
    Instance,
    ValueReference,
    *mut usize,
    *mut ValueReference,
    *mut usize,
    *mut RawDependencyKind,
    usize,
) -> RawStatus;
pub type GetFMUState = unsafe extern "C" fn(Instance, *mut FmuState) -> RawStatus;
pub type SetFMUState = unsafe extern "C" fn(Instance, FmuState) -> RawStatus;
pub type FreeFMUState = unsafe extern "C" fn(Instance, *mut FmuState) -> RawStatus;
pub type SerializedFMUStateSize = unsafe extern "C" fn(Instance, FmuState, *mut usize) -> RawStatus;
pub type SerializeFMUState = unsafe extern "C" fn(Instance, FmuState, *mut Byte, usize) -> RawStatus;
pub type DeserializeFMUState = unsafe extern "C" fn(Instance, *const Byte, usize, *mut FmuState) -> RawStatus;
pub type GetDirectionalDerivative = unsafe extern "C" fn(
    Instance,
    *const ValueReference,
    usize,
    *const ValueReference,
    usize,
    *const Float64,
    usize,
    *mut Float64,
    usize,
) -> RawStatus;
pub type GetAdjointDerivative = GetDirectionalDerivative;
pub type EnterConfigurationMode = unsafe extern "C" fn(Instance) -> RawStatus;
pub type ExitConfigurationMode = unsafe extern "C" fn(Instance) -> RawStatus;
pub type GetIntervalDecimal =
    unsafe extern "C" fn(Instance, *const ValueReference, usize, *mut Float64, *mut RawIntervalQualifier) -> RawStatus;
pub type GetIntervalFraction = unsafe extern "C" fn(
    Instance,
    *const ValueReference,
    usize,
    *mut UInt64,
    *mut UInt64,
    *mut RawIntervalQualifier,
) -> RawStatus;
pub type GetShiftDecimal = unsafe extern "C" fn(Instance, *const ValueReference, usize, *mut Float64) -> RawStatus;
pub type GetShiftFraction = unsafe extern "C" fn(Instance, *const ValueReference, usize, *mut UInt64, *mut UInt64) -> RawStatus;
pub type SetIntervalDecimal = unsafe extern "C" fn(Instance, *const ValueReference, usize, *const Float64) -> RawStatus;
pub type SetIntervalFraction =
    unsafe extern "C" fn(Instance, *const ValueReference, usize, *const UInt64, *const UInt64) -> RawStatus;
pub type SetShiftDecimal = unsafe extern "C" fn(Instance, *const ValueReference, usize, *const Float64) -> RawStatus;
pub type SetShiftFraction =
    unsafe extern "C" fn(Instance, *const ValueReference, usize, *const UInt64, *const UInt64) -> RawStatus;
pub type EvaluateDiscreteStates = unsafe extern "C" fn(Instance) -> RawStatus;
/// Answers: whether another update is needed, whether to end the simulation, whether nominal values of states changed, whether
/// values of states changed, whether there is a next event time, and this time.
pub type UpdateDiscreteStates = unsafe extern "C" fn(
    Instance,
    *mut Boolean,
    *mut Boolean,
    *mut Boolean,
    *mut Boolean,
    *mut Boolean,
    *mut Float64,
) -> RawStatus;
pub type EnterContinuousTimeMode = unsafe extern "C" fn(Instance) -> RawStatus;
pub type CompletedIntegratorStep = unsafe extern "C" fn(Instance, Boolean, *mut Boolean, *mut Boolean) -> RawStatus;
pub type SetTime = unsafe extern "C" fn(Instance, Float64) -> RawStatus;
pub type SetContinuousStates = unsafe extern "C" fn(Instance, *const Float64, usize) -> RawStatus;
pub type GetContinuousStateDerivatives = unsafe extern "C" fn(Instance, *mut Float64, usize) -> RawStatus;
pub type GetEventIndicators = unsafe extern "C" fn(Instance, *mut Float64, usize) -> RawStatus;
pub type GetContinuousStates = unsafe extern "C" fn(Instance, *mut Float64, usize) -> RawStatus;
pub type GetNominalsOfContinuousStates = unsafe extern "C" fn(Instance, *mut Float64, usize) -> RawStatus;
pub type GetNumberOfEventIndicators = unsafe extern "C" fn(Instance, *mut usize) -> RawStatus;
pub type GetNumberOfContinuousStates = unsafe extern "C" fn(Instance, *mut usize) -> RawStatus;
pub type EnterStepMode = unsafe extern "C" fn(Instance) -> RawStatus;
pub type GetOutputDerivatives =
    unsafe extern "C" fn(Instance, *const ValueReference, usize, *const Int32, *mut Float64, usize) -> RawStatus;
/// Arguments after the instance: communication point, communication step size, whether no earlier state will be set; the answers:
/// whether an event must be handled, whether to end the simulation, whether the step ended early, and the time that the FMU
/// reached.
pub type DoStep = unsafe extern "C" fn(
    Instance,
    Float64,
    Float64,
    Boolean,
    *mut Boolean,
    *mut Boolean,
    *mut Boolean,
    *mut Float64,
) -> RawStatus;
pub type ActivateModelPartition = unsafe extern "C" fn(Instance, ValueReference, Float64) -> RawStatus;

macro_rules! function_table {
    (
        required { $($required:ident: $required_type:ident,)* }
        optional { $($optional:ident: $optional_type:ident,)* }
        other { $($other:ident: $other_type:ident,)* }
    ) => {
        /// The functions of one co-simulation FMU: the required ones, and the optional ones, which provide capabilities. FMI 3.0
        /// demands that an FMU exports all; some export only those of their interface type. Those for model exchange and
        /// scheduled execution are not listed.
        #[derive(Debug, Clone, Copy)]
        pub struct Functions {
            $(pub $required: $required_type,)*
            $(pub $optional: Option<$optional_type>,)*
        }

        /// Calls `$apply!` once with three lists `field: Type`, so that a loader or an exporter need not repeat the 75 names:
        /// functions that co-simulation requires, optional ones, and those of other interface types. The symbol is `fmi3`
        /// followed by the type name.
        #[macro_export]
        macro_rules! with_functions {
            ($apply:ident) => {
                $apply! {
                    required { $($required: $required_type,)* }
                    optional { $($optional: $optional_type,)* }
                    other { $($other: $other_type,)* }
                }
            };
        }
    };
}

function_table! {
    required {
        get_version: GetVersion,
        instantiate_co_simulation: InstantiateCoSimulation,
        free_instance: FreeInstance,
        enter_initialization_mode: EnterInitializationMode,
        exit_initialization_mode: ExitInitializationMode,
        terminate: Terminate,
        do_step: DoStep,
    }
    optional {
        set_debug_logging: SetDebugLogging,
        reset: Reset,
        get_float32: GetFloat32,
        get_float64: GetFloat64,
        get_int8: GetInt8,
        get_uint8: GetUInt8,
        get_int16: GetInt16,
        get_uint16: GetUInt16,
        get_int32: GetInt32,
        get_uint32: GetUInt32,
        get_int64: GetInt64,
        get_uint64: GetUInt64,
        get_boolean: GetBoolean,
        get_string: GetString,
        get_binary: GetBinary,
        set_float32: SetFloat32,
        set_float64: SetFloat64,
        set_int8: SetInt8,
        set_uint8: SetUInt8,
        set_int16: SetInt16,
        set_uint16: SetUInt16,
        set_int32: SetInt32,
        set_uint32: SetUInt32,
        set_int64: SetInt64,
        set_uint64: SetUInt64,
        set_boolean: SetBoolean,
        set_string: SetString,
        set_binary: SetBinary,
        get_fmu_state: GetFMUState,
        set_fmu_state: SetFMUState,
        free_fmu_state: FreeFMUState,
        serialized_fmu_state_size: SerializedFMUStateSize,
        serialize_fmu_state: SerializeFMUState,
        deserialize_fmu_state: DeserializeFMUState,
        get_directional_derivative: GetDirectionalDerivative,
        get_output_derivatives: GetOutputDerivatives,
        enter_configuration_mode: EnterConfigurationMode,
        exit_configuration_mode: ExitConfigurationMode,
        enter_event_mode: EnterEventMode,
        update_discrete_states: UpdateDiscreteStates,
        enter_step_mode: EnterStepMode,
    }
    other {
        instantiate_model_exchange: InstantiateModelExchange,
        instantiate_scheduled_execution: InstantiateScheduledExecution,
        get_clock: GetClock,
        set_clock: SetClock,
        get_number_of_variable_dependencies: GetNumberOfVariableDependencies,
        get_variable_dependencies: GetVariableDependencies,
        get_adjoint_derivative: GetAdjointDerivative,
        get_interval_decimal: GetIntervalDecimal,
        get_interval_fraction: GetIntervalFraction,
        get_shift_decimal: GetShiftDecimal,
        get_shift_fraction: GetShiftFraction,
        set_interval_decimal: SetIntervalDecimal,
        set_interval_fraction: SetIntervalFraction,
        set_shift_decimal: SetShiftDecimal,
        set_shift_fraction: SetShiftFraction,
        evaluate_discrete_states: EvaluateDiscreteStates,
        enter_continuous_time_mode: EnterContinuousTimeMode,
        completed_integrator_step: CompletedIntegratorStep,
        set_time: SetTime,
        set_continuous_states: SetContinuousStates,
        get_continuous_state_derivatives: GetContinuousStateDerivatives,
        get_event_indicators: GetEventIndicators,
        get_continuous_states: GetContinuousStates,
        get_nominals_of_continuous_states: GetNominalsOfContinuousStates,
        get_number_of_event_indicators: GetNumberOfEventIndicators,
        get_number_of_continuous_states: GetNumberOfContinuousStates,
        activate_model_partition: ActivateModelPartition,
    }
}
