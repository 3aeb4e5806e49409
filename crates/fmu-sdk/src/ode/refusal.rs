//! What a failure of an integrator means to the importer.

use integrator::Failure;

use crate::{Refusal, Step};

/// A discard of the step: a smaller one may do, which ends where the integration had to stop if what it computed up to there is good.
#[cold]
pub(super) fn refusal(failure: &Failure, integrator: &str, step: &Step) -> Refusal {
    let message = format!("integrator `{integrator}` from {} s: {failure}; use a smaller step or another integrator", step.t);
    match failure.good_until() {
        Some(tau) if step.t + tau > step.t => Refusal::discard_at(step.t + tau, message),
        _ => Refusal::discard(message),
    }
}
