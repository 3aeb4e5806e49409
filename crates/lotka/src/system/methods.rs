//! The methods of a system: coupling scheme, input signals, iteration, estimator, controller.

use lotka_step::{
    algorithm::MethodRegistry,
    resolved::{Compatibility, FeedthroughOutputs, InputDelivery},
};
use lotka_system::{Located, NoConvergence};

use super::System;

impl System {
    /// Sets the methods that the description may name, instead of those of this crate alone: coupling schemes, accelerations,
    /// estimators and controllers of your own.
    #[must_use]
    pub fn methods(mut self, methods: MethodRegistry) -> Self {
        self.methods = methods;
        self
    }

    /// Selects the coupling scheme: `gauss-seidel`, `jacobi`, `symmetric`, or one of [`System::methods`].
    #[must_use]
    pub fn sweep(mut self, name: &str) -> Self {
        self.description.algorithm.sweep = Some(name.to_owned().into());
        self
    }

    /// Sets the order in which instances step.
    #[must_use]
    pub fn order(mut self, instances: &[&str]) -> Self {
        let names: Vec<Located<String>> = instances.iter().map(|&name| name.to_owned().into()).collect();
        self.description.algorithm.order = Some(names.into());
        self
    }

    /// Sets the degree of the input signals (extrapolation order), 0 to 3.
    #[must_use]
    pub fn input_degree(mut self, degree: u32) -> Self {
        self.description.algorithm.input_degree = Some(i64::from(degree).into());
        self
    }

    /// Selects how FMUs receive inputs of degree 1 to 3, instead of a choice by the capabilities of each FMU.
    #[must_use]
    pub fn input_delivery(mut self, delivery: InputDelivery) -> Self {
        self.description.algorithm.input_delivery = Some(delivery.into());
        self
    }

    /// Selects whether output derivatives are used if an FMU provides them.
    #[must_use]
    pub fn output_derivatives(mut self, on: bool) -> Self {
        self.description.algorithm.output_derivatives = Some(on.into());
        self
    }

    /// Selects how outputs with direct feedthrough are updated after a step.
    #[must_use]
    pub fn feedthrough_outputs(mut self, policy: FeedthroughOutputs) -> Self {
        self.description.algorithm.feedthrough_outputs = Some(policy.into());
        self
    }

    /// Iterates inside loops: at most this many times, until values change by less than the tolerance (relative and absolute).
    #[must_use]
    pub fn iterations(mut self, limit: u32, tolerance: Option<f64>) -> Self {
        self.description.algorithm.iterations = Some(i64::from(limit).into());
        self.description.algorithm.iteration_tolerance = tolerance.map(Into::into);
        self
    }

    /// Makes steps shorter than this \[s\] in one pass, without iteration.
    #[must_use]
    pub fn min_iterated_step(mut self, step: f64) -> Self {
        self.description.algorithm.min_iterated_step = Some(step.into());
        self
    }

    /// Selects the acceleration of the iteration: `none`, `relaxation`, `aitken`, `anderson` or `newton`.
    #[must_use]
    pub fn acceleration(mut self, name: &str) -> Self {
        self.description.algorithm.acceleration = Some(name.to_owned().into());
        self
    }

    /// Selects what happens with fixed steps if a loop does not converge within the iterations.
    #[must_use]
    pub fn on_no_convergence(mut self, choice: NoConvergence) -> Self {
        self.description.algorithm.on_no_convergence = Some(choice.into());
        self
    }

    /// Selects the estimator of the local error by its name: `step-doubling` (the default), `embedded`, `predictor-corrector`,
    /// `parallel-embedded` or `energy`, or one of [`System::methods`].
    #[must_use]
    pub fn estimator(mut self, name: &str) -> Self {
        self.description.algorithm.estimator = Some(name.to_owned().into());
        self
    }

    /// Selects the step-size controller: `pi`, `i`, `pid` or `h211`.
    #[must_use]
    pub fn controller(mut self, name: &str) -> Self {
        self.description.algorithm.controller = Some(name.to_owned().into());
        self
    }

    /// Sets the numbers of the step-size controller: the factor by which steps are shorter than the error estimate allows, and
    /// the smallest and largest factor from one step size to the next; by default 0.9, 0.2 and 5.
    #[must_use]
    pub fn step_factors(mut self, safety: f64, smallest: f64, largest: f64) -> Self {
        let factors = &mut self.description.algorithm.factors;
        factors.safety_factor = Some(safety.into());
        (factors.min_step_factor, factors.max_step_factor) = (Some(smallest.into()), Some(largest.into()));
        self
    }

    /// Sets the gains of the controller `pi`, of the change of the error and of the error; by default 0.4 and 0.3.
    #[must_use]
    pub fn gains(mut self, proportional: f64, integral: f64) -> Self {
        let factors = &mut self.description.algorithm.factors;
        (factors.proportional_gain, factors.integral_gain) = (Some(proportional.into()), Some(integral.into()));
        self
    }

    /// Uses the formulas of another master.
    #[must_use]
    pub fn compatibility(mut self, master: Compatibility) -> Self {
        self.description.algorithm.compatibility = Some(master.into());
        self
    }
}
