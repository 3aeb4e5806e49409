//! Reading of outputs after inputs were set, without a step in between: after jumps and events.
//!
//! FMI does not promise it outside event mode, and some FMUs refuse it. An instance that can save its state is tried when this is
//! needed for the first time; if it refuses, it returns to that state. Any other instance is read again only if a trial before
//! the run has shown that it accepts this.
//!
//! An instance whose inputs jump and whose outputs stay may compute them in steps only. Two short steps, after which it returns,
//! show what they are.

use lotka_instance::{CallResult, Slot, StepOutcome};

use super::Coupled;
use crate::{
    Error,
    algorithm::{Signals, Step, attempt::call_failed, before_jump::Rereading},
};

impl Coupled {
    /// Permits that these instances, which cannot save their state, are read after their inputs were set.
    pub fn accept_rereading(&mut self, instances: &[usize]) {
        instances.iter().for_each(|&index| self.instances[index].rereading = Rereading::Accepted);
    }

    /// Reads the outputs of an instance after a jump before which its inputs were noted. `short` is a step that may be tried from
    /// here. Returns false if outputs that may follow the jump stay as they are.
    ///
    /// # Errors
    /// As for [`Coupled::reread`].
    pub fn follow_jump(&mut self, index: usize, short: Step) -> Result<bool, Box<Error>> {
        let was_set = std::mem::take(&mut self.instances[index].was_set);
        if !was_set && !self.plan.instances[index].reads() {
            return Ok(true);
        }
        let Some(mut before) = self.before_jump.take() else { return Ok(true) };
        let differs = before.inputs[index].take(&self.plan, index, &self.newest) || was_set;
        before.signals.copy_row_from(&self.newest);
        let result = self.reread(index).and_then(|_| {
            let can_follow = differs && self.plan.instances[index].follows_at_once;
            if can_follow && self.newest == before.signals {
                return self.look_ahead(index, &before.signals, short).map_err(call_failed);
            }
            Ok(true)
        });
        self.before_jump = Some(before);
        result
    }

    /// Takes over the outputs that jump at the beginning of a short step. Returns false if the instance does not make one, or
    /// would not return.
    #[cold]
    fn look_ahead(&mut self, index: usize, before: &Signals, short: Step) -> CallResult<bool> {
        let capabilities = self.instances[index].inner.capabilities();
        if !capabilities.save_state || !capabilities.variable_step {
            return Ok(false);
        }
        let slot = self.instances[index].inner.new_slot()?;
        self.instances[index].inner.save(slot)?;
        let ends = [short.h, 0.5 * short.h].map(|h| self.outputs_after(index, slot, Step { h, ..short }));
        self.instances[index].inner.restore(slot)?;
        self.instances[index].inner.free_slot(slot)?;
        let [Some(late), Some(early)] = ends else {
            self.newest.clone_from(before);
            return Ok(false);
        };
        // Integers, booleans and texts are those after half of the step. A Real is extrapolated to its beginning, and jumps if it
        // is far from its value there compared with its change during the step.
        for (signal, (late, early)) in self.plan.instances[index].outputs.clone().zip(late.into_iter().zip(early)) {
            let (now, value) = (before.reals[signal], 2.0 * early - late);
            self.newest.reals[signal] = if (value - now).abs() > (late - early).abs() { value } else { now };
        }
        Ok(true)
    }

    /// The Real outputs after a step from a saved state; the other ones are among the newest values. `None` if the instance does
    /// not make it.
    fn outputs_after(&mut self, index: usize, slot: Slot, step: Step) -> Option<Vec<f64>> {
        self.instances[index].inner.restore(slot).ok()?;
        self.set_discrete_inputs(index, false).ok()?;
        let inputs = self.inputs_of(index);
        // The step before is accepted: only a session may return to an earlier state.
        let commit = step.t <= self.saved.earliest_retained;
        let instance = &mut self.instances[index];
        let mut outputs = vec![0.0; instance.outputs.range().len()];
        instance.calls.steps += 1;
        let outcome = instance.inner.step(&inputs, step.t, step.h, commit, &mut outputs).ok()?;
        let is_made = outcome == StepOutcome::Complete && self.read_discrete(index).is_ok();
        (is_made && outputs.iter().all(|value| value.is_finite())).then_some(outputs)
    }

    /// Reads the outputs of an instance again, with the newest values as inputs. Returns false if it refuses; its outputs then
    /// stay as they are.
    ///
    /// # Errors
    /// A call fails that succeeded before, or the instance does not return to its state.
    pub fn reread(&mut self, index: usize) -> Result<bool, Box<Error>> {
        match self.instances[index].rereading {
            Rereading::Accepted => self.exchange_now(index).map_err(call_failed)?,
            Rereading::Untried => self.try_rereading(index).map_err(call_failed)?,
            Rereading::Refused => {}
        }
        Ok(self.instances[index].rereading == Rereading::Accepted)
    }

    #[cold]
    fn try_rereading(&mut self, index: usize) -> CallResult<()> {
        let before = self.newest.clone();
        let slot = self.instances[index].inner.new_slot()?;
        self.instances[index].inner.save(slot)?;
        let accepts = self.exchange_now(index).is_ok();
        let instance = &mut self.instances[index];
        if !accepts {
            instance.inner.restore(slot)?;
            self.newest = before;
        }
        instance.rereading = if accepts { Rereading::Accepted } else { Rereading::Refused };
        instance.inner.free_slot(slot)
    }

    /// Sets the inputs of an instance to the newest values, and reads its outputs.
    ///
    /// # Errors
    /// A call to the instance fails.
    pub fn exchange_now(&mut self, index: usize) -> CallResult<()> {
        self.set_real_inputs(index)?;
        self.set_discrete_inputs(index, false)?;
        self.read_outputs(index)
    }
}
