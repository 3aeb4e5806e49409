//! The equations of a model.

use integrator::{EvaluationError, RightHandSide, Time};

/// The right-hand side of ordinary differential equations, `dx/dt = f(t, x, u)`. It is independent of the solver.
///
/// Inputs `u` are fields of the type that implements the trait; an [`Input`](crate::Input) is a polynomial over the communication
/// step, evaluated with [`Time::tau`].
///
/// ```
/// use fmu_sdk::{Input, Ode, Time};
///
/// /// A mass on a spring, moved by a force: x'' = u - x.
/// struct Spring { u: Input }
///
/// impl Ode for Spring {
///     fn derivatives(&self, time: Time, x: &[f64], dx: &mut [f64]) {
///         dx[0] = x[1];
///         dx[1] = self.u.value(time.tau) - x[0];
///     }
/// }
/// ```
pub trait Ode {
    /// Computes the time derivatives `dx` \[1/s\] of the states `x` at a time within the communication step. Both have one
    /// element per state; every element of `dx` must be written. If a value is not finite, an integrator tries a smaller step if
    /// it can; otherwise it discards the communication step.
    fn derivatives(&self, time: Time, x: &[f64], dx: &mut [f64]);
}

/// The equations of a model as a right-hand side. They refuse an evaluation only by values that are not finite.
pub(super) struct Equations<'a>(pub &'a dyn Ode);

impl RightHandSide for Equations<'_> {
    fn derivatives(&mut self, time: Time, x: &[f64], dx: &mut [f64]) -> Result<(), EvaluationError> {
        self.0.derivatives(time, x, dx);
        Ok(())
    }
}
