//! Parallel embedded: in parallel to the instances, an ODE method integrates the derivatives of their outputs. The estimate
//! compares its results with those of the instances.
//!
//! The method is the trapezoidal rule, `y* = y_n + h/2 (y'_n + y'_(n+1))` (Hairer, Nørsett, Wanner, Solving ODEs I, II.1). The
//! derivatives are based on the inputs delivered to each instance in its own step. Therefore the one at the beginning does not
//! reflect the present inputs: with held inputs the difference is the error of the step, up to higher powers. It behaves as `h^2`
//! if inputs are held or delivered as means, and as `h^3` if they are delivered with derivatives. No instance steps twice.
//!
//! Outputs without derivatives, and those with direct feedthrough, are not considered. In the first step no input has changed
//! yet, and the estimate contains only the error of the rule. As no derivative is known at its beginning, the rule is the
//! implicit Euler method there, whose errors are larger.

use super::{Estimates, Estimator, EstimatorSettings, Tolerances};
use crate::{
    algorithm::{Attempt, Coupled, Level, Method, Step, call_failed, proceed},
    checkpoint::Persistent,
    signal::Delivery,
};

pub(crate) struct ParallelEmbedded {
    tolerances: Tolerances,
    order: u32,
    /// Instances that provide derivatives.
    instances: Vec<usize>,
    /// Their outputs with derivatives: indices of value and derivative among the signals.
    signals: Vec<(usize, usize)>,
    errors: Vec<f64>,
}

impl ParallelEmbedded {
    pub(crate) fn new(EstimatorSettings { tolerances, .. }: EstimatorSettings, coupled: &Coupled) -> Self {
        let plans = &coupled.plan.instances;
        let instances: Vec<_> = (0..plans.len()).filter(|&index| !plans[index].slopes.is_empty()).collect();
        let signals: Vec<_> = plans
            .iter()
            .flat_map(|instance_plan| instance_plan.slope_signals.iter().copied().zip(instance_plan.slopes.clone()))
            .collect();
        let receives_derivatives = |&instance: &usize| {
            let inputs = coupled.inputs.as_ref();
            inputs.is_some_and(|inputs| inputs.delivery(instance) == Delivery::Derivatives && inputs.degree(instance) > 0)
        };
        let order = if instances.iter().all(receives_derivatives) { 2 } else { 1 };
        Self { tolerances, order, instances, errors: vec![0.0; signals.len()], signals }
    }

    /// Stores the known part of the rule, `y_n + h/2 y'_n`, or `y_n` if no derivative is known yet. Returns the part of the step
    /// covered by the derivative at its end.
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
            // No other code needs the derivatives.
            for &instance in &self.instances {
                proceed(coupled.read_slopes(instance).map(drop).map_err(call_failed))?;
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
