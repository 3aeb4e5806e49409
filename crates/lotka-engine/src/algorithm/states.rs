//! The coupled instances in a checkpoint.

use super::{Coupled, Level, Signals, attempt::call_failed};
use crate::{
    Error,
    checkpoint::{Mismatch, Persistent, Transfer, Transferred},
};

/// Signals and counts. Input signals and bonds are set up before.
impl Persistent for Coupled {
    fn transfer(&mut self, transfer: &mut Transfer<'_>) -> Transferred {
        self.newest.transfer(transfer)?;
        self.held.transfer(transfer)?;
        transfer.slice(&mut self.used)?;
        transfer.value(&mut self.slope_faults.found)?;
        transfer.optional(self.inputs.as_deref_mut())?;
        if let Some(inputs) = &mut self.inputs {
            inputs.give_up_slopes(&self.plan, |signal| self.slope_faults.has(signal));
        }
        transfer.optional(self.bonds.as_deref_mut())?;
        transfer.optional(self.event_modes.as_deref_mut())?;
        transfer.value(&mut self.n_rollbacks)?;
        transfer.value(&mut self.n_iterations)?;
        self.instances.iter_mut().try_for_each(|instance| instance.transfer(transfer))
    }
}

impl Coupled {
    /// Returns the state of each instance as bytes. It is saved for that where the run saves it anyhow, and is not counted.
    ///
    /// # Errors
    /// A call fails. [`Coupled::allow_rollback`] must have been called before.
    pub(crate) fn serialize(&mut self) -> Result<Vec<Vec<u8>>, Box<Error>> {
        let slots = &self.saved.levels[Level::Communication as usize].slots;
        let states = self.instances.iter_mut().zip(slots).filter_map(|(instance, slot)| {
            let slot = (*slot)?;
            Some(instance.inner.save(slot).and_then(|()| instance.inner.serialize(slot)))
        });
        states.collect::<Result<_, _>>().map_err(call_failed)
    }

    /// Reads the outputs of all instances that make steps as they are now; other signals are 0. The newest values stay, which may be older.
    ///
    /// # Errors
    /// A call fails.
    pub(crate) fn outputs_now(&mut self) -> Result<Signals, Box<Error>> {
        let newest = std::mem::replace(&mut self.newest, Signals::new(&self.plan));
        let read = (0..self.plan.n_stepping).try_for_each(|index| self.read_outputs(index));
        let found = std::mem::replace(&mut self.newest, newest);
        read.map(|()| found).map_err(call_failed)
    }

    /// Takes the instances to the states in `bytes`.
    ///
    /// # Errors
    /// A call fails, or there are not as many states as instances.
    pub(crate) fn deserialize(&mut self, states: &[Vec<u8>]) -> Result<Result<(), Mismatch>, Box<Error>> {
        let slots = &self.saved.levels[Level::Communication as usize].slots;
        if states.len() != self.instances.len() || slots.iter().any(Option::is_none) {
            return Ok(Err(Mismatch));
        }
        for ((instance, slot), bytes) in self.instances.iter_mut().zip(slots).zip(states) {
            let Some(slot) = *slot else { continue };
            instance.inner.deserialize(slot, bytes).and_then(|()| instance.inner.restore(slot)).map_err(call_failed)?;
        }
        Ok(Ok(()))
    }
}
