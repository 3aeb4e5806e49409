//! The step of an instance that exchanges more than Real values, or whose inputs are delivered with derivatives: what comes
//! before the step, and what comes after it.

use super::Coupled;
use crate::{
    algorithm::{
        Attempt,
        attempt::{call_failed, proceed},
        call::Call,
        gather::gather,
    },
    signal::{DeliveredInput, Delivery, Knowledge},
};

impl Coupled {
    /// Sets all that an instance receives, except for the inputs that the step itself sets. Returns their number; they are
    /// gathered.
    pub(crate) fn prepare_step(&mut self, index: usize, held: bool) -> Attempt<usize> {
        proceed(self.set_discrete_inputs(index, held).map_err(call_failed))?;
        let (ends, knowledge) = if held { (&self.held, Knowledge::Held) } else { (&self.newest, Knowledge::Newest) };
        let instance_plan = &self.plan.instances[index];
        let values = &mut self.buffers.gathered[..instance_plan.input_references.len()];
        let Some(inputs) = &self.inputs else {
            gather(&self.plan, instance_plan, &ends.reals, values);
            return Attempt::Continue(values.len());
        };
        inputs.values(index, ends, knowledge, values);
        let used = &mut self.used[instance_plan.gathers.clone()];
        let degree = inputs.degree(index);
        if inputs.delivery(index) != Delivery::Derivatives || degree == 0 {
            used.copy_from_slice(values);
            return Attempt::Continue(values.len());
        }
        let instance = &mut self.instances[index].inner;
        proceed(instance.set_real(&instance_plan.input_references, values).map_err(call_failed))?;
        for order in 1..=degree {
            inputs.derivatives(index, order, ends, knowledge, values);
            let orders = &self.buffers.orders[order - 1][..values.len()];
            proceed(instance.set_input_derivatives(&instance_plan.input_references, orders, values).map_err(call_failed))?;
        }
        inputs.end_values(index, ends, knowledge, used);
        Attempt::Continue(0)
    }

    /// Reads what the step itself does not read, and records the step.
    pub(crate) fn conclude_step(&mut self, index: usize, held: bool, call: Call) -> Attempt<()> {
        let (ends, knowledge) = if held { (&self.held, Knowledge::Held) } else { (&self.newest, Knowledge::Newest) };
        if let Some(bonds) = &mut self.bonds {
            let (inputs, terms) = (&self.inputs, &self.plan.terms);
            bonds.stepped(index, (call.t, call.h), &self.newest, |term| match inputs {
                Some(inputs) => inputs.delivered(index, term, ends, knowledge),
                None => DeliveredInput::held(ends.reals[terms[term].signal]),
            });
        }
        if let Some(inputs) = &mut self.inputs {
            inputs.arrived(index);
            self.follow_slopes(index)?;
        }
        let reads_discrete = self.plan.instances[index].discrete.as_ref().is_some_and(|discrete| discrete.every_step);
        if reads_discrete {
            proceed(self.read_discrete(index).map_err(call_failed))?;
        }
        Attempt::Continue(())
    }

    /// Reads the slopes of the outputs of an instance; those that turn out to be useless are ignored from now on.
    fn follow_slopes(&mut self, index: usize) -> Attempt<()> {
        match self.read_slopes(index) {
            Ok(false) => Attempt::Continue(()),
            Ok(true) => {
                if let Some(inputs) = &mut self.inputs {
                    inputs.give_up_slopes(&self.plan, |signal| self.slope_faults.has(signal));
                }
                Attempt::Continue(())
            }
            Err(error) => proceed(Err(call_failed(error))),
        }
    }
}
