//! The functions of a library.

use std::{ffi::CStr, path::Path};

use fmi3::{
    Function,
    ffi::{self, Functions},
    with_functions,
};

use crate::{Error, Warning, last_call::LastCall, loading::file_name, platform::Library};

/// Returns the functions of a library of the FMU at `fmu`, which stay valid as long as the process lives.
pub(crate) fn functions(fmu: &Path, path: &Path, library: &Library, warnings: &mut Vec<Warning>) -> Result<Functions, Error> {
    let mut lookup = Lookup { library, missing_required: Vec::new(), missing_optional: Vec::new() };
    let functions = lookup.functions();
    let Lookup { missing_required, missing_optional, .. } = lookup;
    let functions = functions.ok_or_else(|| Error::MissingFunctions {
        path: fmu.to_owned(),
        library: file_name(path),
        names: missing_required,
    })?;
    if !missing_optional.is_empty() {
        warnings.push(Warning::MissingFunctions { names: missing_optional });
    }
    check_version(fmu, &functions)?;
    Ok(functions)
}

/// Looks up the functions of co-simulation and records missing ones.
struct Lookup<'a> {
    library: &'a Library,
    missing_required: Vec<&'static str>,
    missing_optional: Vec<&'static str>,
}

macro_rules! look_up {
    (
        required { $($required:ident: $required_type:ident,)* }
        optional { $($optional:ident: $optional_type:ident,)* }
        other { $($other:ident: $other_type:ident,)* }
    ) => {
        /// Returns all functions, or `None` if a required one is missing.
        fn functions(&mut self) -> Option<Functions> {
            $(
                // SAFETY: a symbol with this name has this type in every library that conforms to FMI 3.0 (SECURITY.md).
                let symbol = unsafe { self.library.get::<ffi::$required_type>(concat!("fmi3", stringify!($required_type), "\0")) };
                let $required = symbol.map(|symbol| *symbol).ok();
                if $required.is_none() {
                    self.missing_required.push(concat!("fmi3", stringify!($required_type)));
                }
            )*
            $(
                // SAFETY: as for the required functions.
                let symbol = unsafe { self.library.get::<ffi::$optional_type>(concat!("fmi3", stringify!($optional_type), "\0")) };
                let $optional = symbol.map(|symbol| *symbol).ok();
                if $optional.is_none() {
                    self.missing_optional.push(concat!("fmi3", stringify!($optional_type)));
                }
            )*
            Some(Functions { $($required: $required?,)* $($optional,)* })
        }
    };
}

impl Lookup<'_> {
    with_functions!(look_up);
}

/// Refuses a library for another version of FMI before any further call.
fn check_version(fmu: &Path, functions: &Functions) -> Result<(), Error> {
    LastCall::of_this_thread().begin_with(Function::GetVersion, &fmu.to_string_lossy());
    // SAFETY: the function may be called at any time and takes no arguments.
    let version = unsafe { (functions.get_version)() };
    let version = (!version.is_null()).then(|| {
        // SAFETY: FMI requires a constant text that ends with a NUL character.
        unsafe { CStr::from_ptr(version) }.to_string_lossy().into_owned()
    });
    // Versions of release candidates and of the kit of other tools have a suffix.
    if version.as_deref().is_some_and(|version| version == "3" || version.starts_with("3.")) {
        return Ok(());
    }
    let function = Box::new(Function::GetVersion.into());
    Err(Error::OtherFmi { path: fmu.to_owned(), function, returned: version, expected: "`3.0`" })
}

macro_rules! names_of {
    (
        required { $($required:ident: $required_type:ident,)* }
        optional { $($optional:ident: $optional_type:ident,)* }
        other { $($other:ident: $other_type:ident,)* }
    ) => {
        /// Returns the symbols of the indispensable functions, and those of the others that every library exports.
        pub(crate) fn function_names() -> (&'static [&'static str], &'static [&'static str]) {
            let others = &[
                $(concat!("fmi3", stringify!($optional_type)),)*
                $(concat!("fmi3", stringify!($other_type)),)*
            ];
            (&[$(concat!("fmi3", stringify!($required_type))),*], others)
        }
    };
}

with_functions!(names_of);
