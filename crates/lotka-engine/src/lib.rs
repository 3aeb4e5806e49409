//! The co-simulation engine: steps instances together, controls the error, locates events.
//!
//! A [`resolved`] system and the models of its instances become a [`Simulation`](simulation::Simulation), which initializes the instances and steps
//! them. Observers ([`record`]) receive all events of the run. The engine reads no file, knows no format and reads no clock.
//!
//! | module | holds |
//! |---|---|
//! | [`resolved`] | a system in indices: the input of a simulation |
//! | [`graph`] | dependencies, evaluation order, and the plan: flat arrays computed once |
//! | [`source`], [`signal`] | signals known before the run; assumed course of inputs during a step |
//! | [`algorithm`] | how a communication step is made: coupling scheme, iteration, acceleration |
//! | [`error_control`] | local error estimates and step sizes; the global error of `tolerance` |
//! | [`event`], [`initialize`] | event indicators and brackets; initial values |
//! | [`simulation`] | the loop, and the series of runs for a `tolerance` |
//! | [`time`] | points by number, resolution, rounding and printing of times |
//! | [`record`], [`checkpoint`] | rows and events; data from which a run continues |
//!
//! # How it works
//!
//! - Coupling schemes, iterations and estimators only *try* a step and return a verdict. A refusal (discard, no convergence, a value that is not finite) is a
//!   value; `Err` ends the run. Coupling scheme, input signal, iteration, acceleration, estimator and controller combine freely.
//! - The run loop alone owns time, accept and reject, and counters. It knows no method by name. A controller proposes factors and learns the result; safety
//!   factors and bounds sit outside, in `error_control/step_size.rs`.
//! - An event shortens a step: the loop rolls back and tries shorter steps until the bracket is narrow. It keeps the step that ends where an
//!   instance has reacted, or else strictly past the level, and restarts everything that uses the past. Discrete values are held meanwhile, because
//!   reacting instances step last.
//! - Sources take part as instances without inputs in description, graph and plan, after all others, but make no steps. `Coupled::begin_step` has their values
//!   over the whole step. `simulation/schedule.rs` ends steps at their jumps and kinks before they are tried, so that nothing is rolled back for them; the
//!   same holds where `algorithm/overrides.rs` sets variables.
//! - Inputs of degree 0 cost no more than copying. From degree 1 on `signal::InputSignals` applies a few weights to every input, and computes them anew only if the
//!   distances of the past points change. Its history forgets points that were rolled back.
//! - A run with `tolerance` is a series of runs on finer and finer meshes, with instances of their own: `simulation/verified/` makes them,
//!   `error_control/global/` extrapolates the rows and chooses the next run. Two runs are made at the same time where one is certainly not enough.
//!   `algorithm/trace.rs` follows values from step to step and finds jumps and kinks that rows cannot show; around these,
//!   `error_control/global/search` refines the mesh. Before the first run, `verified/scan.rs` steps instances without inputs alone: steps end at
//!   their jumps and kinks, and base points resolve their signals. `search/off_mesh_rows.rs` chooses the mesh where rows are dense, and `rows.rs`
//!   interpolates rows between its points.
//! - Real signals are the outputs of all instances in one array. Where the inputs of an instance are an unchanged image of neighboring signals
//!   (`Feed::Direct`), the loop passes the slice itself; otherwise it gathers them (factor, offset, sum).
//! - `Instance::bind` names once what every `Instance::step` sets and reads; a step then is one call, also across a process border. Instances
//!   with `StepBeside` make it in two halves: `algorithm/beside.rs` begins the steps of all instances of a level, and then collects the results in order.
//! - The run loop is compiled twice: most runs are plain, without events, known jumps, bonds or checkpoints.
//! - The state of an FMU lives in integer slots of its instance. `Level::Communication` is the last communication point, `Level::Middle` the point between two
//!   half steps, needed only if the half steps iterate.
#![forbid(unsafe_code)]
#![warn(clippy::must_use_candidate, clippy::return_self_not_must_use, clippy::missing_errors_doc, clippy::missing_panics_doc)]

pub mod algorithm;
pub mod checkpoint;
mod error;
pub mod error_control;
pub mod event;
pub mod graph;
pub mod initialize;
mod linear;
pub mod record;
pub mod resolved;
pub mod signal;
pub mod simulation;
pub mod source;
pub mod time;

pub use error::{Error, InstantiationFailure, LoopProblem, Scatter};
