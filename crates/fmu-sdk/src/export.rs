//! The lists of the 34 functions of FMI 2.0 and the 75 of FMI 3.0 with their arguments, and the code generated from them.

use fmi2::ffi::Functions;

use crate::{Error, Model, declaration::declared, entry};

/// Returns the functions of FMI 2.0 of `M` as a table, which joins model and importer in one program without a shared library.
pub fn functions<M: Model>() -> Functions {
    macro_rules! table {
        (required { $($required:ident: $required_type:ident,)* } optional { $($optional:ident: $optional_type:ident,)* }) => {
            Functions {
                $($required: entry::fmi2::$required::<M>,)*
                $($optional: Some(entry::fmi2::$optional::<M>),)*
            }
        };
    }
    fmi2::with_functions!(table)
}

/// Returns the model description of `M` for FMI 2.0, which is the same for every build of the same declaration, including its
/// GUID.
#[must_use]
pub fn description<M: Model>() -> fmi2::ModelDescription {
    declared::<M>().fmi2.clone()
}

/// Returns the errors in the declaration of `M`, and its variables that FMI 2.0 cannot represent. A model with errors cannot be
/// instantiated as an FMU of FMI 2.0; the first one is logged.
#[must_use]
pub fn problems<M: Model>() -> Vec<Error> {
    let declared = declared::<M>();
    declared.problems.iter().chain(&declared.fmi2_problems).cloned().collect()
}

/// Exports a [`Model`] as a co-simulation FMU, for FMI 2.0 and FMI 3.0: the complete contents of a `cdylib` crate. The packer
/// makes an FMU of one version or the other from the same library.
///
/// The crate needs `crate-type = ["cdylib"]` and must have the name [`Model::NAME`]. No other library may depend on it, because
/// two libraries with the same C symbols do not link together. A program that packs the FMU may do so, with `crate-type =
/// ["cdylib", "rlib"]`.
///
/// ```text
/// fmu_sdk::export!(models::Prey);
/// ```
#[macro_export]
macro_rules! export {
    ($model:ty) => {
        $crate::export! { @functions fmi2 $model, $crate::ffi;
            fmi2GetTypesPlatform = get_types_platform() -> FmiString;
            fmi2GetVersion = get_version() -> FmiString;
            fmi2SetDebugLogging = set_debug_logging(c: Component, on: Boolean, n: usize, categories: *const FmiString) -> RawStatus;
            fmi2Instantiate = instantiate(
                name: FmiString, fmu_type: RawType, guid: FmiString, resources: FmiString,
                callbacks: *const CallbackFunctions, visible: Boolean, logging_on: Boolean
            ) -> Component;
            fmi2FreeInstance = free_instance(c: Component) -> Nothing;
            fmi2SetupExperiment = setup_experiment(
                c: Component, tolerance_defined: Boolean, tolerance: Real, start: Real, stop_defined: Boolean, stop: Real
            ) -> RawStatus;
            fmi2EnterInitializationMode = enter_initialization_mode(c: Component) -> RawStatus;
            fmi2ExitInitializationMode = exit_initialization_mode(c: Component) -> RawStatus;
            fmi2Terminate = terminate(c: Component) -> RawStatus;
            fmi2Reset = reset(c: Component) -> RawStatus;
            fmi2GetReal = get_real(c: Component, vr: *const ValueReference, n: usize, values: *mut Real) -> RawStatus;
            fmi2GetInteger = get_integer(c: Component, vr: *const ValueReference, n: usize, values: *mut Integer) -> RawStatus;
            fmi2GetBoolean = get_boolean(c: Component, vr: *const ValueReference, n: usize, values: *mut Boolean) -> RawStatus;
            fmi2GetString = get_string(c: Component, vr: *const ValueReference, n: usize, values: *mut FmiString) -> RawStatus;
            fmi2SetReal = set_real(c: Component, vr: *const ValueReference, n: usize, values: *const Real) -> RawStatus;
            fmi2SetInteger = set_integer(c: Component, vr: *const ValueReference, n: usize, values: *const Integer) -> RawStatus;
            fmi2SetBoolean = set_boolean(c: Component, vr: *const ValueReference, n: usize, values: *const Boolean) -> RawStatus;
            fmi2SetString = set_string(c: Component, vr: *const ValueReference, n: usize, values: *const FmiString) -> RawStatus;
            fmi2GetFMUstate = get_fmu_state(c: Component, state: *mut FmuState) -> RawStatus;
            fmi2SetFMUstate = set_fmu_state(c: Component, state: FmuState) -> RawStatus;
            fmi2FreeFMUstate = free_fmu_state(c: Component, state: *mut FmuState) -> RawStatus;
            fmi2SerializedFMUstateSize = serialized_fmu_state_size(c: Component, state: FmuState, size: *mut usize) -> RawStatus;
            fmi2SerializeFMUstate = serialize_fmu_state(c: Component, state: FmuState, bytes: *mut Byte, n: usize) -> RawStatus;
            fmi2DeSerializeFMUstate =
                de_serialize_fmu_state(c: Component, bytes: *const Byte, n: usize, state: *mut FmuState) -> RawStatus;
            fmi2GetDirectionalDerivative = get_directional_derivative(
                c: Component, unknowns: *const ValueReference, n_unknowns: usize, knowns: *const ValueReference, n_knowns: usize,
                seeds: *const Real, results: *mut Real
            ) -> RawStatus;
            fmi2SetRealInputDerivatives = set_real_input_derivatives(
                c: Component, vr: *const ValueReference, n: usize, orders: *const Integer, values: *const Real
            ) -> RawStatus;
            fmi2GetRealOutputDerivatives = get_real_output_derivatives(
                c: Component, vr: *const ValueReference, n: usize, orders: *const Integer, values: *mut Real
            ) -> RawStatus;
            fmi2DoStep = do_step(c: Component, t: Real, h: Real, commit: Boolean) -> RawStatus;
            fmi2CancelStep = cancel_step(c: Component) -> RawStatus;
            fmi2GetStatus = get_status(c: Component, kind: RawStatusKind, value: *mut RawStatus) -> RawStatus;
            fmi2GetRealStatus = get_real_status(c: Component, kind: RawStatusKind, value: *mut Real) -> RawStatus;
            fmi2GetIntegerStatus = get_integer_status(c: Component, kind: RawStatusKind, value: *mut Integer) -> RawStatus;
            fmi2GetBooleanStatus = get_boolean_status(c: Component, kind: RawStatusKind, value: *mut Boolean) -> RawStatus;
            fmi2GetStringStatus = get_string_status(c: Component, kind: RawStatusKind, value: *mut FmiString) -> RawStatus;
        }
        $crate::export! { @functions fmi3 $model, $crate::fmi3::ffi;
            fmi3GetVersion = get_version() -> FmiString;
            fmi3SetDebugLogging = set_debug_logging(
                i: Instance, on: Boolean, n: usize, categories: *const FmiString
            ) -> RawStatus;
            fmi3InstantiateModelExchange = instantiate_model_exchange(
                name: FmiString, token: FmiString, resources: FmiString, visible: Boolean, logging_on: Boolean,
                environment: InstanceEnvironment, log: Option<LogMessageCallback>
            ) -> Instance;
            fmi3InstantiateCoSimulation = instantiate_co_simulation(
                name: FmiString, token: FmiString, resources: FmiString, visible: Boolean, logging_on: Boolean, events: Boolean,
                early_return: Boolean, required: *const ValueReference, n: usize, environment: InstanceEnvironment,
                log: Option<LogMessageCallback>, update: Option<IntermediateUpdateCallback>
            ) -> Instance;
            fmi3InstantiateScheduledExecution = instantiate_scheduled_execution(
                name: FmiString, token: FmiString, resources: FmiString, visible: Boolean, logging_on: Boolean,
                environment: InstanceEnvironment, log: Option<LogMessageCallback>, update: Option<ClockUpdateCallback>,
                lock: Option<LockPreemptionCallback>, unlock: Option<UnlockPreemptionCallback>
            ) -> Instance;
            fmi3FreeInstance = free_instance(i: Instance) -> Nothing;
            fmi3EnterInitializationMode = enter_initialization_mode(
                i: Instance, tolerance_defined: Boolean, tolerance: Float64, start: Float64, stop_defined: Boolean, stop: Float64
            ) -> RawStatus;
            fmi3ExitInitializationMode = exit_initialization_mode(i: Instance) -> RawStatus;
            fmi3EnterEventMode = enter_event_mode(i: Instance) -> RawStatus;
            fmi3Terminate = terminate(i: Instance) -> RawStatus;
            fmi3Reset = reset(i: Instance) -> RawStatus;
            fmi3GetFloat32 = get_float32(
                i: Instance, vr: *const ValueReference, n: usize, values: *mut Float32, n_values: usize
            ) -> RawStatus;
            fmi3GetFloat64 = get_float64(
                i: Instance, vr: *const ValueReference, n: usize, values: *mut Float64, n_values: usize
            ) -> RawStatus;
            fmi3GetInt8 = get_int8(
                i: Instance, vr: *const ValueReference, n: usize, values: *mut Int8, n_values: usize
            ) -> RawStatus;
            fmi3GetUInt8 = get_uint8(
                i: Instance, vr: *const ValueReference, n: usize, values: *mut UInt8, n_values: usize
            ) -> RawStatus;
            fmi3GetInt16 = get_int16(
                i: Instance, vr: *const ValueReference, n: usize, values: *mut Int16, n_values: usize
            ) -> RawStatus;
            fmi3GetUInt16 = get_uint16(
                i: Instance, vr: *const ValueReference, n: usize, values: *mut UInt16, n_values: usize
            ) -> RawStatus;
            fmi3GetInt32 = get_int32(
                i: Instance, vr: *const ValueReference, n: usize, values: *mut Int32, n_values: usize
            ) -> RawStatus;
            fmi3GetUInt32 = get_uint32(
                i: Instance, vr: *const ValueReference, n: usize, values: *mut UInt32, n_values: usize
            ) -> RawStatus;
            fmi3GetInt64 = get_int64(
                i: Instance, vr: *const ValueReference, n: usize, values: *mut Int64, n_values: usize
            ) -> RawStatus;
            fmi3GetUInt64 = get_uint64(
                i: Instance, vr: *const ValueReference, n: usize, values: *mut UInt64, n_values: usize
            ) -> RawStatus;
            fmi3GetBoolean = get_boolean(
                i: Instance, vr: *const ValueReference, n: usize, values: *mut Boolean, n_values: usize
            ) -> RawStatus;
            fmi3GetString = get_string(
                i: Instance, vr: *const ValueReference, n: usize, values: *mut FmiString, n_values: usize
            ) -> RawStatus;
            fmi3GetBinary = get_binary(
                i: Instance, vr: *const ValueReference, n: usize, sizes: *mut usize, values: *mut Binary, n_values: usize
            ) -> RawStatus;
            fmi3GetClock = get_clock(i: Instance, vr: *const ValueReference, n: usize, values: *mut Clock) -> RawStatus;
            fmi3SetFloat32 = set_float32(
                i: Instance, vr: *const ValueReference, n: usize, values: *const Float32, n_values: usize
            ) -> RawStatus;
            fmi3SetFloat64 = set_float64(
                i: Instance, vr: *const ValueReference, n: usize, values: *const Float64, n_values: usize
            ) -> RawStatus;
            fmi3SetInt8 = set_int8(
                i: Instance, vr: *const ValueReference, n: usize, values: *const Int8, n_values: usize
            ) -> RawStatus;
            fmi3SetUInt8 = set_uint8(
                i: Instance, vr: *const ValueReference, n: usize, values: *const UInt8, n_values: usize
            ) -> RawStatus;
            fmi3SetInt16 = set_int16(
                i: Instance, vr: *const ValueReference, n: usize, values: *const Int16, n_values: usize
            ) -> RawStatus;
            fmi3SetUInt16 = set_uint16(
                i: Instance, vr: *const ValueReference, n: usize, values: *const UInt16, n_values: usize
            ) -> RawStatus;
            fmi3SetInt32 = set_int32(
                i: Instance, vr: *const ValueReference, n: usize, values: *const Int32, n_values: usize
            ) -> RawStatus;
            fmi3SetUInt32 = set_uint32(
                i: Instance, vr: *const ValueReference, n: usize, values: *const UInt32, n_values: usize
            ) -> RawStatus;
            fmi3SetInt64 = set_int64(
                i: Instance, vr: *const ValueReference, n: usize, values: *const Int64, n_values: usize
            ) -> RawStatus;
            fmi3SetUInt64 = set_uint64(
                i: Instance, vr: *const ValueReference, n: usize, values: *const UInt64, n_values: usize
            ) -> RawStatus;
            fmi3SetBoolean = set_boolean(
                i: Instance, vr: *const ValueReference, n: usize, values: *const Boolean, n_values: usize
            ) -> RawStatus;
            fmi3SetString = set_string(
                i: Instance, vr: *const ValueReference, n: usize, values: *const FmiString, n_values: usize
            ) -> RawStatus;
            fmi3SetBinary = set_binary(
                i: Instance, vr: *const ValueReference, n: usize, sizes: *const usize, values: *const Binary, n_values: usize
            ) -> RawStatus;
            fmi3SetClock = set_clock(i: Instance, vr: *const ValueReference, n: usize, values: *const Clock) -> RawStatus;
            fmi3GetNumberOfVariableDependencies = get_number_of_variable_dependencies(
                i: Instance, vr: ValueReference, n: *mut usize
            ) -> RawStatus;
            fmi3GetVariableDependencies = get_variable_dependencies(
                i: Instance, vr: ValueReference, elements: *mut usize, independents: *mut ValueReference,
                independent_elements: *mut usize, kinds: *mut RawDependencyKind, n: usize
            ) -> RawStatus;
            fmi3GetFMUState = get_fmu_state(i: Instance, state: *mut FmuState) -> RawStatus;
            fmi3SetFMUState = set_fmu_state(i: Instance, state: FmuState) -> RawStatus;
            fmi3FreeFMUState = free_fmu_state(i: Instance, state: *mut FmuState) -> RawStatus;
            fmi3SerializedFMUStateSize = serialized_fmu_state_size(i: Instance, state: FmuState, size: *mut usize) -> RawStatus;
            fmi3SerializeFMUState = serialize_fmu_state(i: Instance, state: FmuState, bytes: *mut Byte, n: usize) -> RawStatus;
            fmi3DeserializeFMUState = deserialize_fmu_state(
                i: Instance, bytes: *const Byte, n: usize, state: *mut FmuState
            ) -> RawStatus;
            fmi3GetDirectionalDerivative = get_directional_derivative(
                i: Instance, unknowns: *const ValueReference, n_unknowns: usize, knowns: *const ValueReference, n_knowns: usize,
                seeds: *const Float64, n_seeds: usize, sensitivities: *mut Float64, n_sensitivities: usize
            ) -> RawStatus;
            fmi3GetAdjointDerivative = get_adjoint_derivative(
                i: Instance, unknowns: *const ValueReference, n_unknowns: usize, knowns: *const ValueReference, n_knowns: usize,
                seeds: *const Float64, n_seeds: usize, sensitivities: *mut Float64, n_sensitivities: usize
            ) -> RawStatus;
            fmi3EnterConfigurationMode = enter_configuration_mode(i: Instance) -> RawStatus;
            fmi3ExitConfigurationMode = exit_configuration_mode(i: Instance) -> RawStatus;
            fmi3GetIntervalDecimal = get_interval_decimal(
                i: Instance, vr: *const ValueReference, n: usize, intervals: *mut Float64, qualifiers: *mut RawIntervalQualifier
            ) -> RawStatus;
            fmi3GetIntervalFraction = get_interval_fraction(
                i: Instance, vr: *const ValueReference, n: usize, counters: *mut UInt64, resolutions: *mut UInt64,
                qualifiers: *mut RawIntervalQualifier
            ) -> RawStatus;
            fmi3GetShiftDecimal = get_shift_decimal(
                i: Instance, vr: *const ValueReference, n: usize, shifts: *mut Float64
            ) -> RawStatus;
            fmi3GetShiftFraction = get_shift_fraction(
                i: Instance, vr: *const ValueReference, n: usize, counters: *mut UInt64, resolutions: *mut UInt64
            ) -> RawStatus;
            fmi3SetIntervalDecimal = set_interval_decimal(
                i: Instance, vr: *const ValueReference, n: usize, intervals: *const Float64
            ) -> RawStatus;
            fmi3SetIntervalFraction = set_interval_fraction(
                i: Instance, vr: *const ValueReference, n: usize, counters: *const UInt64, resolutions: *const UInt64
            ) -> RawStatus;
            fmi3SetShiftDecimal = set_shift_decimal(
                i: Instance, vr: *const ValueReference, n: usize, shifts: *const Float64
            ) -> RawStatus;
            fmi3SetShiftFraction = set_shift_fraction(
                i: Instance, vr: *const ValueReference, n: usize, counters: *const UInt64, resolutions: *const UInt64
            ) -> RawStatus;
            fmi3EvaluateDiscreteStates = evaluate_discrete_states(i: Instance) -> RawStatus;
            fmi3UpdateDiscreteStates = update_discrete_states(
                i: Instance, need_update: *mut Boolean, terminate: *mut Boolean, nominals_changed: *mut Boolean,
                values_changed: *mut Boolean, next_defined: *mut Boolean, next: *mut Float64
            ) -> RawStatus;
            fmi3EnterContinuousTimeMode = enter_continuous_time_mode(i: Instance) -> RawStatus;
            fmi3CompletedIntegratorStep = completed_integrator_step(
                i: Instance, commit: Boolean, enter_event_mode: *mut Boolean, terminate: *mut Boolean
            ) -> RawStatus;
            fmi3SetTime = set_time(i: Instance, time: Float64) -> RawStatus;
            fmi3SetContinuousStates = set_continuous_states(i: Instance, x: *const Float64, n: usize) -> RawStatus;
            fmi3GetContinuousStateDerivatives = get_continuous_state_derivatives(
                i: Instance, dx: *mut Float64, n: usize
            ) -> RawStatus;
            fmi3GetEventIndicators = get_event_indicators(i: Instance, z: *mut Float64, n: usize) -> RawStatus;
            fmi3GetContinuousStates = get_continuous_states(i: Instance, x: *mut Float64, n: usize) -> RawStatus;
            fmi3GetNominalsOfContinuousStates = get_nominals_of_continuous_states(
                i: Instance, nominals: *mut Float64, n: usize
            ) -> RawStatus;
            fmi3GetNumberOfEventIndicators = get_number_of_event_indicators(i: Instance, n: *mut usize) -> RawStatus;
            fmi3GetNumberOfContinuousStates = get_number_of_continuous_states(i: Instance, n: *mut usize) -> RawStatus;
            fmi3EnterStepMode = enter_step_mode(i: Instance) -> RawStatus;
            fmi3GetOutputDerivatives = get_output_derivatives(
                i: Instance, vr: *const ValueReference, n: usize, orders: *const Int32, values: *mut Float64, n_values: usize
            ) -> RawStatus;
            fmi3DoStep = do_step(
                i: Instance, t: Float64, h: Float64, commit: Boolean, event: *mut Boolean, terminate: *mut Boolean, early: *mut Boolean,
                time: *mut Float64
            ) -> RawStatus;
            fmi3ActivateModelPartition = activate_model_partition(i: Instance, clock: ValueReference, time: Float64) -> RawStatus;
        }
    };
    (@functions $version:ident $model:ty, $ffi:path; $($symbol:ident = $entry:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => {
        const _: () = {
            // Named here, where no name of the kit can shadow those of the caller.
            type ExportedModel = $model;

            const _: () = {
                use $crate::entry::$version as entry;
                use $ffi::*;

                type Nothing = ();

                $(
                    #[allow(non_snake_case)]
                    #[unsafe(no_mangle)]
                    unsafe extern "C" fn $symbol($($argument: $type),*) -> $result {
                        // SAFETY: the guarantees of the importer are passed on.
                        unsafe { entry::$entry::<ExportedModel>($($argument),*) }
                    }
                )*
            };
        };
    };
}
