//! The functions of a library.

use std::{ffi::CStr, path::Path};

use fmi2::{
    Function,
    ffi::{self, FmiString, Functions},
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
    check_versions(fmu, &functions)?;
    Ok(functions)
}

/// Looks up the 34 functions and records missing ones.
struct Lookup<'a> {
    library: &'a Library,
    missing_required: Vec<&'static str>,
    missing_optional: Vec<&'static str>,
}

macro_rules! look_up {
    (required { $($required:ident: $required_type:ident,)* } optional { $($optional:ident: $optional_type:ident,)* }) => {
        /// Returns all functions, or `None` if a required one is missing.
        fn functions(&mut self) -> Option<Functions> {
            $(
                // SAFETY: a symbol with this name has this type in every library that conforms to FMI 2.0 (SECURITY.md).
                let symbol = unsafe { self.library.get::<ffi::$required_type>(concat!("fmi2", stringify!($required_type), "\0")) };
                let $required = symbol.map(|symbol| *symbol).ok();
                if $required.is_none() {
                    self.missing_required.push(concat!("fmi2", stringify!($required_type)));
                }
            )*
            $(
                // SAFETY: as for the required functions.
                let symbol = unsafe { self.library.get::<ffi::$optional_type>(concat!("fmi2", stringify!($optional_type), "\0")) };
                let $optional = symbol.map(|symbol| *symbol).ok();
                if $optional.is_none() {
                    self.missing_optional.push(concat!("fmi2", stringify!($optional_type)));
                }
            )*
            Some(Functions { $($required: $required?,)* $($optional,)* })
        }
    };
}

impl Lookup<'_> {
    with_functions!(look_up);
}

/// Refuses a library for another version of FMI, or with other C types, before any further call.
fn check_versions(fmu: &Path, functions: &Functions) -> Result<(), Error> {
    let (last_call, path) = (LastCall::of_this_thread(), fmu.to_string_lossy());
    last_call.begin_with(Function::GetTypesPlatform, &path);
    // SAFETY: the function may be called at any time and takes no arguments.
    let platform = text(unsafe { (functions.get_types_platform)() });
    last_call.begin_with(Function::GetVersion, &path);
    // SAFETY: as above.
    let version = text(unsafe { (functions.get_version)() });
    let other = |function: Function, returned, expected| {
        Err(Error::OtherFmi { path: fmu.to_owned(), function: Box::new(function.into()), returned, expected })
    };
    if platform.as_deref() != Some("default") {
        return other(Function::GetTypesPlatform, platform, "`default`");
    }
    if !version.as_deref().is_some_and(|version| version == "2.0" || version.starts_with("2.0.")) {
        return other(Function::GetVersion, version, "`2.0`");
    }
    Ok(())
}

fn text(pointer: FmiString) -> Option<String> {
    if pointer.is_null() {
        return None;
    }
    // SAFETY: FMI requires a constant text that ends with a NUL character.
    let text = unsafe { CStr::from_ptr(pointer) };
    Some(text.to_string_lossy().into_owned())
}

macro_rules! names_of {
    (required { $($required:ident: $required_type:ident,)* } optional { $($optional:ident: $optional_type:ident,)* }) => {
        /// Returns the symbols of the indispensable functions, and those of the others that every library exports.
        pub(crate) fn function_names() -> (&'static [&'static str], &'static [&'static str]) {
            (&[$(concat!("fmi2", stringify!($required_type))),*], &[$(concat!("fmi2", stringify!($optional_type))),*])
        }
    };
}

with_functions!(names_of);
