//! Parallel embedded: beside the instances an ODE method integrates the derivatives of their outputs; what it finds is compared with what
//! the instances found.
//!
//! The method is the trapezoidal rule, `y* = y_n + h/2 (y'_n + y'_(n+1))` (Hairer, Nørsett, Wanner, Solving ODEs I, II.1). The derivatives
//! are those with what each instance was told in its own step, so that the one at the beginning does not belong to what it is told now: with
//! held inputs the difference is the error of the step, up to higher powers. It behaves as `h^2` where inputs are held or told as means,
//! and as `h^3` where they are told with derivatives. No instance is stepped twice.
//!
//! Outputs without derivatives, and those that follow an input without delay, are not looked at. In the first step no input has
//! changed yet, and nothing is seen but the error of the rule; as no derivative is known at its beginning, the rule is the implicit Euler
//! method there, whose errors are larger.

use super::{Estimates, Estimator, EstimatorSettings, Tolerances};
use crate::{
    algorithm::{Attempt, Coupled, Level, Method, Step, call_failed, proceed},
    checkpoint::Persistent,
    signal::Delivery,
};

pub(crate) struct ParallelEmbedded {
    tolerances: Tolerances,
    order: u32,
    /// Instances that give derivatives.
    members: Vec<usize>,
    /// Their outputs with derivatives: value and derivative, as places among the signals.
    signals: Vec<(usize, usize)>,
    errors: Vec<f64>,
}

impl ParallelEmbedded {
    pub(crate) fn new(EstimatorSettings { tolerances, .. }: EstimatorSettings, coupled: &Coupled) -> Self {
        let units = &coupled.plan.units;
        let members: Vec<_> = (0..units.len()).filter(|&index| !units[index].slopes.is_empty()).collect();
        let signals: Vec<_> = units.iter().flat_map(|unit| unit.slope_signals.iter().copied().zip(unit.slopes.clone())).collect();
        let is_told_derivatives = |&member: &usize| {
            let inputs = coupled.inputs.as_ref();
            inputs.is_some_and(|inputs| {
                inputs.delivery(member) == Delivery::Derivatives && inputs.degree(&coupled.plan, &units[member]) > 0
            })
        };
        let order = if members.iter().all(is_told_derivatives) { 2 } else { 1 };
        Self { tolerances, order, members, errors: vec![0.0; signals.len()], signals }
    }

    /// What the rule knows before the step: `y_n + h/2 y'_n`, or `y_n` where no derivative is known yet. The part of the step that the derivative
    /// at its end stands for.
    fn begin(&mut self, coupled: &Coupled, h: f64) -> f64 {
        let is_known = !coupled.newest.slopes.iter().any(|slope| slope.is_nan());
        for (kept, &(value, slope)) in self.errors.iter_mut().zip(&self.signals) {
            *kept = coupled.newest.reals[value] + if is_known { 0.5 * h * coupled.newest.slopes[slope] } else { 0.0 };
        }
        if is_known { 0.5 * h } else { h }
    }

    fn compare(&mut self, coupled: &Coupled, part: f64) {
        for (kept, &(value, slope)) in self.errors.iter_mut().zip(&self.signals) {
            let error = coupled.newest.reals[value] - (*kept + part * coupled.newest.slopes[slope]);
            *kept = if coupled.slope_faults.has(value) { 0.0 } else { error };
        }
    }

    fn errors<'a>(&'a self, coupled: &'a Coupled) -> impl Iterator<Item = (f64, f64)> + 'a {
        self.errors.iter().zip(&self.signals).map(|(&error, &(value, _))| (error, coupled.newest.reals[value]))
    }
}

impl Persistent for ParallelEmbedded {}

impl Estimator for ParallelEmbedded {
    fn attempt(&mut self, method: &mut Method, coupled: &mut Coupled, t: f64, h: f64) -> Attempt<Estimates> {
        let part = self.begin(coupled, h);
        method.advance(coupled, Step { t, h }, true, Level::Communication)?;
        if coupled.holds_inputs() {
            // Nobody else needs the derivatives.
            for &member in &self.members {
                proceed(coupled.read_slopes(member).map(drop).map_err(call_failed))?;
            }
        }
        self.compare(coupled, part);
        Attempt::Continue(Estimates::of_difference(self.tolerances.norm(self.errors(coupled))))
    }

    fn order(&self) -> u32 {
        self.order
    }

    fn worst(&self, coupled: &Coupled, _: Estimates) -> Option<usize> {
        self.tolerances.worst(self.errors(coupled)).map(|position| self.signals[position].0)
    }
}
