//! The behavior of an instance with respect to its inputs, found by trial steps before the first step.

use lotka_instance::{CallResult, StepOutcome};

use crate::{
    Error,
    algorithm::{Coupled, exchange_at_once},
};

/// Relative changes of inputs, tried until the instance accepts two of them: the domain of an input may end at its value.
const SHARES: [f64; 4] = [0.25, -0.125, 0.125, -0.25];

/// The results of the trials.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Behavior {
    /// Whether the instance has no state: after different inputs, the same input yields bitwise the same outputs.
    pub(crate) is_memoryless: bool,
    /// Whether outputs read after setting inputs are those of the new inputs.
    pub(crate) recomputes: bool,
}

/// Tries every instance that may have direct feedthrough and supports rollback, with steps of `h` from `t`.
/// Afterwards all instances are in their original state.
///
/// # Errors
/// A state cannot be saved or restored. Any other refusal of an instance yields no result.
pub(crate) fn probe(coupled: &mut Coupled, t: f64, h: f64) -> Result<Vec<Behavior>, Box<Error>> {
    let mut behaviors = vec![Behavior::default(); coupled.instances.len()];
    for (index, behavior) in behaviors.iter_mut().enumerate() {
        let instance_plan = &coupled.plan.instances[index];
        let instance = &coupled.instances[index].inner;
        if instance_plan.has_feedthrough && !instance_plan.outputs.is_empty() && instance.capabilities().save_state {
            *behavior = probe_one(coupled, index, t, h).map_err(|error| Box::new(Error::Initialization(error)))?;
        }
    }
    Ok(behaviors)
}

fn probe_one(coupled: &mut Coupled, index: usize, t: f64, h: f64) -> CallResult<Behavior> {
    let inputs = coupled.inputs_of(index);
    let outputs = coupled.newest.reals[coupled.plan.instances[index].outputs.clone()].to_vec();
    let mut trial = BehaviorTrial { t, h, outputs: vec![0.0; outputs.len()], coupled, index };
    let slot = trial.coupled.instances[index].inner.new_slot()?;
    trial.coupled.instances[index].inner.save(slot)?;
    let recomputes = trial.recomputes(&inputs, &outputs);
    trial.coupled.instances[index].inner.restore(slot)?;
    let mut results = Vec::new();
    for share in SHARES {
        if results.len() < 2 {
            results.extend(trial.after_another(&changed(&inputs, share), &inputs));
            trial.coupled.instances[index].inner.restore(slot)?;
        }
    }
    trial.coupled.instances[index].inner.free_slot(slot)?;
    let is_memoryless = matches!(results.as_slice(), [first, second] if bits(first).eq(bits(second)));
    Ok(Behavior { is_memoryless, recomputes })
}

fn bits(values: &[f64]) -> impl Iterator<Item = u64> {
    values.iter().map(|value| value.to_bits())
}

/// Returns other inputs of about the same size; zeros are replaced by the share itself.
pub(super) fn changed(inputs: &[f64], share: f64) -> Vec<f64> {
    inputs.iter().map(|value| if *value == 0.0 { share } else { value * (1.0 + share) }).collect()
}

/// BehaviorTrial steps of an instance with other inputs.
struct BehaviorTrial<'a> {
    coupled: &'a mut Coupled,
    index: usize,
    t: f64,
    h: f64,
    outputs: Vec<f64>,
}

impl BehaviorTrial<'_> {
    /// Whether reading after setting returns other outputs.
    fn recomputes(&mut self, inputs: &[f64], before: &[f64]) -> bool {
        let instance_plan = &self.coupled.plan.instances[self.index];
        let instance = &mut self.coupled.instances[self.index].inner;
        let read = exchange_at_once(instance.as_mut(), instance_plan, &changed(inputs, 0.25), &mut self.outputs);
        read.is_ok() && !bits(&self.outputs).eq(bits(before))
    }

    /// Outputs after a step with `other` inputs and one with `inputs`; `None` if a step is refused.
    fn after_another(&mut self, other: &[f64], inputs: &[f64]) -> Option<Vec<f64>> {
        self.step(other, self.t, true)?;
        self.step(inputs, self.t + self.h, false)?;
        Some(self.outputs.clone())
    }

    fn step(&mut self, inputs: &[f64], t: f64, commit: bool) -> Option<()> {
        let instance = &mut self.coupled.instances[self.index];
        instance.calls.steps += 1;
        let outcome = instance.inner.step(inputs, t, self.h, commit, &mut self.outputs);
        matches!(outcome, Ok(StepOutcome::Complete)).then_some(())
    }
}
