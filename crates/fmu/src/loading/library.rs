//! Loading the shared library. Libraries are never unloaded: threads and exit handlers of an FMU
//! may run until the process ends.

use std::fs::File;
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};

use object::read::ReadCache;

use super::elf;
use super::linkage::Linkage;
use super::names::file_name;
use super::select::libraries_in;
use crate::platform::{Library, Scope, open_library};
use crate::{Error, Warning};

/// Loads a library of the FMU at `fmu`, which stays loaded as long as the process lives.
///
/// `preload_global` is loaded into the global scope first. If the dynamic linker reports a missing dependency, the other
/// libraries in the same folder are loaded before another attempt.
pub(crate) fn open(
    fmu: &Path,
    path: &Path,
    preload_global: &[PathBuf],
    warnings: &mut Vec<Warning>,
) -> Result<ManuallyDrop<Library>, Error> {
    for library in preload_global {
        let preloaded = open_one(library, Scope::Global);
        preloaded.map_err(|reason| Error::Preload { path: fmu.to_owned(), library: library.clone(), reason })?;
    }
    let file = File::open(path).map_err(|reason| Error::Io { path: path.to_owned(), action: "read the library", reason })?;
    elf::check(&ReadCache::new(file)).map_err(|problem| Error::BadLibrary {
        path: fmu.to_owned(),
        library: file_name(path),
        problem,
    })?;
    open_one(path, Scope::Local).or_else(|reason| {
        let libraries = load_neighbors(path);
        let retried = open_one(path, Scope::Local).map_err(|_| load_error(fmu, path, reason))?;
        warnings.push(Warning::NeighborsLoaded { libraries });
        Ok(retried)
    })
}

/// Reads a library of an FMU and those beside it, by file name; what cannot be read is left out, because it cannot be loaded
/// either.
pub(crate) fn libraries_with(path: &Path) -> Vec<(String, Linkage, Vec<u8>)> {
    let beside = path.parent().map(libraries_in).unwrap_or_default();
    let read = |path: &PathBuf| {
        let bytes = std::fs::read(path).ok()?;
        Some((file_name(path), Linkage::read(&bytes).ok()?, bytes))
    };
    beside.iter().filter_map(read).collect()
}

/// Loads all loadable libraries beside `path`, in rounds until a round loads no further one.
fn load_neighbors(path: &Path) -> Vec<String> {
    let mut waiting = path.parent().map(libraries_in).unwrap_or_default();
    waiting
        .retain(|neighbor| neighbor != path && File::open(neighbor).is_ok_and(|file| elf::check(&ReadCache::new(file)).is_ok()));
    let mut loaded = Vec::new();
    loop {
        let before = loaded.len();
        waiting.retain(|neighbor| match open_one(neighbor, Scope::Local) {
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
pub(super) fn open_one(path: &Path, scope: Scope) -> Result<ManuallyDrop<Library>, String> {
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
