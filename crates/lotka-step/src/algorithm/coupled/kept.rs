//! States of all instances that a session keeps, beside those of the levels.

use std::sync::{Arc, Weak};

use lotka_instance::CallResult;

use super::Coupled;
use crate::{
    Error,
    algorithm::{
        CoupledInstance,
        attempt::call_failed,
        saved_states::{Kept, KeptSlots},
    },
};

impl Coupled {
    /// Keeps the states of all instances that can save theirs; they are at `t`.
    ///
    /// # Errors
    /// A call to an instance fails.
    pub fn keep(&mut self, t: f64) -> Result<Kept, Box<Error>> {
        let kept = &mut self.saved.kept;
        let number = match kept.iter().position(|kept| kept.holder.strong_count() == 0) {
            Some(free) => free,
            None => {
                let slot = |instance: &mut CoupledInstance| {
                    let can = instance.inner.capabilities().save_state;
                    can.then(|| instance.inner.new_slot()).transpose()
                };
                let slots = self.instances.iter_mut().map(slot).collect::<CallResult<_>>().map_err(call_failed)?;
                kept.push(KeptSlots { slots, holder: Weak::new(), t });
                kept.len() - 1
            }
        };
        for (instance, slot) in self.instances.iter_mut().zip(&kept[number].slots) {
            slot.map_or(Ok(()), |slot| instance.inner.save(slot)).map_err(call_failed)?;
        }
        let holder = Arc::new(());
        (kept[number].holder, kept[number].t) = (Arc::downgrade(&holder), t);
        Ok(Kept { number, holder })
    }

    /// Whether a kept state is one of these instances.
    #[must_use]
    pub fn has_kept(&self, kept: &Kept) -> bool {
        self.saved.kept.get(kept.number).is_some_and(|known| known.holder.as_ptr() == Arc::as_ptr(&kept.holder))
    }

    /// Takes the instances to a kept state, which must be one of theirs.
    ///
    /// # Errors
    /// A call to an instance fails.
    pub fn return_to(&mut self, kept: &Kept) -> Result<(), Box<Error>> {
        for (instance, slot) in self.instances.iter_mut().zip(&self.saved.kept[kept.number].slots) {
            slot.map_or(Ok(()), |slot| instance.inner.restore(slot)).map_err(call_failed)?;
        }
        Ok(())
    }

    /// Frees all kept states.
    pub fn drop_kept(&mut self) {
        for kept in std::mem::take(&mut self.saved.kept) {
            for (instance, slot) in self.instances.iter_mut().zip(kept.slots) {
                // An instance that cannot free its state now frees it at its own end.
                let _ = slot.map(|slot| instance.inner.free_slot(slot));
            }
        }
        // Later runs may promise the instances again that no earlier state is restored.
        self.saved.earliest_kept = f64::INFINITY;
    }

    /// Finds the time before which no state will be restored. Call it only where no state of a level will be restored.
    pub fn promise(&mut self) {
        let held = self.saved.kept.iter().filter(|kept| kept.holder.strong_count() > 0);
        self.saved.earliest_kept = held.map(|kept| kept.t).fold(f64::INFINITY, f64::min);
        self.saved.restorable = self.saved.earliest_kept;
    }
}
