//! Loading the shared library and finding its functions. Libraries are never unloaded: threads and exit handlers of an FMU
//! may run until the process ends.

use std::ffi::CStr;
use std::fs::File;
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};

use object::read::ReadCache;

use super::elf;
use super::select::{file_name, libraries_in};
use crate::last_call::LastCall;
use crate::platform::{Library, Scope, open_library};
use crate::{Error, Warning};
use fmi2::ffi::{self, FmiString, Functions};
use fmi2::{Function, with_functions};

/// Loads a library of the FMU at `fmu` and returns its functions, which stay valid as long as the process lives.
///
/// `preload_global` is loaded into the global scope first. If the dynamic linker reports a missing dependency, the other libraries
/// in the same folder are loaded before another attempt.
pub(crate) fn load(fmu: &Path, path: &Path, preload_global: &[PathBuf], warnings: &mut Vec<Warning>) -> Result<Functions, Error> {
    for library in preload_global {
        let preloaded = open(library, Scope::Global);
        preloaded.map_err(|reason| Error::Preload { path: fmu.to_owned(), library: library.clone(), reason })?;
    }
    let file = File::open(path).map_err(|reason| Error::Io { path: path.to_owned(), action: "read the library", reason })?;
    elf::check(&ReadCache::new(file)).map_err(|problem| Error::BadLibrary {
        path: fmu.to_owned(),
        library: file_name(path),
        problem,
    })?;
    let library = open(path, Scope::Local).or_else(|reason| {
        let libraries = load_neighbors(path);
        let retried = open(path, Scope::Local).map_err(|_| load_error(fmu, path, reason))?;
        warnings.push(Warning::NeighborsLoaded { libraries });
        Ok(retried)
    })?;
    let mut lookup = Lookup { library: &library, missing_required: Vec::new(), missing_optional: Vec::new() };
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

/// Loads all loadable libraries beside `path`, in rounds until a round loads no further one.
fn load_neighbors(path: &Path) -> Vec<String> {
    let mut waiting = path.parent().map(libraries_in).unwrap_or_default();
    waiting
        .retain(|neighbor| neighbor != path && File::open(neighbor).is_ok_and(|file| elf::check(&ReadCache::new(file)).is_ok()));
    let mut loaded = Vec::new();
    loop {
        let before = loaded.len();
        waiting.retain(|neighbor| match open(neighbor, Scope::Local) {
            Ok(_) => {
                loaded.push(file_name(neighbor));
                false
            }
            Err(_) => true,
        });
        if loaded.len() == before {
            return loaded;
        }
    }
}

/// Opens a library permanently.
pub(super) fn open(path: &Path, scope: Scope) -> Result<ManuallyDrop<Library>, String> {
    // SAFETY: the initialization routines of an FMU and of the libraries it needs are trusted like the rest of its code
    // (SECURITY.md); the termination routines run at the end of the process only, as the library is never closed.
    let opened = unsafe { open_library(path, scope) };
    opened.map(ManuallyDrop::new).map_err(|error| match error {
        libloading::Error::DlOpen { source } => source.to_string(),
        other => other.to_string(),
    })
}

fn load_error(fmu: &Path, library: &Path, reason: String) -> Error {
    Error::Load { path: fmu.to_owned(), library: file_name(library), reason }
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
    let other = |function, returned, expected| Err(Error::OtherFmi { path: fmu.to_owned(), function, returned, expected });
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
