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

fmi_xml::function_table! {
    /// The functions of one co-simulation FMU: the required ones, and the optional ones, which provide capabilities. FMI 3.0
    /// demands that an FMU exports all; some export only those of their interface type. Those for model exchange and scheduled
    /// execution are not listed.
    "fmi3"
    required {
        get_version: GetVersion() -> FmiString;
        /// Arguments: instance name, instantiation token, resource path, visible, logging on, event mode used, early return
        /// allowed, required intermediate variables and their number, environment, and the two callbacks.
        instantiate_co_simulation: InstantiateCoSimulation(
            name: FmiString, token: FmiString, resources: FmiString, visible: Boolean, logging_on: Boolean, events: Boolean,
            early_return: Boolean, required: *const ValueReference, n: usize, environment: InstanceEnvironment,
            log: Option<LogMessageCallback>, update: Option<IntermediateUpdateCallback>
        ) -> Instance;
        free_instance: FreeInstance(i: Instance) -> ();
        /// Arguments after the instance: whether there is a tolerance, the tolerance, start time, whether there is a stop time,
        /// the stop time.
        enter_initialization_mode: EnterInitializationMode(
            i: Instance, tolerance_defined: Boolean, tolerance: Float64, start: Float64, stop_defined: Boolean, stop: Float64
        ) -> RawStatus;
        exit_initialization_mode: ExitInitializationMode(i: Instance) -> RawStatus;
        terminate: Terminate(i: Instance) -> RawStatus;
        /// Arguments after the instance: communication point, communication step size, whether no earlier state will be set; the
        /// answers: whether an event must be handled, whether to end the simulation, whether the step ended early, and the time
        /// that the FMU reached.
        do_step: DoStep(
            i: Instance, t: Float64, h: Float64, commit: Boolean, event: *mut Boolean, terminate: *mut Boolean,
            early: *mut Boolean, time: *mut Float64
        ) -> RawStatus;
    }
    optional {
        set_debug_logging: SetDebugLogging(i: Instance, on: Boolean, n: usize, categories: *const FmiString) -> RawStatus;
        reset: Reset(i: Instance) -> RawStatus;
        get_float32: GetFloat32(i: Instance, vr: *const ValueReference, n: usize, values: *mut Float32, size: usize) -> RawStatus;
        get_float64: GetFloat64(i: Instance, vr: *const ValueReference, n: usize, values: *mut Float64, size: usize) -> RawStatus;
        get_int8: GetInt8(i: Instance, vr: *const ValueReference, n: usize, values: *mut Int8, size: usize) -> RawStatus;
        get_uint8: GetUInt8(i: Instance, vr: *const ValueReference, n: usize, values: *mut UInt8, size: usize) -> RawStatus;
        get_int16: GetInt16(i: Instance, vr: *const ValueReference, n: usize, values: *mut Int16, size: usize) -> RawStatus;
        get_uint16: GetUInt16(i: Instance, vr: *const ValueReference, n: usize, values: *mut UInt16, size: usize) -> RawStatus;
        get_int32: GetInt32(i: Instance, vr: *const ValueReference, n: usize, values: *mut Int32, size: usize) -> RawStatus;
        get_uint32: GetUInt32(i: Instance, vr: *const ValueReference, n: usize, values: *mut UInt32, size: usize) -> RawStatus;
        get_int64: GetInt64(i: Instance, vr: *const ValueReference, n: usize, values: *mut Int64, size: usize) -> RawStatus;
        get_uint64: GetUInt64(i: Instance, vr: *const ValueReference, n: usize, values: *mut UInt64, size: usize) -> RawStatus;
        get_boolean: GetBoolean(i: Instance, vr: *const ValueReference, n: usize, values: *mut Boolean, size: usize) -> RawStatus;
        get_string: GetString(i: Instance, vr: *const ValueReference, n: usize, values: *mut FmiString, size: usize) -> RawStatus;
        get_binary: GetBinary(
            i: Instance, vr: *const ValueReference, n: usize, sizes: *mut usize, values: *mut Binary, size: usize
        ) -> RawStatus;
        set_float32: SetFloat32(
            i: Instance, vr: *const ValueReference, n: usize, values: *const Float32, size: usize
        ) -> RawStatus;
        set_float64: SetFloat64(
            i: Instance, vr: *const ValueReference, n: usize, values: *const Float64, size: usize
        ) -> RawStatus;
        set_int8: SetInt8(i: Instance, vr: *const ValueReference, n: usize, values: *const Int8, size: usize) -> RawStatus;
        set_uint8: SetUInt8(i: Instance, vr: *const ValueReference, n: usize, values: *const UInt8, size: usize) -> RawStatus;
        set_int16: SetInt16(i: Instance, vr: *const ValueReference, n: usize, values: *const Int16, size: usize) -> RawStatus;
        set_uint16: SetUInt16(i: Instance, vr: *const ValueReference, n: usize, values: *const UInt16, size: usize) -> RawStatus;
        set_int32: SetInt32(i: Instance, vr: *const ValueReference, n: usize, values: *const Int32, size: usize) -> RawStatus;
        set_uint32: SetUInt32(i: Instance, vr: *const ValueReference, n: usize, values: *const UInt32, size: usize) -> RawStatus;
        set_int64: SetInt64(i: Instance, vr: *const ValueReference, n: usize, values: *const Int64, size: usize) -> RawStatus;
        set_uint64: SetUInt64(i: Instance, vr: *const ValueReference, n: usize, values: *const UInt64, size: usize) -> RawStatus;
        set_boolean: SetBoolean(
            i: Instance, vr: *const ValueReference, n: usize, values: *const Boolean, size: usize
        ) -> RawStatus;
        set_string: SetString(
            i: Instance, vr: *const ValueReference, n: usize, values: *const FmiString, size: usize
        ) -> RawStatus;
        set_binary: SetBinary(
            i: Instance, vr: *const ValueReference, n: usize, sizes: *const usize, values: *const Binary, size: usize
        ) -> RawStatus;
        get_fmu_state: GetFMUState(i: Instance, state: *mut FmuState) -> RawStatus;
        set_fmu_state: SetFMUState(i: Instance, state: FmuState) -> RawStatus;
        free_fmu_state: FreeFMUState(i: Instance, state: *mut FmuState) -> RawStatus;
        serialized_fmu_state_size: SerializedFMUStateSize(i: Instance, state: FmuState, size: *mut usize) -> RawStatus;
        serialize_fmu_state: SerializeFMUState(i: Instance, state: FmuState, bytes: *mut Byte, n: usize) -> RawStatus;
        deserialize_fmu_state: DeserializeFMUState(i: Instance, bytes: *const Byte, n: usize, state: *mut FmuState) -> RawStatus;
        get_directional_derivative: GetDirectionalDerivative(
            i: Instance, unknowns: *const ValueReference, n_unknowns: usize, knowns: *const ValueReference, n_knowns: usize,
            seeds: *const Float64, n_seeds: usize, sensitivities: *mut Float64, n_sensitivities: usize
        ) -> RawStatus;
        get_output_derivatives: GetOutputDerivatives(
            i: Instance, vr: *const ValueReference, n: usize, orders: *const Int32, values: *mut Float64, size: usize
        ) -> RawStatus;
        enter_configuration_mode: EnterConfigurationMode(i: Instance) -> RawStatus;
        exit_configuration_mode: ExitConfigurationMode(i: Instance) -> RawStatus;
        enter_event_mode: EnterEventMode(i: Instance) -> RawStatus;
        /// Answers: whether another update is needed, whether to end the simulation, whether nominal values of states changed,
        /// whether values of states changed, whether there is a next event time, and this time.
        update_discrete_states: UpdateDiscreteStates(
            i: Instance, need_update: *mut Boolean, terminate: *mut Boolean, nominals_changed: *mut Boolean,
            values_changed: *mut Boolean, next_defined: *mut Boolean, next: *mut Float64
        ) -> RawStatus;
        enter_step_mode: EnterStepMode(i: Instance) -> RawStatus;
    }
    other {
        instantiate_model_exchange: InstantiateModelExchange(
            name: FmiString, token: FmiString, resources: FmiString, visible: Boolean, logging_on: Boolean,
            environment: InstanceEnvironment, log: Option<LogMessageCallback>
        ) -> Instance;
        instantiate_scheduled_execution: InstantiateScheduledExecution(
            name: FmiString, token: FmiString, resources: FmiString, visible: Boolean, logging_on: Boolean,
            environment: InstanceEnvironment, log: Option<LogMessageCallback>, update: Option<ClockUpdateCallback>,
            lock: Option<LockPreemptionCallback>, unlock: Option<UnlockPreemptionCallback>
        ) -> Instance;
        get_clock: GetClock(i: Instance, vr: *const ValueReference, n: usize, values: *mut Clock) -> RawStatus;
        set_clock: SetClock(i: Instance, vr: *const ValueReference, n: usize, values: *const Clock) -> RawStatus;
        get_number_of_variable_dependencies: GetNumberOfVariableDependencies(
            i: Instance, vr: ValueReference, n: *mut usize
        ) -> RawStatus;
        get_variable_dependencies: GetVariableDependencies(
            i: Instance, vr: ValueReference, elements: *mut usize, independents: *mut ValueReference,
            independent_elements: *mut usize, kinds: *mut RawDependencyKind, n: usize
        ) -> RawStatus;
        get_adjoint_derivative: GetAdjointDerivative(
            i: Instance, unknowns: *const ValueReference, n_unknowns: usize, knowns: *const ValueReference, n_knowns: usize,
            seeds: *const Float64, n_seeds: usize, sensitivities: *mut Float64, n_sensitivities: usize
        ) -> RawStatus;
        get_interval_decimal: GetIntervalDecimal(
            i: Instance, vr: *const ValueReference, n: usize, intervals: *mut Float64, qualifiers: *mut RawIntervalQualifier
        ) -> RawStatus;
        get_interval_fraction: GetIntervalFraction(
            i: Instance, vr: *const ValueReference, n: usize, counters: *mut UInt64, resolutions: *mut UInt64,
            qualifiers: *mut RawIntervalQualifier
        ) -> RawStatus;
        get_shift_decimal: GetShiftDecimal(i: Instance, vr: *const ValueReference, n: usize, shifts: *mut Float64) -> RawStatus;
        get_shift_fraction: GetShiftFraction(
            i: Instance, vr: *const ValueReference, n: usize, counters: *mut UInt64, resolutions: *mut UInt64
        ) -> RawStatus;
        set_interval_decimal: SetIntervalDecimal(
            i: Instance, vr: *const ValueReference, n: usize, intervals: *const Float64
        ) -> RawStatus;
        set_interval_fraction: SetIntervalFraction(
            i: Instance, vr: *const ValueReference, n: usize, counters: *const UInt64, resolutions: *const UInt64
        ) -> RawStatus;
        set_shift_decimal: SetShiftDecimal(i: Instance, vr: *const ValueReference, n: usize, shifts: *const Float64) -> RawStatus;
        set_shift_fraction: SetShiftFraction(
            i: Instance, vr: *const ValueReference, n: usize, counters: *const UInt64, resolutions: *const UInt64
        ) -> RawStatus;
        evaluate_discrete_states: EvaluateDiscreteStates(i: Instance) -> RawStatus;
        enter_continuous_time_mode: EnterContinuousTimeMode(i: Instance) -> RawStatus;
        completed_integrator_step: CompletedIntegratorStep(
            i: Instance, commit: Boolean, enter_event_mode: *mut Boolean, terminate: *mut Boolean
        ) -> RawStatus;
        set_time: SetTime(i: Instance, time: Float64) -> RawStatus;
        set_continuous_states: SetContinuousStates(i: Instance, x: *const Float64, n: usize) -> RawStatus;
        get_continuous_state_derivatives: GetContinuousStateDerivatives(i: Instance, dx: *mut Float64, n: usize) -> RawStatus;
        get_event_indicators: GetEventIndicators(i: Instance, z: *mut Float64, n: usize) -> RawStatus;
        get_continuous_states: GetContinuousStates(i: Instance, x: *mut Float64, n: usize) -> RawStatus;
        get_nominals_of_continuous_states: GetNominalsOfContinuousStates(
            i: Instance, nominals: *mut Float64, n: usize
        ) -> RawStatus;
        get_number_of_event_indicators: GetNumberOfEventIndicators(i: Instance, n: *mut usize) -> RawStatus;
        get_number_of_continuous_states: GetNumberOfContinuousStates(i: Instance, n: *mut usize) -> RawStatus;
        activate_model_partition: ActivateModelPartition(i: Instance, clock: ValueReference, time: Float64) -> RawStatus;
    }
}
