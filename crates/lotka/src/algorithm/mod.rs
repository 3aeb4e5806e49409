//! How one communication step is made: the sweep over the instances and the iteration inside loops.
//!
//! Algorithms only *try* a step. A refusal (an instance discards, a loop does not converge, a value is not finite) is a
//! value, never an `Err`; [`Stop::Failed`] means that the run is over. They know neither files nor clock.
//!
//! A new sweep is a file in `sweep/`, a line in [`registry`], and a row in the order test.

#[cfg_attr(not(test), expect(dead_code, unused_imports, reason = "no loop uses it yet"))]
mod acceleration;
mod attempt;
mod coupled;
mod iteration;
mod method;
mod registry;
mod signals;
mod sweep;

pub(crate) use attempt::{Attempt, Refusal, Stop, proceed, refuse};
pub(crate) use coupled::{Coupled, Level, Member};
pub(crate) use method::Method;
pub(crate) use registry::{controller_name, controller_names, make_controller, make_sweep, sweep_name, sweep_names};
pub(crate) use signals::Signals;
pub(crate) use sweep::Sweep;
