//! One instance of a model as a co-simulation master sees it, whatever it is and wherever it runs.
//!
//! - [`Instance`]: the trait that a master steps, with its outcomes and [`Capabilities`];
//! - [`CallError`], [`Status`], [`Phase`]: what can go wrong in a call, and where in its life an instance is;
//! - [`InstanceFactory`]: what makes instances; [`LocalModel`]: the short way to one, a Rust value;
//! - `conformance` (feature of this name): the checks that every implementation passes;
//! - [`ModelDescription`]: what is known of a model before it runs;
//! - [`LogMessage`]: a line that an instance logs.
//!
//! Nothing here belongs to a version of FMI. Start reading at [`Instance`].
#![forbid(unsafe_code)]
#![warn(clippy::must_use_candidate, clippy::return_self_not_must_use, clippy::missing_errors_doc, clippy::missing_panics_doc)]

mod call_error;
#[cfg(feature = "conformance")]
pub mod conformance;
pub mod description;
mod factory;
mod function;
mod instance;
mod isolation;
mod local;
mod log;
mod phase;
mod process_end;
mod reference;
mod status;

pub use call_error::{CallError, CallResult, Cause};
pub use description::ModelDescription;
pub use factory::{InstanceFactory, InstantiateOptions, InstantiationError};
pub use function::FunctionName;
pub use instance::{Capabilities, Discard, Experiment, Instance, Slot, StepOutcome};
pub use isolation::{HostOptions, Sandbox};
pub use local::{LocalFactory, LocalModel};
pub use log::{LogMessage, LogSink};
pub use phase::Phase;
pub use process_end::ProcessEnd;
pub use reference::{BooleanRef, IntegerRef, RealRef, StringRef};
pub use status::{Status, UnknownStatus};
