//! A single list of the 34 functions with their arguments, and the code generated from it.

use fmi2::ffi::Functions;

use crate::{Error, Model, declaration::declared, entry};

/// Returns the exported functions of `M` as a table, which joins model and importer in one program without a shared library.
pub fn functions<M: Model>() -> Functions {
    macro_rules! table {
        (required { $($required:ident: $required_type:ident,)* } optional { $($optional:ident: $optional_type:ident,)* }) => {
            Functions {
                $($required: entry::$required::<M>,)*
                $($optional: Some(entry::$optional::<M>),)*
            }
        };
    }
    fmi2::with_functions!(table)
}

/// Returns the model description of `M`, which is the same for every build of the same declaration, including its GUID.
#[must_use]
pub fn description<M: Model>() -> fmi2::ModelDescription {
    declared::<M>().description.clone()
}

/// Returns the errors in the declaration of `M`. A model with errors cannot be instantiated; the first one is logged.
#[must_use]
pub fn problems<M: Model>() -> Vec<Error> {
    declared::<M>().problems.clone()
}

/// Exports a [`Model`] as an FMI 2.0 co-simulation FMU: the complete contents of a `cdylib` crate.
///
/// The crate needs `crate-type = ["cdylib"]` and must have the name [`Model::NAME`]. No other library may depend on it, because two libraries
/// with the same C symbols do not link together. A program that packs the FMU may do so, with `crate-type = ["cdylib", "rlib"]`.
///
/// ```text
/// fmu_sdk::export!(models::Prey);
/// ```
#[macro_export]
macro_rules! export {
    ($model:ty) => {
        $crate::export! { @functions $model;
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
    };
    (@functions $model:ty; $($symbol:ident = $entry:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => {
        const _: () = {
            // Named here, where no name of the kit can shadow those of the caller.
            type ExportedModel = $model;

            const _: () = {
                use $crate::entry;
                use $crate::ffi::*;

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
