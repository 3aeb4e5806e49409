//! The step of an instance whose inputs are polynomials.

use super::{
    Attempt, Coupled,
    attempt::{call_failed, proceed},
    coupled_instance::Call,
};
use crate::signal::{Delivery, InputSignals, Knowledge};

impl Coupled {
    /// Steps one instance; `held` selects the values that count as known at the end.
    pub(super) fn step_along_signals(&mut self, index: usize, held: bool, call: Call) -> Attempt<()> {
        let Some(mut inputs) = self.inputs.take() else { return Attempt::Continue(()) };
        let result = self.step_along(&mut inputs, index, held, call);
        inputs.arrived(index);
        self.inputs = Some(inputs);
        result
    }

    fn step_along(&mut self, inputs: &mut InputSignals, index: usize, held: bool, call: Call) -> Attempt<()> {
        let (ends, knowledge) = if held { (&self.held, Knowledge::Held) } else { (&self.newest, Knowledge::Newest) };
        let instance_plan = &self.plan.instances[index];
        let values = &mut self.buffers.gathered[..instance_plan.input_references.len()];
        inputs.values(index, ends, knowledge, values);
        let used = &mut self.used[instance_plan.gathers.clone()];
        let degree = inputs.degree(index);
        if inputs.delivery(index) == Delivery::Derivatives && degree > 0 {
            let instance = &mut self.instances[index].inner;
            proceed(instance.set_real(&instance_plan.input_references, values).map_err(call_failed))?;
            for order in 1..=degree {
                inputs.derivatives(index, order, ends, knowledge, values);
                let orders = &self.buffers.orders[order - 1][..values.len()];
                proceed(instance.set_input_derivatives(&instance_plan.input_references, orders, values).map_err(call_failed))?;
            }
            inputs.end_values(index, ends, knowledge, used);
            let outputs = &mut self.newest.reals[instance_plan.outputs.clone()];
            self.instances[index].step_and_read(index, instance_plan, outputs, call)?;
        } else {
            used.copy_from_slice(values);
            let outputs = &mut self.newest.reals[instance_plan.outputs.clone()];
            self.instances[index].step(index, values, outputs, call)?;
        }
        if let Some(bonds) = &mut self.bonds {
            let ends = if held { &self.held } else { &self.newest };
            bonds.stepped(index, (call.t, call.h), &self.newest, |term| inputs.delivered(index, term, ends, knowledge));
        }
        match self.read_slopes(index) {
            Ok(false) => Attempt::Continue(()),
            Ok(true) => {
                inputs.give_up_slopes(&self.plan, |signal| self.slope_faults.has(signal));
                Attempt::Continue(())
            }
            Err(error) => proceed(Err(call_failed(error))),
        }
    }
}
