//! The FMUs of this project for tests: packed in archives, or joined statically.

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

/// Path of `NAME.fmu` as made by `cargo xtask package-fmus`: in `$LOTKA_FMUS` or in `target/fmus`.
///
/// # Panics
/// The file is not there.
pub fn packed(name: &str) -> PathBuf {
    there(&format!("{name}.fmu"), "cargo xtask package-fmus")
}

/// Folder of the FMUs that only tests couple, as made by `cargo xtask package-fmus --tests`: `tests` beside the others.
///
/// # Panics
/// It is not there.
pub fn packed_for_tests() -> PathBuf {
    there("tests", "cargo xtask package-fmus --tests")
}

fn there(name: &str, command: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folder = std::env::var_os("LOTKA_FMUS").map_or_else(|| root.join("target/fmus"), PathBuf::from);
    let path = folder.join(name);
    path.canonicalize().unwrap_or_else(|error| panic!("{}: {error}; run `{command}`", path.display()))
}

/// A `.fmu` with a model description and nothing else: enough for whatever loads no library.
///
/// # Panics
/// The file cannot be written.
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

/// An FMU of this kit without archive and library.
pub fn joined<M: Model>() -> Fmu {
    Fmu::from_functions(fmu_sdk::description::<M>(), fmu_sdk::functions::<M>())
}

/// Prey and predator, joined statically and coupled, until t = 100 s; prey steps first.
pub fn predator_prey() -> System {
    couple(&joined::<models::Prey>(), &joined::<models::Predator>()).stop(100.0)
}

/// A prey and a predator, coupled; prey steps first.
pub fn couple(prey: &Fmu, predator: &Fmu) -> System {
    System::new()
        .instance_of("prey", prey)
        .instance_of("predator", predator)
        .connect("prey.y", "predator.y")
        .connect("predator.x", "prey.x")
}
