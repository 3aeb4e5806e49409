//! Explicit methods with equal internal steps. Runge–Kutta methods are a [`Tableau`]; each multistep method has a file of its
//! own.

mod adams_bashforth_2;
mod adams_bashforth_3;
mod adams_bashforth_4;
mod euler;
mod grid;
mod heun;
mod midpoint;
mod milne;
mod modified_euler;
mod multistep;
mod rk4;
mod runge_kutta;

pub(crate) use adams_bashforth_2::ADAMS_BASHFORTH_2;
pub(crate) use adams_bashforth_3::ADAMS_BASHFORTH_3;
pub(crate) use adams_bashforth_4::ADAMS_BASHFORTH_4;
pub(crate) use euler::EULER;
pub(crate) use grid::MAX_STEPS;
pub(crate) use heun::HEUN;
pub(crate) use midpoint::MIDPOINT;
pub(crate) use milne::Milne;
pub(crate) use modified_euler::MODIFIED_EULER;
pub(crate) use rk4::RK4;
pub(crate) use runge_kutta::{Stages, Tableau, add};

use crate::{Failure, Problem};

/// A method whose internal steps are equal and at most as long as the settings say.
pub(crate) trait FixedStep: Sync {
    /// Advances the states `x` over the whole step. If it fails, `x` has states within the step.
    fn integrate(&self, problem: &mut Problem, x: &mut [f64]) -> Result<(), Failure>;
}
