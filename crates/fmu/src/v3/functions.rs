//! The functions of a library for FMI 3.0.

use std::path::Path;

use fmi3::{Function, ffi::Functions, with_functions};

use crate::loading::{check_answer, find, lookup};
use crate::{Error, Warning, platform::Library};

with_functions!(self::lookup, { fmi3::ffi });

/// Returns the functions of a library of the FMU at `fmu`, which stay valid as long as the process lives.
pub(crate) fn functions(fmu: &Path, path: &Path, library: &Library, warnings: &mut Vec<Warning>) -> Result<Functions, Error> {
    let functions = find((fmu, path), |missing| look_up(library, missing), warnings)?;
    // Versions of release candidates and of the kit of other tools have a suffix.
    let is_version = |version: &str| version == "3" || version.starts_with("3.");
    // SAFETY: a function of the library.
    unsafe { check_answer(fmu, (Function::GetVersion, functions.get_version), is_version, "`3.0`") }?;
    Ok(functions)
}
