//! The refusals for failures of an integrator.

use integrator::Failure;

use crate::{Refusal, Step};

/// Returns a discard of the step. A smaller step may succeed; it ends where the integration had to stop, if the results up to there are valid.
#[cold]
pub(super) fn refusal(failure: &Failure, integrator: &str, step: &Step) -> Refusal {
    let message = format!("integrator `{integrator}` from {} s: {failure}; use a smaller step or another integrator", step.t);
    match failure.good_until() {
        Some(tau) if step.t + tau > step.t => Refusal::discard_at(step.t + tau, message),
        _ => Refusal::discard(message),
    }
}
