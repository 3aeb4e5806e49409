//! Why a communication step cannot be integrated.

use crate::{Refusal, Step};

/// What went wrong; `tau` \[s\] is how far the integration came in the communication step.
#[derive(Debug, Clone, thiserror::Error)]
pub(super) enum Failure {
    #[error("the states are no longer finite numbers after {tau} s of the step; the method may be unstable with this step")]
    NotFinite { tau: f64 },
    #[error("the tolerance cannot be reached: after {tau} s of the step internal steps become smaller than {step} s")]
    StepTooSmall { tau: f64, step: f64 },
    #[error("after {tau} s the step takes more than {limit} internal steps")]
    TooManySteps { tau: f64, limit: u32 },
    #[cfg(feature = "stiff")]
    #[error("after {tau} s of the step the solver gives up: {source}")]
    Solver { tau: f64, source: diffsol::error::DiffsolError },
}

impl Failure {
    /// A discard of the step: a smaller one may do, which ends where the integration had to stop if what it computed up to there is good.
    #[cold]
    pub fn refusal(&self, integrator: &str, step: &Step) -> Refusal {
        let message = format!("integrator `{integrator}` from {} s: {self}; use a smaller step or another integrator", step.t);
        match self.good_until() {
            Some(tau) if step.t + tau > step.t => Refusal::discard_at(step.t + tau, message),
            _ => Refusal::discard(message),
        }
    }

    /// Up to where the step was computed within the tolerance \[s\].
    fn good_until(&self) -> Option<f64> {
        match self {
            Self::NotFinite { .. } => None,
            Self::StepTooSmall { tau, .. } | Self::TooManySteps { tau, .. } => Some(*tau),
            #[cfg(feature = "stiff")]
            Self::Solver { tau, .. } => Some(*tau),
        }
    }
}
