//! Refusals of steps that an integrator cannot make.

use integrator::Failure;

use crate::{Refusal, Step};

/// Returns a discard of the step, because a smaller step may succeed. If the results up to the failure are valid, the discard
/// names that time.
#[cold]
pub(super) fn refusal(failure: &Failure, integrator: &str, step: &Step) -> Refusal {
    let message = format!("integrator `{integrator}` from {} s: {failure}; use a smaller step or another integrator", step.t);
    match failure.good_until() {
        Some(tau) if step.t + tau > step.t => Refusal::discard_at(step.t + tau, message),
        _ => Refusal::discard(message),
    }
}
