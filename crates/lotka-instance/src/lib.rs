//! Instances of a model from the point of view of a co-simulation master, whatever they are and wherever they run.
//!
//! - [`Instance`]: the trait of everything that a master steps, with its outcomes and [`Capabilities`];
//! - [`CallError`], [`Status`], [`Phase`]: errors of calls, and the phases of an instance;
//! - [`InstanceFactory`]: creates instances; [`LocalModel`]: the simplest way to one, a Rust value;
//! - `conformance` (feature of this name): the checks that every implementation must pass;
//! - [`ModelDescription`]: the properties of a model known before it runs;
//! - [`BehaviorRecord`]: what a test run has measured of a model;
//! - [`LogMessage`]: a line logged by an instance.
//!
//! This crate is independent of the versions of FMI. Start reading at [`Instance`].
#![forbid(unsafe_code)]
#![warn(clippy::must_use_candidate, clippy::return_self_not_must_use, clippy::missing_errors_doc, clippy::missing_panics_doc)]

mod behavior;
mod call_error;
#[cfg(feature = "conformance")]
pub mod conformance;
pub mod description;
mod factory;
mod forward;
mod function;
mod instance;
mod isolation;
mod local;
mod log;
mod phase;
mod process_end;
mod reference;
mod shown;
mod status;
mod structure;
mod value;

pub use behavior::{BehaviorRecord, Comparison, OwnSteps, RefusedSizes, Restriction, Rollback, RoundedSizes};
pub use call_error::{CallError, CallResult, Cause, log_tail};
pub use description::ModelDescription;
pub use factory::{InstanceFactory, InstantiateOptions, InstantiationError};
pub use function::FunctionName;
pub use instance::{Capabilities, Discard, DiscreteUpdate, Experiment, Instance, Slot, SplitStep, StepOutcome, time_rounding};
pub use isolation::{HostOptions, Sandbox};
pub use local::{LocalFactory, LocalModel};
pub use log::{LogMessage, LogSink};
pub use phase::Phase;
pub use process_end::ProcessEnd;
pub use reference::{BinaryRef, BooleanRef, IntegerRef, RealRef, StringRef};
pub use shown::Shown;
pub use status::{Status, UnknownStatus};
pub use structure::{Structure, StructureError};
pub use value::TypedValue;
