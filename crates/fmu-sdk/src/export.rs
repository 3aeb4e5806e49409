//! The functions of a model as a table, and as the C symbols of a library, from the lists of functions of `fmi2` and `fmi3`.

use fmi2::ffi::Functions;

use crate::{Error, Model, declaration::declared};

/// The table of the functions of one version.
macro_rules! table {
    ($version:ident $prefix:literal
        required { $($required:ident: $required_type:ident $r:tt -> $rr:ty;)* }
        optional { $($optional:ident: $optional_type:ident $o:tt -> $or:ty;)* }
        other { $($other:ident: $other_type:ident $h:tt -> $hr:ty;)* }
    ) => {
        Functions {
            $($required: crate::entry::$version::$required::<M>,)*
            $($optional: Some(crate::entry::$version::$optional::<M>),)*
        }
    };
}
pub(crate) use table;

/// Returns the functions of FMI 2.0 of `M` as a table, which joins model and importer in one program without a shared library.
pub fn functions<M: Model>() -> Functions {
    fmi2::with_functions!(self::table, fmi2)
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
        $crate::with_fmi2_functions!($crate::export, { fmi2 $model, $crate::ffi });
        $crate::with_fmi3_functions!($crate::export, { fmi3 $model, $crate::fmi3::ffi });
    };
    ({ $version:ident $model:ty, $ffi:path } $prefix:literal $($group:ident { $(
        $function:ident: $name:ident($($argument:ident: $type:ty),*) -> $result:ty;
    )* })*) => {
        const _: () = {
            // Named here, where no name of the kit can shadow those of the caller.
            type ExportedModel = $model;

            const _: () = {
                use $crate::entry::$version as entry;
                use $ffi::*;

                $($(
                    #[unsafe(export_name = concat!($prefix, stringify!($name)))]
                    unsafe extern "C" fn $function($($argument: $type),*) -> $result {
                        // SAFETY: the guarantees of the importer are passed on.
                        unsafe { entry::$function::<ExportedModel>($($argument),*) }
                    }
                )*)*
            };
        };
    };
}
