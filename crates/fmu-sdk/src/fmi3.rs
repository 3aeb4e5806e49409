//! The FMU of a model for FMI 3.0. Its counterparts for FMI 2.0 are at the top of the crate.

pub use fmi3::ffi;

use crate::declaration::declared;
use crate::{Error, Model, entry};

/// Returns the functions of FMI 3.0 of `M` as a table, which joins model and importer in one program without a shared library.
pub fn functions<M: Model>() -> ffi::Functions {
    macro_rules! table {
        (
            required { $($required:ident: $required_type:ident,)* }
            optional { $($optional:ident: $optional_type:ident,)* }
            other { $($other:ident: $other_type:ident,)* }
        ) => {
            ffi::Functions {
                $($required: entry::fmi3::$required::<M>,)*
                $($optional: Some(entry::fmi3::$optional::<M>),)*
            }
        };
    }
    fmi3::with_functions!(table)
}

/// Returns the model description of `M` for FMI 3.0, which is the same for every build of the same declaration, including its
/// instantiation token.
#[must_use]
pub fn description<M: Model>() -> fmi3::ModelDescription {
    declared::<M>().fmi3.clone()
}

/// Returns the errors in the declaration of `M`. A model with errors cannot be instantiated; the first one is logged.
#[must_use]
pub fn problems<M: Model>() -> Vec<Error> {
    declared::<M>().problems.clone()
}
