//! The functions of a library, of any version of FMI.

use std::ffi::{CStr, c_char};
use std::path::Path;

use super::file_name;
use crate::{Error, Warning, function::Function, last_call::LastCall};

/// The functions that a library lacks.
#[derive(Default)]
pub(crate) struct Missing {
    pub(crate) required: Vec<&'static str>,
    pub(crate) optional: Vec<&'static str>,
}

/// Defines `look_up` and `function_names` from the list of the functions of a version, whose C types are in `$ffi`.
macro_rules! lookup {
    ({ $ffi:path } $prefix:literal
        required { $($required:ident: $required_type:ident $r:tt -> $rr:ty;)* }
        optional { $($optional:ident: $optional_type:ident $o:tt -> $or:ty;)* }
        other { $($other:ident: $other_type:ident $h:tt -> $hr:ty;)* }
    ) => {
        /// Looks up the functions of co-simulation and records missing ones. `None` if a required one is missing.
        fn look_up(library: &$crate::platform::Library, missing: &mut $crate::loading::Missing) -> Option<Functions> {
            use $ffi as ffi;
            $(
                // SAFETY: a symbol with this name has this type in every library that conforms to FMI (SECURITY.md).
                let symbol = unsafe { library.get::<ffi::$required_type>(concat!($prefix, stringify!($required_type), "\0")) };
                let $required = symbol.map(|symbol| *symbol).ok();
                if $required.is_none() {
                    missing.required.push(concat!($prefix, stringify!($required_type)));
                }
            )*
            $(
                // SAFETY: as for the required functions.
                let symbol = unsafe { library.get::<ffi::$optional_type>(concat!($prefix, stringify!($optional_type), "\0")) };
                let $optional = symbol.map(|symbol| *symbol).ok();
                if $optional.is_none() {
                    missing.optional.push(concat!($prefix, stringify!($optional_type)));
                }
            )*
            Some(Functions { $($required: $required?,)* $($optional,)* })
        }

        /// Returns the symbols of the indispensable functions, and those of the others that every library exports.
        pub(crate) fn function_names() -> (&'static [&'static str], &'static [&'static str]) {
            let others = &[
                $(concat!($prefix, stringify!($optional_type)),)*
                $(concat!($prefix, stringify!($other_type)),)*
            ];
            (&[$(concat!($prefix, stringify!($required_type))),*], others)
        }
    };
}
pub(crate) use lookup;

/// Returns what `look_up` finds in the library at `path` of the FMU at `fmu`, or an error that names the missing functions.
pub(crate) fn find<F>(
    (fmu, path): (&Path, &Path),
    look_up: impl FnOnce(&mut Missing) -> Option<F>,
    warnings: &mut Vec<Warning>,
) -> Result<F, Error> {
    let mut missing = Missing::default();
    let functions = look_up(&mut missing);
    let Missing { required, optional } = missing;
    let lacking = || Error::MissingFunctions { path: fmu.to_owned(), library: file_name(path), names: required };
    let functions = functions.ok_or_else(lacking)?;
    if !optional.is_empty() {
        warnings.push(Warning::MissingFunctions { names: optional });
    }
    Ok(functions)
}

/// Refuses a library for another version of FMI, or with other C types, before any further call: calls `call`, which is
/// `function`, and checks what it returns. `expected` is the right answer in messages.
///
/// # Safety
/// The function takes no arguments and returns NULL or a constant text that ends with NUL, as FMI requires.
pub(crate) unsafe fn check_answer(
    fmu: &Path,
    (function, call): (impl Function, unsafe extern "C" fn() -> *const c_char),
    is_right: impl FnOnce(&str) -> bool,
    expected: &'static str,
) -> Result<(), Error> {
    LastCall::of_this_thread().begin_with(function, &fmu.to_string_lossy());
    // SAFETY: the function may be called at any time and takes no arguments.
    let answer = unsafe { call() };
    let returned = (!answer.is_null()).then(|| {
        // SAFETY: a text that ends with NUL.
        unsafe { CStr::from_ptr(answer) }.to_string_lossy().into_owned()
    });
    match returned {
        Some(text) if is_right(&text) => Ok(()),
        returned => Err(Error::OtherFmi { path: fmu.to_owned(), function: Box::new(function.into()), returned, expected }),
    }
}
