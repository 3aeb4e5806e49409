//! How coupled instances make one communication step.
//!
//! ```text
//! inputs (signal) -> sweep over the instances (algorithm) -> iteration of loops -> error estimate (error_control)
//! ```
//!
//! Coupling schemes, iterations and estimators only *try* a step and return an [`Attempt`](algorithm::Attempt). A refusal
//! (discard, no convergence, a value that is not finite) is a value; [`Error`] ends the run. Coupling scheme, input signal,
//! iteration, acceleration, estimator and controller combine freely. Start reading at [`algorithm::Coupled`]; a new method begins
//! at [`algorithm::MethodRegistry`].
//!
//! | module | holds |
//! |---|---|
//! | [`resolved`] | a system in indices: the input of a simulation, and the choice of a method that suits it |
//! | [`model`] | what an instance is made from: an FMU, another factory, or a source |
//! | [`signal`] | assumed course of inputs during a step |
//! | [`algorithm`] | instances with their signals and saved states; coupling scheme, iteration, acceleration |
//! | [`error_control`] | local error estimates and step sizes |
//! | [`renewal`] | what instances are given before their first step, and their return to it |
//! | [`corner`] | location of jumps and kinks in a signal |
//! | [`checkpoint`] | transfer of what a method carries from step to step |
//! | [`error`] | errors that end a run |
//!
//! - Inputs of degree 0 cost no more than copying. From degree 1 on, [`signal::InputSignals`] applies a few weights to every
//!   input, and computes them anew only if the distances of the past points change. Its history forgets points that were rolled
//!   back.
//! - `Instance::bind` names once what every `Instance::step` sets and reads; a step then is one call, also across a process
//!   border. Instances with `SplitStep` make it in two halves: `algorithm/coupled/split_steps.rs` begins the steps of all
//!   instances of a level, and then collects the results in order.
//! - The state of an FMU lives in integer slots of its instance. [`algorithm::Level::Communication`] is the last communication
//!   point, [`algorithm::Level::Middle`] the point between two half steps, needed only if the half steps iterate.
//! - A controller proposes factors and learns the result; safety factors and bounds sit outside, in `error_control/step_size.rs`.
#![forbid(unsafe_code)]
#![warn(clippy::must_use_candidate, clippy::return_self_not_must_use, clippy::missing_errors_doc, clippy::missing_panics_doc)]

pub mod algorithm;
pub mod checkpoint;
pub mod corner;
pub mod error;
pub mod error_control;
pub mod model;
pub mod renewal;
pub mod resolved;
pub mod signal;

pub use error::{Error, InstantiationFailure, LoopProblem, OutputNoise};
