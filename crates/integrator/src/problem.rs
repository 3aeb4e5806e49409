//! One step as a method sees it.

use crate::{EvaluationError, Failure, RightHandSide, Settings, Time, Work};

/// A right-hand side over one step, with settings and counts of the work.
///
/// The step leads from `t` to `t + h`. In co-simulation, it is a communication step: inputs may jump at both ends.
pub struct Problem<'a> {
    right_hand_side: &'a mut dyn RightHandSide,
    t: f64,
    pub(crate) h: f64,
    pub(crate) settings: Settings<'a>,
    pub(crate) work: &'a mut Work,
}

impl<'a> Problem<'a> {
    /// Creates the step from `t` \[s\] to `t + h`, with positive `h` \[s\]. Methods add to the counts in `work`.
    pub fn new(right_hand_side: &'a mut dyn RightHandSide, t: f64, h: f64, settings: Settings<'a>, work: &'a mut Work) -> Self {
        Self { right_hand_side, t, h, settings, work }
    }

    /// `dx = f(t + tau, x)`.
    pub(crate) fn derivatives(&mut self, tau: f64, x: &[f64], dx: &mut [f64]) -> Result<(), EvaluationError> {
        self.work.n_evaluations = self.work.n_evaluations.saturating_add(1);
        self.right_hand_side.derivatives(Time { t: self.t + tau, tau }, x, dx)
    }

    /// Counts an internal step from `tau` that ended in `x`.
    pub(crate) fn took_step(&mut self, tau: f64, x: &[f64]) -> Result<(), Failure> {
        self.work.n_internal_steps = self.work.n_internal_steps.saturating_add(1);
        if x.iter().all(|x| x.is_finite()) { Ok(()) } else { Err(Failure::NotFinite { tau }) }
    }
}
