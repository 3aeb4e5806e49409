//! Saved states of the coupled instances, and rollbacks to them.

use lotka_instance::CallResult;

use super::Coupled;
use crate::{
    Error,
    algorithm::{
        CoupledInstance, Signals,
        attempt::call_failed,
        saved_states::{Level, Saved},
    },
    renewal::failed,
};

impl Coupled {
    /// Allocates saved states up to and including `level`, for all instances that support rollback. A method that needs rollback
    /// of other instances was refused earlier.
    ///
    /// # Errors
    /// A call to an instance fails.
    pub fn allow_rollback(&mut self, level: Level) -> Result<(), Box<Error>> {
        while self.saved.levels.len() <= level as usize {
            let slot = |instance: &mut CoupledInstance| {
                let can = instance.inner.capabilities().save_state;
                can.then(|| instance.inner.new_slot()).transpose()
            };
            let slots = self.instances.iter_mut().map(slot).collect::<CallResult<_>>().map_err(failed)?;
            self.saved.levels.push(Saved { slots, signals: self.newest.clone() });
        }
        Ok(())
    }

    /// Frees all saved states.
    pub fn free_saved(&mut self) {
        self.free_retained();
        for saved in std::mem::take(&mut self.saved).levels {
            for (instance, slot) in self.instances.iter_mut().zip(saved.slots) {
                // An instance that cannot free its state now frees it at its own end.
                let _ = slot.map(|slot| instance.inner.free_slot(slot));
            }
        }
    }

    /// Saves the states of all instances, which are at `t`, and the newest values.
    ///
    /// # Errors
    /// A call to an instance fails.
    ///
    /// # Panics
    /// [`Coupled::allow_rollback`] was not called for `level`.
    #[inline]
    pub fn save(&mut self, level: Level, t: f64) -> Result<(), Box<Error>> {
        if level == Level::Communication {
            self.saved.restorable = t.min(self.saved.earliest_retained);
        }
        let saved = &mut self.saved.levels[level as usize];
        saved.signals.copy_from(&self.newest);
        if let Some(bonds) = &mut self.bonds {
            bonds.save(level);
        }
        for (instance, slot) in self.instances.iter_mut().zip(&saved.slots) {
            let Some(slot) = slot else { continue };
            instance.inner.save(*slot).map_err(call_failed)?;
            instance.calls.saves += 1;
        }
        Ok(())
    }

    /// Declares that instances do not return exactly to their saved states in this run.
    pub fn distrust_rollback(&mut self) {
        self.saved.is_inexact = true;
    }

    /// Whether instances were found that do not return exactly to their saved states.
    #[must_use]
    pub fn is_rollback_inexact(&self) -> bool {
        self.saved.is_inexact
    }

    /// Trusts saved states again, as at the beginning of each run.
    pub(crate) fn trust_rollback(&mut self) {
        self.saved.is_inexact = false;
    }

    /// Declares that no saved state will be restored any more.
    pub fn forget_saved(&mut self) {
        self.saved.restorable = self.saved.earliest_retained;
    }

    /// Rolls all instances and the newest values back.
    ///
    /// # Errors
    /// A call to an instance fails.
    ///
    /// # Panics
    /// [`Coupled::allow_rollback`] was not called for `level`.
    #[inline]
    pub fn restore(&mut self, level: Level) -> Result<(), Box<Error>> {
        self.restore_signals(level);
        let saved = &self.saved.levels[level as usize];
        self.n_rollbacks += 1;
        if let Some(bonds) = &mut self.bonds {
            bonds.restore(level);
        }
        for (instance, slot) in self.instances.iter_mut().zip(&saved.slots) {
            let Some(slot) = slot else { continue };
            instance.inner.restore(*slot).map_err(call_failed)?;
            instance.calls.restores += 1;
            instance.awaits_event = false;
        }
        Ok(())
    }

    /// Rolls some instances back; the newest values stay as they are.
    ///
    /// # Errors
    /// A call to an instance fails.
    ///
    /// # Panics
    /// [`Coupled::allow_rollback`] was not called for `level`.
    pub fn restore_instances(&mut self, instances: &[usize], level: Level) -> Result<(), Box<Error>> {
        self.n_rollbacks += 1;
        if let Some(bonds) = &mut self.bonds {
            bonds.restore_instances(instances, level);
        }
        for &index in instances {
            let Some(slot) = self.saved.levels[level as usize].slots[index] else { continue };
            let instance = &mut self.instances[index];
            instance.inner.restore(slot).map_err(call_failed)?;
            instance.calls.restores += 1;
            instance.awaits_event = false;
        }
        Ok(())
    }

    /// Rolls all other instances and the newest values back, because an instance that is at the saved point has an event there.
    ///
    /// # Errors
    /// A call to an instance fails.
    pub fn restore_others(&mut self, index: usize, level: Level) -> Result<(), Box<Error>> {
        self.restore_signals(level);
        let others: Vec<usize> = (0..self.instances.len()).filter(|other| *other != index).collect();
        self.restore_instances(&others, level)
    }

    /// Takes the newest values back to the saved point; the instances stay where they are.
    pub fn restore_signals(&mut self, level: Level) {
        self.newest.copy_from(&self.saved.levels[level as usize].signals);
    }

    /// Values at the saved point.
    #[must_use]
    pub fn saved_signals(&self, level: Level) -> &Signals {
        &self.saved.levels[level as usize].signals
    }

    /// Real values at the saved point.
    ///
    /// # Panics
    /// [`Coupled::allow_rollback`] was not called for `level`.
    #[must_use]
    pub fn saved_reals(&self, level: Level) -> &[f64] {
        &self.saved_signals(level).reals
    }
}
