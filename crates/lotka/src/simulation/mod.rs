//! A simulation: built from a resolved system and loaded FMUs, run by the driver.

mod build;
mod cancel;
mod checkpoints;
mod describe;
mod driver;
mod events;
mod inputs;
mod loaded;
mod log_queue;
mod mesh;
mod noise;
mod prepare;
mod probe;
mod profile;
mod progress;
mod refuse;
mod report;
mod run;
mod scenario;
mod schedule;
mod single;
mod stepping;
mod verified;

pub(crate) use build::{Watch, build};
pub use cancel::CancelToken;
pub(crate) use inputs::Settled;
pub(crate) use loaded::Loaded;
pub use prepare::FoundStart;
pub(crate) use prepare::Prepared;
pub use progress::{ProgressToken, RunProgress};
pub use report::{Counters, End, InstanceReport, PowerBondReport, Report, RunFailure};
pub use run::Simulation;
pub(crate) use scenario::Scenario;
pub use verified::{GlobalError, OutputError};
