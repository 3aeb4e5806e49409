//! One communication step, as a method sees it.

use super::{failure::Failure, grid::Grid, ode::Ode, ode::Time, work::Work};
use crate::Step;

/// The right-hand side over one communication step with the settings of the experiment; counts what is asked of it.
pub(super) struct Problem<'a> {
    ode: &'a dyn Ode,
    /// Start of the communication step \[s\].
    t: f64,
    /// Communication step size \[s\].
    pub h: f64,
    pub settings: Settings,
    pub work: &'a mut Work,
}

/// What the experiment chooses.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Settings {
    /// Largest step of methods with fixed steps \[s\].
    pub internal_step: f64,
    pub relative_tolerance: f64,
    pub absolute_tolerance: f64,
}

impl<'a> Problem<'a> {
    pub fn new(ode: &'a dyn Ode, step: &Step, settings: Settings, work: &'a mut Work) -> Self {
        Self { ode, t: step.t, h: step.h, settings, work }
    }

    /// `dx = f(t + tau, x, u(tau))`.
    pub fn derivatives(&mut self, tau: f64, x: &[f64], dx: &mut [f64]) {
        self.work.n_evaluations = self.work.n_evaluations.saturating_add(1);
        self.ode.derivatives(Time { t: self.t + tau, tau }, x, dx);
    }

    /// Counts a step from `tau` that ended in `x`.
    pub fn took_step(&mut self, tau: f64, x: &[f64]) -> Result<(), Failure> {
        self.work.n_internal_steps = self.work.n_internal_steps.saturating_add(1);
        if x.iter().all(|x| x.is_finite()) { Ok(()) } else { Err(Failure::NotFinite { tau }) }
    }

    /// The communication step divided into equal ones.
    pub fn grid(&self) -> Result<Grid, Failure> {
        Grid::new(self.h, self.settings.internal_step)
    }
}
