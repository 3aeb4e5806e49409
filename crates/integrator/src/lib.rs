//! Initial value problems of ordinary differential equations, `dx/dt = f(t, x)`, over one step of a simulation.
//!
//! Input: a right-hand side that may refuse an evaluation ([`RightHandSide`]), the states at the start, step sizes and tolerances
//! ([`Settings`]). Output: the states at the end and counts of the work ([`Work`]), or a [`Failure`] with the time up to which
//! results are valid. [`Method`] lists the methods. [`Steps`] shows the caller every internal step and the states within it.
//!
//! Every method restarts at each step and keeps nothing from the step before. Co-simulation needs this: inputs jump at
//! communication points, and masters roll steps back.
//!
//! ```
//! use integrator::{Method, Problem, Settings, Time, Work};
//!
//! // Van der Pol's oscillator.
//! let mut oscillator = |_: Time, x: &[f64], dx: &mut [f64]| {
//!     (dx[0], dx[1]) = (x[1], (1.0 - x[0] * x[0]) * x[1] - x[0]);
//!     Ok(())
//! };
//! let (mut x, mut work) = ([2.0, 0.0], Work::default());
//! for step in 0..20 {
//!     let mut problem = Problem::new(&mut oscillator, 0.1 * f64::from(step), 0.1, Settings::default(), &mut work);
//!     Method::named("rkf45")?.integrate(&mut problem, &mut x)?;
//! }
//! assert!((x[0] - 0.323_316_666_7).abs() < 1e-6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Start reading at [`Method`]. Methods with equal internal steps implement `FixedStep` (`fixed/`). Methods that choose their
//! internal steps implement `Embedded` (`controlled/`, `implicit/`), and `controlled/mod.rs` accepts or rejects these steps. A
//! new method is a file, a line in the registry, and a row in the order test.
#![forbid(unsafe_code)]
#![warn(clippy::must_use_candidate, clippy::return_self_not_must_use, clippy::missing_errors_doc, clippy::missing_panics_doc)]

mod auto;
mod controlled;
mod failure;
mod fixed;
mod implicit;
mod method;
mod problem;
mod registry;
mod right_hand_side;
mod roots;
mod settings;
mod steps;
#[cfg(test)]
mod tests;
mod work;

pub use failure::Failure;
pub use method::Method;
pub use problem::Problem;
pub use registry::UnknownMethod;
pub use right_hand_side::{EvaluationError, RightHandSide, Time};
pub use roots::{EventFunctions, Root, RootSearch};
pub use settings::{AbsoluteTolerance, Settings};
pub use steps::Steps;
pub use work::Work;
