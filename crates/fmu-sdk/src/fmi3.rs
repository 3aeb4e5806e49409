//! The FMU of a model for FMI 3.0. Its counterparts for FMI 2.0 are at the top of the crate.

pub use fmi3::ffi;

use self::ffi::Functions;
use crate::declaration::declared;
use crate::export::table;
use crate::{Error, Model};

/// Returns the functions of FMI 3.0 of `M` as a table, which joins model and importer in one program without a shared library.
pub fn functions<M: Model>() -> Functions {
    fmi3::with_functions!(self::table, fmi3)
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
