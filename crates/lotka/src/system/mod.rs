//! The system: which FMUs, how they are connected, what is asked of the run.
//!
//! [`SystemDescription`] is plain data; front ends make it ([`toml`] from a file, [`System`] from Rust). [`resolve`] holds it against
//! the FMUs' model descriptions and reports every problem at once. Only [`loading`] loads libraries.

mod builder;
mod description;
mod draft;
mod events;
mod execution;
mod files;
mod format;
mod identify;
mod inputs;
mod loading;
mod locate;
mod location;
mod maestro;
mod methods;
mod msim;
mod osp;
pub(crate) mod problem;
pub(crate) mod resolve;
mod save;
mod single;
mod sources;
mod ssp;
mod stepping;
mod text;
pub(crate) mod toml;
mod units;
mod xml;

pub use builder::System;
pub use description::{
    AlgorithmSettings, Compatibility, Connection, Experiment, FeedthroughOutputs, InputDelivery, InstanceSettings, Isolation,
    IsolationSettings, Located, NoConvergence, PowerBondSettings, ResultSettings, SolvedStart, Source, SourceFile, StartSetting,
    StartValue, SystemDescription, UnitSettings,
};
pub use draft::{Draft, DraftInstance, draft, instance_name};
pub use events::{Direction, EventSettings, IndicatorSettings, Level, TimeEvents, Times};
pub use format::is_archive;
pub use inputs::{CsvSettings, Interpolation, Outside, Override, SourceSettings, SourceSignal};
pub use loading::Analysis;
pub use problem::{PLACES_OUTSIDE, Problem, Problems, Severity, Warning};
pub use resolve::UnitConversion;
pub use single::SingleFmu;
