//! What both sides of FMI 2.0 co-simulation share, without a line of `unsafe`.
//!
//! - [`ffi`]: the C types and the 34 function types of a co-simulation FMU;
//! - [`Function`], [`Phase`], [`Status`]: the call table of the standard and the checked statuses;
//! - [`description`]: `modelDescription.xml` read, checked and written;
//! - [`limits`]: what files of others may at most contain, in every format;
//! - [`Instance`]: one instantiated FMU as the master sees it, wherever it runs.
//!
//! Start reading at [`Instance`]. Source of all rules: Functional Mock-up Interface for Model Exchange and
//! Co-Simulation, version 2.0.5, Modelica Association (2024).
#![forbid(unsafe_code)]
#![warn(clippy::must_use_candidate, clippy::return_self_not_must_use, clippy::missing_errors_doc, clippy::missing_panics_doc)]

mod call_error;
mod call_table;
pub mod description;
pub mod ffi;
mod instance;
pub mod limits;
mod log;
mod process_end;
mod reference;
mod status;

pub use call_error::{CallError, CallResult, Cause};
pub use call_table::{Function, Phase};
pub use description::{ModelDescription, Problem, Problems, Reading, Severity, Strictness};
pub use instance::{Capabilities, Discard, Experiment, Instance, Slot, StepOutcome};
pub use log::{LogMessage, LogSink};
pub use process_end::ProcessEnd;
pub use reference::{BooleanRef, IntegerRef, RealRef, StringRef};
pub use status::{Status, UnknownStatus};
