//! The inputs of a run: files with their hashes, and all settings. Start reading at [`Manifest`].

mod file;
mod fmus;
mod settings;

pub use file::{FileDigest, FileIdentity, HashingWriter};
pub use fmus::FmuIdentity;

pub use fmus::{Origin, identify};
pub use settings::complete;

use serde::Serialize;

use lotka_system::SystemDescription;

/// What a run is made from, so that it can be repeated and compared: `lotka::System::manifest`. With serde it becomes JSON or any
/// other format.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let prey = lotka::Fmu::from_functions(fmu_sdk::description::<models::Prey>(), fmu_sdk::functions::<models::Prey>());
/// let manifest = lotka::System::new().instance_of("prey", &prey).stop(10.0).local_tolerance(1e-6).manifest();
/// assert_eq!(manifest.fmus[0].model_name.as_deref(), Some("prey"));
/// assert_eq!(manifest.settings.experiment.max_step, Some(10.0.into()));
/// # Ok(()) }
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Manifest {
    /// The system file; `None` for a system that was put together in Rust.
    pub system: Option<FileIdentity>,
    /// The FMUs, each once, in the order of their first instances.
    pub fmus: Vec<FmuIdentity>,
    /// The files of sources, in the order of the system file.
    pub sources: Vec<SourceIdentity>,
    /// The system with every setting that was left to a default; as it was given if [`Manifest::is_complete`] says so.
    pub settings: SystemDescription,
    /// Whether the settings have their defaults. They have not where the system does not hold together or an FMU cannot be read.
    pub is_complete: bool,
    /// Versions.
    pub versions: Versions,
}

/// The file that a source reads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SourceIdentity {
    /// Name of the source.
    pub name: String,
    /// The file.
    #[serde(flatten)]
    pub file: FileIdentity,
}

/// What ran the system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Versions {
    /// Of this crate.
    pub lotka: &'static str,
    /// Of the standard.
    pub fmi: &'static str,
    /// Operating system.
    pub os: &'static str,
    /// Architecture of the processor.
    pub architecture: &'static str,
}

impl Versions {
    /// Those of this program.
    #[must_use]
    pub fn of_this_program() -> Self {
        Self { lotka: env!("CARGO_PKG_VERSION"), fmi: "2.0", os: std::env::consts::OS, architecture: std::env::consts::ARCH }
    }
}
