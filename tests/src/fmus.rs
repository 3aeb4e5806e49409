//! The FMUs of this project for tests: packed in archives, or linked statically.

use std::{
    fs::File,
    io::{self, Write},
    path::{Path, PathBuf},
};

use fmi2::ModelDescription;
use fmu::Fmu;
use fmu_sdk::Model;
use lotka::System;
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
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
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

/// Returns an FMU of this kit, linked statically: without archive and library.
pub fn joined<M: Model>() -> Fmu {
    Fmu::from_functions(fmu_sdk::description::<M>(), fmu_sdk::functions::<M>())
}

/// Does the same for FMI 3.0.
pub fn joined_fmi3<M: Model>() -> Fmu {
    Fmu::from_fmi3_functions(fmu_sdk::fmi3::description::<M>(), fmu_sdk::fmi3::functions::<M>())
}

/// Returns prey and predator, statically linked and coupled, until t = 100 s; prey steps first.
pub fn predator_prey() -> System {
    couple(&joined::<models::Prey>(), &joined::<models::Predator>()).stop(100.0)
}

/// Couples a prey and a predator; prey steps first.
pub fn couple(prey: &Fmu, predator: &Fmu) -> System {
    System::new()
        .instance_of("prey", prey)
        .instance_of("predator", predator)
        .connect("prey.y", "predator.y")
        .connect("predator.x", "prey.x")
}
