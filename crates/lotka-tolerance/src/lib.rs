//! Results within a tolerance of the exact ones: the key `tolerance`.
//!
//! ```text
//! run k on a mesh k times as fine -> table of extrapolations -> error estimate -> next run | rows
//! ```
//!
//! A run with `tolerance` is a series of runs on finer and finer meshes, with instances of their own. [`run`] makes them;
//! [`global`] extrapolates the rows, estimates the error and chooses the next run. Two runs are made at the same time where one
//! is certainly not enough. Start reading at `series/whole.rs` and `global/search/mod.rs`.
//!
//! - Before the first run, `series/scan.rs` steps instances without inputs alone: steps end at their jumps and kinks, and base
//!   points resolve their signals.
//! - The tracer of a run (`algorithm/trace.rs`) follows values from step to step and finds jumps and kinks that rows cannot show;
//!   around these, `global/search` refines the mesh.
//! - `search/base_for_rows.rs` chooses the mesh where rows are dense, and `global/rows.rs` interpolates rows between its points.
#![forbid(unsafe_code)]
#![warn(clippy::must_use_candidate, clippy::return_self_not_must_use, clippy::missing_errors_doc, clippy::missing_panics_doc)]

pub mod global;
mod series;

pub use series::run;
