//! Whether instances can be read again after a jump, and what was known before it.

use lotka_plan::graph::Plan;

use super::{Signals, input_values::InputValues};

/// Whether an instance can be read after its inputs were set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rereading {
    /// It will be tried.
    Untried,
    Accepted,
    Refused,
}

/// What was known before a jump.
#[derive(Debug)]
pub(super) struct BeforeJump {
    /// Of each instance that makes steps.
    pub(super) inputs: Vec<InputValues>,
    /// Room for the values before an instance is read again.
    pub(super) signals: Signals,
}

impl BeforeJump {
    pub(super) fn new(plan: &Plan, values: &Signals) -> Box<Self> {
        Box::new(Self { inputs: vec![InputValues::default(); plan.n_stepping], signals: values.clone() })
    }

    pub(super) fn note_inputs(&mut self, plan: &Plan, values: &Signals) {
        for (index, inputs) in self.inputs.iter_mut().enumerate() {
            inputs.take(plan, index, values);
        }
    }
}
