//! A simulation: built from a resolved system and loaded FMUs, run by the driver.

mod build;
mod cancel;
mod describe;
mod driver;
mod inputs;
mod log_queue;
mod noise;
mod probe;
mod profile;
mod refuse;
mod report;
mod run;
mod scenario;
mod single;
mod stepping;
mod verified;

pub(crate) use build::{Watch, build};
pub use cancel::CancelToken;
pub use report::{Counters, End, InstanceReport, Report, RunFailure};
pub use run::Simulation;
pub use verified::{GlobalError, OutputError};
