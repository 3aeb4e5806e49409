//! The Real inputs of an instance.

use lotka_plan::graph::{Feed, InstancePlan, Plan};

use super::Signals;
use crate::signal::{InputSignals, Knowledge};

/// Computes the Real inputs of an instance, as the input signals of a step if there are any.
#[inline]
pub(super) fn compute(
    plan: &Plan,
    signals: Option<&InputSignals>,
    index: usize,
    (values, knowledge): (&Signals, Knowledge),
    inputs: &mut [f64],
) {
    match signals {
        Some(signals) => signals.values(index, values, knowledge, inputs),
        None => gather(plan, &plan.instances[index], &values.reals, inputs),
    }
}

/// Computes the Real inputs of an instance: `offset + sum(factor * signal)`.
#[inline]
pub(super) fn gather(plan: &Plan, instance_plan: &InstancePlan, signals: &[f64], gathered: &mut [f64]) {
    match &instance_plan.feed {
        Feed::Direct(range) => gathered.copy_from_slice(&signals[range.clone()]),
        Feed::Gather => {
            for (value, gather) in gathered.iter_mut().zip(&plan.gathers[instance_plan.gathers.clone()]) {
                *value = gather.value(&plan.terms, signals);
            }
        }
    }
}
