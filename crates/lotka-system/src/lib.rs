//! Systems of coupled models: their description, the files that it is read from and written to, and its checks against the
//! models.
//!
//! [`SystemDescription`] is plain data. [`read`] makes it from a system file in TOML, or, with the feature `ssp`, from a system
//! structure of SSP; the crate `lotka-formats` reads files of other masters. [`resolve`] checks it against the descriptions of
//! the models, reports all problems at once, and returns the input of a simulation. This crate loads no library.
#![forbid(unsafe_code)]
#![warn(clippy::must_use_candidate, clippy::return_self_not_must_use, clippy::missing_errors_doc, clippy::missing_panics_doc)]

mod description;
mod draft;
mod error;
mod events;
mod format;
mod hex;
mod inputs;
mod internal_grid;
mod locate;
mod located;
mod location;
mod read;
mod read_result;
mod resolve;
pub mod sources;
#[cfg(feature = "ssp")]
mod ssp;
mod sweep;
pub mod text;
mod toml;
mod units;
#[cfg(feature = "ssp")]
pub mod xml;

pub use description::{
    AlgorithmSettings, Connection, ExperimentSettings, InstanceSettings, Isolation, IsolationSettings, NoConvergence,
    PowerBondSettings, ResultSettings, SolvedStart, StartSetting, StartValue, StepFactorSettings, Summand, SystemDescription,
    UnitSettings,
};
pub use draft::{Draft, DraftInstance, FIXED_STEPS, GivenConnection, draft, instance_name};
pub use error::Error;
pub use events::{EventLevel, EventSettings, IndicatorSettings, TimeEvents, Times};
pub use format::{Format, is_archive};
pub use inputs::{CsvSettings, Interpolation, Outside, Override, SourceSettings, SourceSignal};
pub use internal_grid::{InternalGrid, whole_steps};
pub use located::Located;
pub use location::{Location, Target};
pub use read::{read, read_sweep};
pub use read_result::Read;
pub use resolve::{
    ALL_OUTPUTS, GivenStructure, Guard, check_own_grid, check_unique, experiments, find_stop, held, held_capabilities, resolve,
    resolve_change, resolve_changeable, resolve_isolation, resolve_structure, resolve_variable,
};
#[cfg(feature = "ssp")]
pub use ssp::Document;
pub use sweep::{Axis, Keep, Sample, Sampling, SweepDescription, SweepParameter};
pub use toml::{schema, sweep_schema, write as to_toml};
