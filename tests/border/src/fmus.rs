//! The FMUs of this project for tests, packed in archives.

use std::{
    fs::File,
    io::{self, Write},
    path::{Path, PathBuf},
};

use fmi2::ModelDescription;
use zip::{ZipWriter, write::SimpleFileOptions};

/// Returns the path of `NAME.fmu` as built by `cargo xtask package-fmus`: in `$LOTKA_FMUS` or in `target/fmus`.
///
/// # Panics
/// Panics if the file does not exist.
pub fn packed(name: &str) -> PathBuf {
    there(&format!("{name}.fmu"), "cargo xtask package-fmus")
}

/// Returns the folder of the FMUs for tests only, as built by `cargo xtask package-fmus --tests`: `tests` beside the others.
///
/// # Panics
/// Panics if the folder does not exist.
pub fn packed_for_tests() -> PathBuf {
    there("tests", "cargo xtask package-fmus --tests")
}

fn there(name: &str, command: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = std::env::var_os("LOTKA_FMUS").map_or_else(|| root.join("target/fmus"), PathBuf::from);
    let path = folder.join(name);
    path.canonicalize().unwrap_or_else(|error| panic!("{}: {error}; run `{command}`", path.display()))
}

/// Writes a `.fmu` that contains only a model description, for tests that load no library.
///
/// # Panics
/// Panics if the file cannot be written.
pub fn archive_of(description: &ModelDescription, folder: &Path, name: &str) -> PathBuf {
    let path = folder.join(format!("{name}.fmu"));
    let write = || -> io::Result<()> {
        let mut archive = ZipWriter::new(File::create(&path)?);
        archive.start_file("modelDescription.xml", SimpleFileOptions::default())?;
        archive.write_all(description.to_xml().as_bytes())?;
        archive.finish()?;
        Ok(())
    };
    write().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    path
}
