//! The choice of the FMU's library among the unpacked files.

use std::env::consts::DLL_EXTENSION;
use std::fs;
use std::path::{Path, PathBuf};

use super::names::{file_name, is_library_name};
use crate::{Description, Error, Warning};

/// The folder below `binaries` for this platform. For Windows and macOS only the name is known; nothing was ever built or run
/// there. FMI 2.0 defines 64-bit x86 only; for other machines with Linux the names of FMI 3.0 are used.
pub const PLATFORM: &str = if cfg!(target_os = "windows") {
    "win64"
} else if cfg!(target_os = "macos") {
    "darwin64"
} else if cfg!(target_arch = "x86_64") {
    "linux64"
} else if cfg!(target_arch = "riscv64") {
    "riscv64-linux"
} else {
    "aarch64-linux"
};

/// Like [`PLATFORM`], for FMUs of FMI 3.0.
pub const PLATFORM_OF_FMI3: &str = if cfg!(all(target_os = "windows", target_arch = "aarch64")) {
    "aarch64-windows"
} else if cfg!(target_os = "windows") {
    "x86_64-windows"
} else if cfg!(all(target_os = "macos", target_arch = "aarch64")) {
    "aarch64-darwin"
} else if cfg!(target_os = "macos") {
    "x86_64-darwin"
} else if cfg!(target_arch = "x86_64") {
    "x86_64-linux"
} else if cfg!(target_arch = "riscv64") {
    "riscv64-linux"
} else {
    "aarch64-linux"
};

/// The folder below `binaries` for this platform and the version of this description.
pub(crate) fn platform(description: &Description) -> &'static str {
    match description {
        Description::V2(_) => PLATFORM,
        Description::V3(_) => PLATFORM_OF_FMI3,
    }
}

/// Returns the library with the name of the model identifier; otherwise the only one present, with a warning.
pub(crate) fn select(
    fmu: &Path,
    folder: &Path,
    description: &Description,
    warnings: &mut Vec<Warning>,
) -> Result<PathBuf, Error> {
    let (identifier, platform) = (description.check_use(fmu)?, platform(description));
    let binaries = folder.join("binaries").join(platform);
    let expected = format!("{identifier}.{DLL_EXTENSION}");
    let exact = binaries.join(&expected);
    if exact.is_file() {
        return Ok(exact);
    }
    let mut found = libraries_in(&binaries);
    match found.len() {
        0 => Err(Error::NoBinary { path: fmu.to_owned(), wanted: platform, present: platforms(folder) }),
        1 => {
            let library = found.remove(0);
            warnings.push(Warning::LibraryName { expected, found: file_name(&library) });
            Ok(library)
        }
        _ => {
            let found = found.iter().map(|path| file_name(path)).collect();
            Err(Error::AmbiguousLibrary { path: fmu.to_owned(), platform, expected, found })
        }
    }
}

/// The platforms with files, by the names of the folders below `binaries`.
fn platforms(folder: &Path) -> Vec<String> {
    let folders = fs::read_dir(folder.join("binaries")).into_iter().flatten().flatten().map(|entry| entry.path());
    let has_files = |path: &PathBuf| fs::read_dir(path).is_ok_and(|mut files| files.next().is_some());
    let mut names: Vec<_> = folders.filter(has_files).map(|path| file_name(&path)).collect();
    names.sort();
    names
}

/// The shared libraries in a folder, by name.
pub(super) fn libraries_in(folder: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(folder).into_iter().flatten().flatten().map(|file| file.path());
    let mut libraries: Vec<_> = files.filter(|path| path.is_file() && is_library_name(&file_name(path))).collect();
    libraries.sort();
    libraries
}
