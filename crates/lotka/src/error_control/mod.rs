//! Local error: norms, estimators, step-size controllers.
//!
//! An [`Estimator`] makes an attempted step and says how large its local error is in units of the tolerance; a [`Controller`] says by
//! which factor the step should change. Bounds and safety factors sit in [`StepSize`], outside both.

mod controller;
#[cfg_attr(not(test), expect(dead_code, unused_imports, reason = "its driver comes next"))]
mod global;
mod norm;
mod step_doubling;
mod step_size;

pub(crate) use controller::{Controller, Integral, ProportionalIntegral};
pub use norm::Estimates;
pub(crate) use norm::Tolerances;
pub(crate) use step_doubling::{Slope, StepDoubling};
pub(crate) use step_size::{Bounds, StepSize};

use crate::algorithm::{Attempt, Coupled, Method};

/// Makes an attempted step and estimates its error.
pub(crate) trait Estimator: Send {
    /// Tries a step from `t` by `h`. If [`Estimator::needs_rollback`], the communication point is saved. After a stop the instances
    /// are anywhere and must be rolled back.
    fn attempt(&mut self, method: &mut Method, coupled: &mut Coupled, t: f64, h: f64) -> Attempt<Estimates>;

    /// Whether it rolls back to the communication point.
    fn needs_rollback(&self) -> bool;
}
