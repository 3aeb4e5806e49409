//! A simulation: built from a resolved system and loaded FMUs, run by the driver.

mod build;
mod cancel;
mod driver;
mod log_queue;
mod profile;
mod refuse;
mod report;
mod stepping;

pub use build::Simulation;
pub(crate) use build::{Watch, build};
pub use cancel::CancelToken;
pub use report::{Counters, End, InstanceReport, Report, RunFailure};
