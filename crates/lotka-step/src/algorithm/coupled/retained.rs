//! States of all instances that a session retains, in addition to those of the levels.

use std::sync::{Arc, Weak};

use lotka_instance::CallResult;

use super::Coupled;
use crate::{
    Error,
    algorithm::{
        CoupledInstance,
        attempt::call_failed,
        saved_states::{RetainedSlots, RetainedState},
    },
};

impl Coupled {
    /// Retains the states of all instances that can save theirs; they are at `t`.
    ///
    /// # Errors
    /// A call to an instance fails.
    pub fn retain(&mut self, t: f64) -> Result<RetainedState, Box<Error>> {
        let retained = &mut self.saved.retained;
        let number = match retained.iter().position(|retained| retained.holder.strong_count() == 0) {
            Some(free) => free,
            None => {
                let slot = |instance: &mut CoupledInstance| {
                    let can = instance.inner.capabilities().save_state;
                    can.then(|| instance.inner.new_slot()).transpose()
                };
                let slots = self.instances.iter_mut().map(slot).collect::<CallResult<_>>().map_err(call_failed)?;
                retained.push(RetainedSlots { slots, holder: Weak::new(), t });
                retained.len() - 1
            }
        };
        for (instance, slot) in self.instances.iter_mut().zip(&retained[number].slots) {
            slot.map_or(Ok(()), |slot| instance.inner.save(slot)).map_err(call_failed)?;
        }
        let holder = Arc::new(());
        (retained[number].holder, retained[number].t) = (Arc::downgrade(&holder), t);
        Ok(RetainedState { number, holder })
    }

    /// Whether a retained state is one of these instances.
    #[must_use]
    pub fn has_retained(&self, retained: &RetainedState) -> bool {
        self.saved.retained.get(retained.number).is_some_and(|known| known.holder.as_ptr() == Arc::as_ptr(&retained.holder))
    }

    /// Takes the instances to a retained state, which must be one of theirs.
    ///
    /// # Errors
    /// A call to an instance fails.
    pub fn return_to(&mut self, retained: &RetainedState) -> Result<(), Box<Error>> {
        for (instance, slot) in self.instances.iter_mut().zip(&self.saved.retained[retained.number].slots) {
            slot.map_or(Ok(()), |slot| instance.inner.restore(slot)).map_err(call_failed)?;
        }
        Ok(())
    }

    /// Frees all retained states.
    pub fn free_retained(&mut self) {
        for retained in std::mem::take(&mut self.saved.retained) {
            for (instance, slot) in self.instances.iter_mut().zip(retained.slots) {
                // An instance that cannot free its state now frees it at its own end.
                let _ = slot.map(|slot| instance.inner.free_slot(slot));
            }
        }
        // Later runs may promise the instances again that no earlier state is restored.
        self.saved.earliest_retained = f64::INFINITY;
    }

    /// Finds the time before which no state will be restored. Call it only where no state of a level will be restored.
    pub fn promise(&mut self) {
        let held = self.saved.retained.iter().filter(|retained| retained.holder.strong_count() > 0);
        self.saved.earliest_retained = held.map(|retained| retained.t).fold(f64::INFINITY, f64::min);
        self.saved.restorable = self.saved.earliest_retained;
    }
}
