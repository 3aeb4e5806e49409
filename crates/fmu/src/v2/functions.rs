//! The functions of a library for FMI 2.0.

use std::path::Path;

use fmi2::{Function, ffi::Functions, with_functions};

use crate::loading::{check_answer, find, lookup};
use crate::{Error, Warning, platform::Library};

with_functions!(self::lookup, { fmi2::ffi });

/// Returns the functions of a library of the FMU at `fmu`, which stay valid as long as the process lives.
pub(crate) fn functions(fmu: &Path, path: &Path, library: &Library, warnings: &mut Vec<Warning>) -> Result<Functions, Error> {
    let functions = find((fmu, path), |missing| look_up(library, missing), warnings)?;
    let is_version = |version: &str| version == "2.0" || version.starts_with("2.0.");
    let (platform, version) = (functions.get_types_platform, functions.get_version);
    // SAFETY: a function of the library.
    unsafe { check_answer(fmu, (Function::GetTypesPlatform, platform), |platform| platform == "default", "`default`") }?;
    // SAFETY: as above.
    unsafe { check_answer(fmu, (Function::GetVersion, version), is_version, "`2.0`") }?;
    Ok(functions)
}
