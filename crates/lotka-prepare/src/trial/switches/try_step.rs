//! One trial step.

use lotka_instance::{Slot, StepOutcome};
use lotka_step::algorithm::Coupled;

/// Outputs of an instance after a step from a saved state, to which it returns afterwards; `None` if it refuses.
pub(super) fn try_step(coupled: &mut Coupled, index: usize, slot: Slot, inputs: &[f64], (t, h): (f64, f64)) -> Option<Vec<f64>> {
    let mut outputs = vec![0.0; coupled.plan.instances[index].outputs.len()];
    let instance = &mut coupled.instances[index];
    instance.calls.steps += 1;
    let instance = &mut instance.inner;
    instance.restore(slot).ok()?;
    let outcome = instance.step(inputs, t, h, false, &mut outputs);
    instance.restore(slot).ok()?;
    matches!(outcome, Ok(StepOutcome::Complete)).then_some(outputs)
}
