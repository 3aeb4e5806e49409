//! The failures of an integration.

use crate::EvaluationError;

/// Why an integration stops before the end of its step. The internal step that failed starts `tau` \[s\] after the start of the
/// step.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum Failure {
    /// A state became infinite or not a number. With fixed steps, this often means that the method is unstable with this step.
    #[error("the states are no longer finite numbers after {tau} s of the step; the method may be unstable with this step")]
    NotFinite {
        /// Time since the start of the step \[s\].
        tau: f64,
    },
    /// The error estimate rejects even the smallest internal step.
    #[error("the tolerance cannot be reached: after {tau} s of the step internal steps become smaller than {step} s")]
    StepTooSmall {
        /// Time since the start of the step \[s\].
        tau: f64,
        /// The smallest internal step \[s\].
        step: f64,
    },
    /// The step reached the limit of internal steps.
    #[error("after {tau} s the step takes more than {limit} internal steps")]
    TooManySteps {
        /// Time since the start of the step \[s\].
        tau: f64,
        /// Most internal steps of one step.
        limit: u32,
    },
    /// The right-hand side refuses an evaluation; with step control, it does so however small the internal step is.
    #[error("the right-hand side refuses an evaluation in the internal step that starts after {tau} s of the step")]
    Refused {
        /// Time since the start of the step \[s\].
        tau: f64,
    },
    /// The right-hand side failed for good.
    #[error("the right-hand side fails in the internal step that starts after {tau} s of the step")]
    Failed {
        /// Time since the start of the step \[s\].
        tau: f64,
    },
}

impl Failure {
    /// Returns the time since the start of the step up to which its results are valid \[s\]: a step that ends there succeeds.
    /// `None`: no such time is known.
    #[must_use]
    pub fn good_until(&self) -> Option<f64> {
        match self {
            Self::NotFinite { .. } | Self::Failed { .. } => None,
            Self::StepTooSmall { tau, .. } | Self::TooManySteps { tau, .. } | Self::Refused { tau } => Some(*tau),
        }
    }

    /// Converts the error of an evaluation in the internal step that starts at `tau` \[s\].
    pub(crate) fn at(tau: f64) -> impl Fn(EvaluationError) -> Self {
        move |error| match error {
            EvaluationError::Refused => Self::Refused { tau },
            EvaluationError::Failed => Self::Failed { tau },
        }
    }
}
