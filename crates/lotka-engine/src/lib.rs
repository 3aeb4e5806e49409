//! The co-simulation engine: steps instances together, controls the error, locates events.
//!
//! A [`resolved`] system and the models of its instances become a [`Simulation`](simulation::Simulation); it initializes the instances and steps them;
//! observers ([`record`]) receive everything that happens. The engine reads no file, knows no format and looks at no clock.
//!
//! | module | holds |
//! |---|---|
//! | [`resolved`] | a system in indices: what a simulation is made from |
//! | [`graph`] | dependencies, evaluation order, and the plan: flat arrays computed once |
//! | [`source`], [`signal`] | signals known before the run; what inputs are assumed to do during a step |
//! | [`algorithm`] | how a communication step is made: coupling scheme, iteration, acceleration |
//! | [`error_control`] | local error estimates and step sizes; the global error of `tolerance` |
//! | [`event`], [`initialize`] | event indicators and brackets; initial values |
//! | [`simulation`] | the loop, and the many runs of a `tolerance` |
//! | [`record`], [`checkpoint`] | rows and events; what a run continues from |
#![forbid(unsafe_code)]
#![warn(clippy::must_use_candidate, clippy::return_self_not_must_use, clippy::missing_errors_doc, clippy::missing_panics_doc)]

pub mod algorithm;
pub mod checkpoint;
mod error;
pub mod error_control;
pub mod event;
pub mod graph;
pub mod initialize;
pub mod record;
pub mod resolved;
pub mod signal;
pub mod simulation;
pub mod source;

pub use error::{Error, InstantiationFailure, LoopProblem, Scatter};
