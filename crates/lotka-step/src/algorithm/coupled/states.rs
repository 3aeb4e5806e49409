//! The coupled instances in a checkpoint.

use lotka_instance::CallResult;

use super::Coupled;
use crate::{
    Error,
    algorithm::{Signals, attempt::call_failed, saved_states::Level},
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
    pub fn serialize(&mut self) -> Result<Vec<Vec<u8>>, Box<Error>> {
        let slots = &self.saved.levels[Level::Communication as usize].slots;
        let states = self.instances.iter_mut().zip(slots).filter_map(|(instance, slot)| {
            let slot = (*slot)?;
            Some(instance.inner.save(slot).and_then(|()| instance.inner.serialize(slot)))
        });
        states.collect::<Result<_, _>>().map_err(call_failed)
    }

    /// Takes the instances to the states in `bytes`.
    ///
    /// # Errors
    /// A call fails, or there are not as many states as instances.
    pub fn deserialize(&mut self, states: &[Vec<u8>]) -> Result<Result<(), Mismatch>, Box<Error>> {
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

    /// Reads the outputs of all instances that make steps, in the states that are saved at this communication point; other
    /// signals are 0. An instance that refuses to be read before its next step returns to its state, and is not read again. The
    /// newest values stay, which may be older.
    ///
    /// # Errors
    /// An instance does not return.
    pub fn outputs_now(&mut self) -> Result<Signals, Box<Error>> {
        let newest = std::mem::replace(&mut self.newest, Signals::new(&self.plan));
        let read = loop {
            let read = self.read_open();
            if !matches!(read, Ok(false)) {
                break read;
            }
            // What was read of the instance that refused is forgotten.
            self.newest = Signals::new(&self.plan);
        };
        let found = std::mem::replace(&mut self.newest, newest);
        read.map(|_| found).map_err(call_failed)
    }

    /// Reads the outputs of instances that have not refused it; returns false if one does now.
    fn read_open(&mut self) -> CallResult<bool> {
        for index in 0..self.plan.n_stepping {
            let slot = self.saved.levels[Level::Communication as usize].slots[index];
            if self.instances[index].is_closed_between_steps {
                continue;
            }
            if let Err(error) = self.read_outputs(index) {
                self.instances[index].is_closed_between_steps = true;
                let returned = slot.is_some_and(|slot| self.instances[index].inner.restore(slot).is_ok());
                return if returned { Ok(false) } else { Err(error) };
            }
        }
        Ok(true)
    }
}
