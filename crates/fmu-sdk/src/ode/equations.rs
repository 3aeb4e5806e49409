//! What a model says about its equations.

use integrator::{EvaluationError, RightHandSide, Time};

/// The right-hand side of ordinary differential equations, `dx/dt = f(t, x, u)`. It knows no solver.
///
/// Inputs `u` are fields of the type that implements the trait; an [`Input`](crate::Input) is a polynomial over the communication step,
/// evaluated with [`Time::tau`].
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
    /// Computes the time derivatives `dx` \[1/s\] of the states `x` at a time within the communication step. Both have as many elements as
    /// there are states; every element of `dx` is to be written. What is not a finite number makes an integrator try a smaller step
    /// where it can, and discard the communication step where it cannot.
    fn derivatives(&self, time: Time, x: &[f64], dx: &mut [f64]);
}

/// The equations of a model as a right-hand side. They refuse no evaluation other than by numbers that are not finite.
pub(super) struct Equations<'a>(pub &'a dyn Ode);

impl RightHandSide for Equations<'_> {
    fn derivatives(&mut self, time: Time, x: &[f64], dx: &mut [f64]) -> Result<(), EvaluationError> {
        self.0.derivatives(time, x, dx);
        Ok(())
    }
}
