//! The FMUs of this project for tests: packed in archives, or joined statically.

use std::path::{Path, PathBuf};

use fmu::Fmu;
use fmu_sdk::Model;
use lotka::System;

/// Path of `NAME.fmu` as made by `cargo xtask package-fmus`: in `$LOTKA_FMUS` or in `target/fmus`.
///
/// # Panics
/// The file is not there.
pub fn packed(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folder = std::env::var_os("LOTKA_FMUS").map_or_else(|| root.join("target/fmus"), PathBuf::from);
    let path = folder.join(format!("{name}.fmu"));
    path.canonicalize().unwrap_or_else(|error| panic!("{}: {error}; run `cargo xtask package-fmus`", path.display()))
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
