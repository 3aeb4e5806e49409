//! Times, tolerances and the choice of step sizes.

use crate::{
    algorithm::{ControllerMethod, EstimatorMethod},
    error_control::{Compatibility, StepFactors, Tolerances},
};

/// Share of the tolerance of a verified run that the FMUs use for their own integration.
pub const FMU_SHARE: f64 = 0.01;

/// Maximum number of steps per base step in a verified run.
pub const LARGEST_REFINEMENT: u32 = 512;

/// Times in seconds.
#[derive(Debug, Clone, PartialEq)]
pub struct ResolvedExperiment {
    /// Start time.
    pub start: f64,
    /// Stop time.
    pub stop: f64,
    /// How step sizes are chosen.
    pub stepping: Stepping,
    /// Distance between rows; every step if absent.
    pub output_interval: Option<f64>,
    /// Minimum distance between rows; steps do not end at rows then.
    pub min_output_interval: Option<f64>,
    /// Communication steps must be multiples of it, because instances have internal steps of fixed size.
    pub internal_step: Option<f64>,
}

/// How step sizes are chosen.
#[derive(Debug, Clone, PartialEq)]
pub enum Stepping {
    /// All steps have this size \[s\].
    Fixed(f64),
    /// Step sizes follow from the local error, or from convergence.
    Controlled(ControlledSteps),
    /// The run is repeated on finer meshes until its global error is known to be within the tolerance.
    Verified(Verified),
}

impl Stepping {
    /// Size of trial steps \[s\]: one that the run is likely to use.
    #[must_use]
    pub fn trial_step(&self) -> f64 {
        match self {
            Self::Fixed(h) => *h,
            Self::Controlled(steps) => steps.first,
            Self::Verified(verified) => verified.max_step.min(verified.output_interval),
        }
    }
}

/// A bound of the global error.
#[derive(Debug, Clone, PartialEq)]
pub struct Verified {
    /// The largest permitted error, relative.
    pub tolerance: f64,
    /// Value below which a recorded variable is judged absolutely, if the user specifies one; 0: purely relative.
    pub scale: Option<f64>,
    /// Distance between rows \[s\].
    pub output_interval: f64,
    /// Largest step of the coarsest run \[s\].
    pub max_step: f64,
    /// Number of doStep calls after which the tolerance is given up, if the user specifies it.
    pub max_calls: Option<u64>,
}

/// Steps whose size depends on their results.
#[derive(Debug, Clone, PartialEq)]
pub struct ControlledSteps {
    /// The first step \[s\].
    pub first: f64,
    /// The smallest step \[s\].
    pub minimum: f64,
    /// The largest step \[s\].
    pub maximum: f64,
    /// `None`: steps shrink only if a loop does not converge.
    pub local: Option<LocalControl>,
}

impl ControlledSteps {
    /// Returns the estimator of the local error, if there is one.
    #[must_use]
    pub fn estimator(&self) -> Option<&EstimatorMethod> {
        self.local.as_ref().map(|local| &local.estimator)
    }

    /// Returns the master whose formulas are used instead of Lotka's own.
    #[must_use]
    pub fn compatibility(&self) -> Option<Compatibility> {
        self.local.as_ref().and_then(|local| local.compatibility)
    }
}

/// Control of the local error.
#[derive(Debug, Clone, PartialEq)]
pub struct LocalControl {
    /// Tolerances.
    pub tolerances: Tolerances,
    /// The step-size controller.
    pub controller: ControllerMethod,
    /// Its numbers.
    pub factors: StepFactors,
    /// The estimator.
    pub estimator: EstimatorMethod,
    /// The master whose formulas are used instead of Lotka's own.
    pub compatibility: Option<Compatibility>,
}
