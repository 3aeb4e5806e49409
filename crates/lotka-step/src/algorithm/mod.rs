//! One communication step: the coupling scheme over the instances and the iteration inside loops.
//!
//! Algorithms only *try* a step. A refusal (an instance discards, a loop does not converge, a value is not finite) is a
//! value, never an `Err`. [`Stop::Failed`] ends the run. Algorithms access neither files nor the clock.
//!
//! Users add methods with the traits [`Sweep`] and [`Acceleration`] and a [`MethodRegistry`]. A new method of this crate needs a
//! file, a variant in `registry/`, and a row in the order test.

mod acceleration;
mod attempt;
mod before_jump;
mod call;
mod coupled;
mod coupled_instance;
mod event_modes;
pub mod followed;
mod gather;
mod grid;
mod input_values;
mod iteration;
mod method;
mod needles;
mod overrides;
mod pauses;
mod power_bonds;
mod refresh;
mod registry;
mod rounding;
mod saved_states;
mod signals;
mod slope_faults;
mod split_steps;
mod sweep;
mod trace;

pub use crate::checkpoint::{Mismatch, Persistent, Transfer, Transferred};
pub use acceleration::Acceleration;
pub use attempt::{Attempt, Refusal, Step, Stop, call_failed, proceed, refuse};
pub use coupled::{Coupled, conclude, exchange_at_once};
pub use coupled_instance::{Calls, CoupledInstance};
pub use followed::{Exchanged, Followed, followed};
pub use grid::{Grid, size_text};
pub use iteration::Unconverged;
pub use method::Method;
pub use needles::{Comb, FastMode};
pub use overrides::{Changes, Overrides};
pub use pauses::{Change, Pauses, Regular, watched};
pub use power_bonds::{Energies, PowerBonds};
pub use refresh::Refresh;
pub use registry::{
    AccelerationMethod, ControllerMethod, Custom, EstimatorMethod, MakeAcceleration, MakeController, MakeEstimator, MakeSweep,
    MethodNameTaken, MethodRegistry, Named, Registered, SweepMethod, methods,
};
pub use saved_states::{Level, RetainedState};
pub use signals::Signals;
pub use sweep::Sweep;
pub use trace::{Difference, Trace, Tracer, ValueTrace};
