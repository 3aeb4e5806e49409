//! One run of coupled instances: from its preparation to its report.
//!
//! ```text
//! Setup -> Simulation -> prepare -> initialize -> run loop -> report
//! run loop: save -> propose h -> attempt -> events -> error test -> accept | roll back
//! ```
//!
//! A [`Simulation`] runs as often as it is asked to: as a whole, or in pieces as a [`Session`]. Observers ([`record`]) receive
//! everything that happens, and cannot change it. The crate reads no file, knows no format and reads no clock. Start reading at
//! [`Simulation`], then at `run_loop/mod.rs`.
//!
//! - The run loop alone owns time, accept and reject, and counters. It knows no method by name. It is compiled twice: most runs
//!   are plain, without events, known jumps, bonds or checkpoints.
//! - An event shortens a step: the loop rolls back and tries shorter steps until the bracket is narrow. It keeps the step that
//!   ends where an instance has reacted, or else strictly past the level, and restarts everything that uses the past. Discrete
//!   values are held meanwhile, because reacting instances step last.
//! - `schedule.rs` ends steps at jumps and kinks that are known before they are tried, so that nothing is rolled back for them.
//! - The runs for a `tolerance` are made by a floor above ([`Series`]).
#![forbid(unsafe_code)]
#![warn(clippy::must_use_candidate, clippy::return_self_not_must_use, clippy::missing_errors_doc, clippy::missing_panics_doc)]

mod build;
mod cancel;
mod checkpoint;
mod checkpoints;
mod concurrent;
mod contraction;
mod controlled;
mod description;
pub mod event;
mod instance_set;
mod known;
mod log_queue;
mod memory;
mod mesh;
mod only_steps;
mod prepare;
mod prepared;
mod progress;
pub mod record;
mod refuse;
mod report;
mod run;
mod run_loop;
mod schedule;
mod session;
mod shared_system;
mod single;
mod spacing;
mod start_up;
mod stepping;

pub use build::{Setup, has_polynomials, lay_out};
pub use cancel::CancelToken;
pub use checkpoint::Checkpoint;
pub use concurrent::ConcurrentModel;
pub use description::describe;
pub use instance_set::{InstanceSet, InstanceSetFactory};
pub use mesh::Mesh;
pub use prepared::FoundStart;
pub(crate) use prepared::Prepared;
pub use progress::{ProgressToken, RunProgress};
pub use report::{Counters, End, InstanceReport, PowerBondReport, Report, RunFailure};
pub use run::{Series, Simulation, Subject};
pub use run_loop::{RunFindings, RunLoop};
pub use session::{Mark, Reading, Session};
pub use shared_system::SharedSystem;
pub use single::{Ended, RunOptions, RunTrial, Steps, run_once};
