//! Steps of several instances at the same time.
//!
//! Instances that step while others do begin their steps one after the other. The loop then steps the others and collects the
//! results in the order of the instances: values do not depend on who is done first. What an instance needs in addition to its
//! step is set before the first one begins, and outputs are stored after the last one has begun.

use lotka_instance::{CallResult, Instance};

use super::Coupled;
use crate::{
    algorithm::{
        Attempt,
        attempt::{call_failed, proceed},
        call::{Call, Route},
        gather::compute,
    },
    signal::Knowledge,
};

/// Number of steps after which instances may be replaced by others that step faster.
const FIRST_STEPS: u32 = 16;

impl Coupled {
    /// Finds out which instances step while others do.
    pub(crate) fn find_split_steps(&mut self) {
        for instance in &mut self.instances[..self.plan.n_stepping] {
            instance.splits_steps = !instance.in_parts && instance.inner.split_step().is_some();
        }
        let n = self.instances.len();
        self.split_steps.is_used = n > 1 && self.instances.iter().any(|instance| instance.splits_steps);
        self.split_steps.begun.resize(n, false);
        self.split_steps.calls.resize(n, 0);
    }

    /// Begins to count the first steps of a run, or of one that continues.
    pub(crate) fn count_first_steps(&mut self) {
        self.split_steps.first_steps = FIRST_STEPS;
    }

    /// Whether the run is in its first steps.
    #[inline]
    #[must_use]
    pub fn makes_first_steps(&self) -> bool {
        self.split_steps.first_steps > 0
    }

    /// Uses the replacements that instances offer after the first steps.
    #[cold]
    pub fn pass_first_step(&mut self) {
        self.split_steps.first_steps -= 1;
        if self.split_steps.first_steps > 0 {
            return;
        }
        // By levels: what steps at the same time is distributed first.
        for &index in self.plan.step_levels.levels.iter().flatten() {
            if let Some(replacement) = self.instances[index].inner.replacement() {
                self.instances[index].inner = replacement;
            }
        }
        self.find_split_steps();
    }

    /// Puts another instance, which was not used yet, in the place of one, which is returned.
    ///
    /// # Errors
    /// There is no room for saved states.
    pub fn exchange(&mut self, index: usize, another: Box<dyn Instance>) -> CallResult<Box<dyn Instance>> {
        let former = std::mem::replace(&mut self.instances[index].inner, another);
        let instance = &mut self.instances[index].inner;
        for slot in self.saved.levels.iter_mut().filter_map(|saved| saved.slots[index].as_mut()) {
            *slot = instance.new_slot()?;
        }
        if self.instances[index].splits_steps {
            self.find_split_steps();
        }
        Ok(former)
    }

    /// Steps instances that do not read each other's new values: at the same time, if they can. `held` selects the values that
    /// they read.
    #[inline]
    pub fn step_together(&mut self, instances: &[usize], held: bool, t: f64, h: f64) -> Attempt<()> {
        if self.split_steps.is_used {
            return self.step_overlapped(instances, held, t, h);
        }
        if held { self.step_each::<true>(instances, t, h) } else { self.step_each::<false>(instances, t, h) }
    }

    /// Holds the newest values, and steps all instances with them.
    pub(crate) fn hold_and_step(&mut self, instances: &[usize], t: f64, h: f64) -> Attempt<()> {
        self.hold(instances.len());
        if self.split_steps.is_used {
            self.step_overlapped(instances, true, t, h)
        } else {
            self.step_each::<true>(instances, t, h)
        }
    }

    /// Steps instances in the order of the coupling scheme, each with the newest values.
    #[inline]
    pub fn step_in_order(&mut self, instances: &[usize], t: f64, h: f64) -> Attempt<()> {
        if self.split_steps.is_used && *instances == *self.plan.step_levels.order {
            return self.step_in_levels(t, h);
        }
        self.step_each::<false>(instances, t, h)
    }

    #[inline(never)]
    fn step_in_levels(&mut self, t: f64, h: f64) -> Attempt<()> {
        let levels = std::mem::take(&mut self.plan.step_levels.levels);
        let result = levels.iter().try_for_each(|level| self.step_overlapped(level, false, t, h));
        self.plan.step_levels.levels = levels;
        result
    }

    /// If several instances fail, the first one in order counts, and the calls of later ones do not, as if they had not been
    /// stepped.
    #[inline(never)]
    fn step_overlapped(&mut self, instances: &[usize], held: bool, t: f64, h: f64) -> Attempt<()> {
        let call = self.call(t, h);
        let mut failure = None;
        for (position, &index) in instances.iter().enumerate() {
            self.split_steps.calls[position] = self.instances[index].calls.steps;
            self.split_steps.begun[position] = false;
            if failure.is_none()
                && self.instances[index].splits_steps
                && let Attempt::Break(stop) = self.prepare_split(index, held)
            {
                failure = Some((position, stop));
            }
        }
        for (position, &index) in instances.iter().enumerate() {
            let is_due = failure.as_ref().is_none_or(|(failed, _)| position < *failed);
            if is_due && self.instances[index].splits_steps {
                match self.begin_split(index, held, call) {
                    Attempt::Continue(()) => self.split_steps.begun[position] = true,
                    Attempt::Break(stop) => failure = Some((position, stop)),
                }
            }
        }
        for (position, &index) in instances.iter().enumerate() {
            let is_due = failure.as_ref().is_none_or(|(failed, _)| position < *failed);
            if is_due && !self.instances[index].splits_steps {
                let step = if held { self.step_with_held(index, t, h) } else { self.step_with_newest(index, t, h) };
                if let Attempt::Break(stop) = step {
                    failure = Some((position, stop));
                }
            }
        }
        // All of them must be collected, whatever failed.
        for (position, &index) in instances.iter().enumerate() {
            if self.split_steps.begun[position]
                && let Attempt::Break(stop) = self.finish_split(index, held, call)
                && failure.as_ref().is_none_or(|(failed, _)| position < *failed)
            {
                failure = Some((position, stop));
            }
        }
        let Some((failed, stop)) = failure else { return Attempt::Continue(()) };
        for (position, &index) in instances.iter().enumerate().skip(failed + 1) {
            self.instances[index].calls.steps = self.split_steps.calls[position];
        }
        Attempt::Break(stop)
    }

    /// Sets all that an instance of the general route receives.
    fn prepare_split(&mut self, index: usize, held: bool) -> Attempt<()> {
        if !matches!(self.instances[index].route, Route::General) {
            return Attempt::Continue(());
        }
        let n = self.prepare_step(index, held)?;
        if n == 0 {
            return Attempt::Continue(());
        }
        let references = &self.plan.instances[index].input_references;
        proceed(self.instances[index].inner.set_real(references, &self.buffers.gathered[..n]).map_err(call_failed))
    }

    /// Begins the step of an instance.
    fn begin_split(&mut self, index: usize, held: bool, call: Call) -> Attempt<()> {
        let (values, knowledge) = if held { (&self.held, Knowledge::Held) } else { (&self.newest, Knowledge::Newest) };
        let inputs: &[f64] = match self.instances[index].route {
            Route::Direct(span) => &values.reals[span.range()],
            Route::Computed => {
                let inputs = &mut self.buffers.gathered[..self.instances[index].n_inputs as usize];
                compute(&self.plan, self.inputs.as_deref(), index, (values, knowledge), inputs);
                inputs
            }
            Route::General => &[],
        };
        let instance = &mut self.instances[index];
        let outputs = &self.newest.reals[instance.outputs.range()];
        instance.begin(inputs, outputs, call)
    }

    /// Waits for the end of a step, and stores the outputs.
    fn finish_split(&mut self, index: usize, held: bool, call: Call) -> Attempt<()> {
        let instance = &mut self.instances[index];
        let outputs = &mut self.newest.reals[instance.outputs.range()];
        instance.finish(index, outputs, call)?;
        match instance.route {
            Route::General => self.conclude_step(index, held, call),
            Route::Computed | Route::Direct(_) => {
                self.inputs.iter_mut().for_each(|inputs| inputs.arrived(index));
                Attempt::Continue(())
            }
        }
    }
}
