//! Estimators of the local error by name.

use std::fmt;

use super::{custom::Custom, named::Named};
use crate::{
    algorithm::Coupled,
    error_control::{Embedded, Energy, Estimator, EstimatorSettings, ParallelEmbedded, PredictorCorrector, StepDoubling},
};

/// Creates a user's estimator.
pub type MakeEstimator = dyn Fn(EstimatorSettings, &mut Coupled) -> Box<dyn Estimator> + Send + Sync;

/// An estimator of the local error (key `estimator`).
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum EstimatorMethod {
    /// Compares each step with two half steps.
    StepDoubling,
    /// Compares results with their extrapolation, without rollback.
    PredictorCorrector,
    /// Compares inputs of one degree with those of the next lower degree.
    Embedded,
    /// Compares outputs with the integrals of their derivatives.
    ParallelEmbedded,
    /// The energy created at power bonds.
    Energy,
    /// A user's method.
    Custom {
        /// Its name and its constructor.
        custom: Custom<MakeEstimator>,
        /// Whether its attempts roll back.
        rolls_back: bool,
    },
}

impl EstimatorMethod {
    /// Whether each of its attempts rolls back.
    #[must_use]
    pub fn rolls_back(&self) -> bool {
        match self {
            Self::StepDoubling | Self::Embedded => true,
            Self::PredictorCorrector | Self::ParallelEmbedded | Self::Energy => false,
            Self::Custom { rolls_back, .. } => *rolls_back,
        }
    }

    /// Whether it may roll back past two consecutive steps.
    #[must_use]
    pub fn may_halve(&self) -> bool {
        matches!(self, Self::StepDoubling | Self::Custom { rolls_back: true, .. })
    }

    /// Creates the estimator.
    pub fn make(&self, settings: EstimatorSettings, coupled: &mut Coupled) -> Box<dyn Estimator> {
        match self {
            Self::StepDoubling => Box::new(StepDoubling::new(settings, coupled)),
            Self::PredictorCorrector => Box::new(PredictorCorrector::new(settings, coupled)),
            Self::Embedded => Box::new(Embedded::new(settings, coupled)),
            Self::ParallelEmbedded => Box::new(ParallelEmbedded::new(settings, coupled)),
            Self::Energy => Box::new(Energy::new(settings, coupled)),
            Self::Custom { custom, .. } => (custom.make)(settings, coupled),
        }
    }
}

impl Named for EstimatorMethod {
    const KEY: &'static str = "estimator";

    fn built_in() -> Vec<Self> {
        vec![Self::StepDoubling, Self::PredictorCorrector, Self::Embedded, Self::ParallelEmbedded, Self::Energy]
    }

    fn name(&self) -> &'static str {
        match self {
            Self::StepDoubling => "step-doubling",
            Self::PredictorCorrector => "predictor-corrector",
            Self::Embedded => "embedded",
            Self::ParallelEmbedded => "parallel-embedded",
            Self::Energy => "energy",
            Self::Custom { custom, .. } => custom.name(),
        }
    }
}

impl fmt::Display for EstimatorMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
