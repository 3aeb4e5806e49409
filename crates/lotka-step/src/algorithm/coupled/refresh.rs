//! Refreshing of outputs with direct feedthrough. They are stale after a step, because the instance computed them with assumed
//! inputs.
//!
//! FMI does not allow reading after setting without a step in between, except in event mode (FMI 3.0), so refreshing is a policy.

use super::Coupled;
use crate::{
    algorithm::{
        Attempt,
        attempt::{call_failed, proceed},
        refresh::Refresh,
    },
    signal::{Delivery, Knowledge},
};

impl Coupled {
    /// Refreshes the outputs of the instances, in the given order, with the newest values as inputs.
    #[inline]
    pub fn refresh(&mut self, instances: &[usize]) -> Attempt<()> {
        if self.refreshes.is_empty() { Attempt::Continue(()) } else { self.refresh_instances(instances) }
    }

    /// Refreshes the outputs of one instance with the held values as inputs.
    #[inline]
    pub fn refresh_with_held(&mut self, instance: usize) -> Attempt<()> {
        if self.refreshes.is_empty() { Attempt::Continue(()) } else { self.refresh_instance(instance, Knowledge::Held) }
    }

    fn refresh_instances(&mut self, instances: &[usize]) -> Attempt<()> {
        instances.iter().try_for_each(|&instance| self.refresh_instance(instance, Knowledge::Newest))
    }

    fn refresh_instance(&mut self, instance: usize, knowledge: Knowledge) -> Attempt<()> {
        match self.refreshes[instance] {
            Refresh::Stale => return Attempt::Continue(()),
            Refresh::ReRead => proceed(self.read_again(instance, knowledge).map_err(call_failed))?,
            Refresh::Derivative => proceed(self.follow_inputs(instance, knowledge).map_err(call_failed))?,
        }
        if let Some(bonds) = &mut self.bonds {
            bonds.refreshed(instance, &self.newest);
        }
        Attempt::Continue(())
    }

    /// Whether an instance has outputs with direct feedthrough that keep the values computed with the delivered inputs.
    #[must_use]
    pub fn stays_stale(&self, index: usize) -> bool {
        let is_refreshed = self.refreshes.get(index).is_some_and(|refresh| *refresh != Refresh::Stale);
        let knows_end = self.inputs.as_ref().is_some_and(|inputs| inputs.delivery(index) != Delivery::Mean);
        self.plan.instances[index].has_feedthrough && !is_refreshed && !knows_end
    }

    /// Whether the outputs of an instance are read again after each step.
    #[must_use]
    pub fn is_read_again(&self, index: usize) -> bool {
        self.refreshes.get(index) == Some(&Refresh::ReRead)
    }

    fn end_inputs(&mut self, index: usize, knowledge: Knowledge) -> usize {
        let count = self.plan.instances[index].input_references.len();
        let ends = if knowledge == Knowledge::Held { &self.held } else { &self.newest };
        if let Some(inputs) = &self.inputs {
            inputs.end_values(index, ends, knowledge, &mut self.buffers.gathered[..count]);
        }
        count
    }

    fn read_again(&mut self, index: usize, knowledge: Knowledge) -> lotka_instance::CallResult<()> {
        let count = self.end_inputs(index, knowledge);
        self.exchange_at_once(index, count)
    }

    fn follow_inputs(&mut self, index: usize, knowledge: Knowledge) -> lotka_instance::CallResult<()> {
        let count = self.end_inputs(index, knowledge);
        let instance_plan = &self.plan.instances[index];
        let used = &mut self.used[instance_plan.gathers.clone()];
        for (seed, used) in self.buffers.gathered[..count].iter_mut().zip(used) {
            let end = *seed;
            *seed -= *used;
            *used = end;
        }
        let changes = &mut self.buffers.changes[..instance_plan.output_references.len()];
        let instance = &mut self.instances[index].inner;
        instance.directional_derivative(
            &instance_plan.output_references,
            &instance_plan.input_references,
            &self.buffers.gathered[..count],
            changes,
        )?;
        for (value, change) in self.newest.reals[instance_plan.outputs.clone()].iter_mut().zip(changes) {
            *value += *change;
        }
        Ok(())
    }
}
