//! How instances are stepped and inputs are made.

use lotka_step::resolved::{Compatibility, FeedthroughOutputs, InputDelivery};
use serde::Serialize;

use crate::Located;

/// `[algorithm]`.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub struct AlgorithmSettings {
    /// Name of the coupling scheme, default `gauss-seidel`.
    pub sweep: Option<Located<String>>,
    /// Names of all instances in stepping order; the default follows from the dependency graph.
    pub order: Option<Located<Vec<Located<String>>>>,
    /// Degree of the input signals (extrapolation order), 0 to 3; 0 holds the newest known value.
    pub input_degree: Option<Located<i64>>,
    /// Delivery of inputs of degree 1 to 3; the default depends on the capabilities of the FMU.
    pub input_delivery: Option<Located<InputDelivery>>,
    /// Whether output derivatives are used if an FMU provides them, default yes.
    pub output_derivatives: Option<Located<bool>>,
    /// Update of outputs with direct feedthrough after a step.
    pub feedthrough_outputs: Option<Located<FeedthroughOutputs>>,
    /// Largest number of iterations; 1 = none.
    pub iterations: Option<Located<i64>>,
    /// Tolerance of the iteration, relative and absolute.
    pub iteration_tolerance: Option<Located<f64>>,
    /// Length below which steps are made in one pass, without iteration \[s\]; default none.
    pub min_iterated_step: Option<Located<f64>>,
    /// Name of the acceleration of the iteration, default `none`.
    pub acceleration: Option<Located<String>>,
    /// Action if a loop does not converge within the iterations, default an error.
    pub on_no_convergence: Option<Located<NoConvergence>>,
    /// Name of the estimator of the local error, default `step-doubling`.
    pub estimator: Option<Located<String>>,
    /// Name of the step-size controller, default `pi`.
    pub controller: Option<Located<String>>,
    /// Numbers of the step-size controller.
    #[serde(flatten)]
    pub factors: StepFactorSettings,
    /// The master whose formulas are used, if not those of Lotka.
    pub compatibility: Option<Located<Compatibility>>,
}

impl AlgorithmSettings {
    /// The simplest master with fixed steps: all instances side by side, with held inputs, in one pass.
    #[must_use]
    pub fn side_by_side() -> Self {
        Self {
            sweep: Some("jacobi".to_owned().into()),
            input_degree: Some(0.into()),
            iterations: Some(1.into()),
            ..Self::default()
        }
    }
}

/// Numbers of the step-size controller, with local error control. The defaults depend on [`AlgorithmSettings::compatibility`].
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub struct StepFactorSettings {
    /// Factor by which steps are shorter than the error estimate allows.
    pub safety_factor: Option<Located<f64>>,
    /// Smallest factor from one step size to the next.
    pub min_step_factor: Option<Located<f64>>,
    /// Largest factor from one step size to the next.
    pub max_step_factor: Option<Located<f64>>,
    /// Gain of the change of the error, for the controller `pi`.
    pub proportional_gain: Option<Located<f64>>,
    /// Gain of the error, for the controller `pi`.
    pub integral_gain: Option<Located<f64>>,
}

impl StepFactorSettings {
    /// Returns the settings with their keys in the system file; the last two are gains.
    #[must_use]
    pub fn by_key(&self) -> [(&'static str, &Option<Located<f64>>); 5] {
        [
            ("safety-factor", &self.safety_factor),
            ("min-step-factor", &self.min_step_factor),
            ("max-step-factor", &self.max_step_factor),
            ("proportional-gain", &self.proportional_gain),
            ("integral-gain", &self.integral_gain),
        ]
    }
}

/// Action with fixed steps if a loop does not converge within the iterations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoConvergence {
    /// The run ends with an error.
    #[default]
    Error,
    /// The values of the last iteration are kept, with a warning.
    LastIterate,
    /// The step is repeated with a fifth of its size. Later steps grow again, twofold each, up to the given size.
    SmallerSteps,
}
