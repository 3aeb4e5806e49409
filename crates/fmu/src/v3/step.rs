//! Steps: the calls of one, what it returns, and the outcome that follows.

use std::sync::Arc;

use fmi3::{Function, ffi::boolean};
use lotka_instance::{CallResult, Cause, Discard, Shown, Status, StepOutcome, time_rounding};

use super::{FmuInstance, access::Group, calls::Stepped, intermediate::Trouble};
use crate::instance::{Access, Imported, Lane, Marked, NamesVariables, NextEvent};

/// Share of a step by which the internal time of an FMU may differ from the end of the step without a warning.
const ROUNDED: f64 = 1e-6;

/// Number of steps by which it may differ at all: steps inside the FMU may be longer than communication steps.
const MOST_OFF: f64 = 10.0;

impl Stepped {
    /// Whether the step is complete without any doubt.
    #[inline]
    pub(super) fn is_plain(&self, end: f64) -> bool {
        let flags = self.event_handling_needed | self.terminate_simulation | self.early_return;
        self.status == 0 && flags == 0 && self.last_successful_time.to_bits() == end.to_bits()
    }

    /// Whether the FMU says that it may have stopped before the end.
    fn stops(&self) -> bool {
        [self.event_handling_needed, self.terminate_simulation, self.early_return].map(boolean).contains(&true)
    }
}

impl FmuInstance {
    /// Makes a step, at most to the next event that is handled in event mode; the phase has been checked.
    pub(super) fn advance(&mut self, t: f64, h: f64, commit: bool) -> CallResult<StepOutcome> {
        let end = self.end_of_step(Function::DoStep, t, h)?;
        if self.progress.requests_end {
            return Ok(discarded(Some(t), true));
        }
        let next_event = self.progress.next_event;
        if end < next_event.from {
            return self.advance_to(end, t, h, commit);
        }
        if t >= next_event.from {
            return Ok(StepOutcome::Event(t));
        }
        let event = next_event.end(end);
        let mut to_event = if event == end { h } else { event - t };
        while t + to_event < event {
            to_event = to_event.next_up();
        }
        let outcome = self.advance_to(event, t, to_event, commit)?;
        Ok(if outcome == StepOutcome::Complete { self.stop_for_event(event) } else { outcome })
    }

    /// The outcome of a step that has reached an event \[s\].
    fn stop_for_event(&mut self, time: f64) -> StepOutcome {
        self.progress.next_event = NextEvent::at(time);
        StepOutcome::Event(time)
    }

    fn advance_to(&mut self, end: f64, t: f64, h: f64, commit: bool) -> CallResult<StepOutcome> {
        self.binding.last_call.begin(Function::DoStep, self.calls.address(), t);
        let (stepped, trouble) = self.ask_and_step(t, h, commit);
        self.judge_step(stepped, trouble, t, h, end)
    }

    /// Interprets what a step returned, and the first problem of a callback.
    fn judge_step(&mut self, stepped: Stepped, trouble: Option<Trouble>, t: f64, h: f64, end: f64) -> CallResult<StepOutcome> {
        let outcome = self.judge(stepped, t, h, end)?;
        match trouble {
            None => Ok(outcome),
            Some(Trouble::Outside(time)) => {
                let what = format!(
                    "intermediateUpdate was called for {} s, outside of the step from {} s to {} s",
                    Shown(time),
                    Shown(t),
                    Shown(end)
                );
                Err(self.error(Function::DoStep, Cause::BadReply(what)))
            }
            Some(Trouble::Refused(status)) => {
                self.settle(Function::SetFloat64, Ok(status))?;
                Ok(outcome)
            }
        }
    }

    fn judge(&mut self, stepped: Stepped, t: f64, h: f64, end: f64) -> CallResult<StepOutcome> {
        self.binding.last_call.returned();
        self.progress.time = t;
        if stepped.status == Status::Discard as i32 {
            // The instance is in the state before the call.
            return Ok(discarded(None, false));
        }
        self.settle(Function::DoStep, Ok(stepped.status))?;
        let reached = self.reached(&stepped, t, h, end)?;
        self.progress.time = reached;
        if boolean(stepped.terminate_simulation) {
            return Ok(discarded(Some(reached), true));
        }
        if boolean(stepped.event_handling_needed) {
            if self.uses_event_mode {
                return Ok(self.stop_for_event(reached));
            }
            self.warn_once("eventHandlingNeeded", || {
                format!(
                    "fmi3DoStep set eventHandlingNeeded at t = {reached} s, although event mode is not in use; Lotka ignores it"
                )
            });
        }
        Ok(StepOutcome::stopped_at(reached, t, h))
    }

    /// The time that the FMU reached. An FMU that does not return one has reached the end. One that stops inside the step must
    /// return a time within it; small deviations due to rounding are corrected. Any other one is at the end, where its internal
    /// time may differ: the next step begins there (FMI 3.0, 4.2.1).
    fn reached(&mut self, stepped: &Stepped, t: f64, h: f64, end: f64) -> CallResult<f64> {
        let time = stepped.last_successful_time;
        let (slack, off) = (time_rounding(t, h), (time - end).abs());
        // The beginning of a step is not its end, however short it is.
        let rounding = if stepped.stops() { slack.min(h / 2.0) } else { slack };
        if time.is(f64::MARKS[0]) || off <= rounding {
            return Ok(end);
        }
        if stepped.stops() {
            if (t - slack..end).contains(&time) {
                return Ok(time.max(t));
            }
        } else if off <= MOST_OFF * h {
            if off > slack.max(ROUNDED * h) {
                self.warn_once("lastSuccessfulTime", || {
                    format!(
                        "fmi3DoStep returned lastSuccessfulTime = {time} s at t = {end} s without an early return: steps inside the FMU do \
                         not end where communication steps do"
                    )
                });
            }
            return Ok(end);
        }
        let what = format!("lastSuccessfulTime is {}, outside of the step from {} to {}", Shown(time), Shown(t), Shown(end));
        Err(self.error(Function::DoStep, Cause::BadReply(what)))
    }

    /// Warns about a kind of oddity, if it is the first one.
    fn warn_once(&mut self, kind: &'static str, text: impl FnOnce() -> String) {
        if !self.warned.contains(&kind) {
            self.warned.push(kind);
            self.identity.journal().warn(text());
        }
    }
}

impl FmuInstance {
    /// Sets the bound inputs, makes a step, and reads the bound outputs. Compiled for instances that ask for inputs and others:
    /// these need less.
    #[inline(always)]
    pub(super) fn usual_step<const ASKS: bool>(
        &mut self,
        inputs: &[f64],
        (t, h, commit, end): (f64, f64, bool, f64),
        outputs: &mut [f64],
    ) -> CallResult<StepOutcome> {
        if !inputs.is_empty() {
            if ASKS {
                self.note_bound(inputs);
            }
            self.set_bound(inputs)?;
        }
        let (last_call, address) = (self.binding.last_call, self.calls.address());
        last_call.begin(Function::DoStep, address, t);
        let (stepped, trouble) = if ASKS { self.ask_and_step(t, h, commit) } else { (self.calls.do_step(t, h, commit), None) };
        if !stepped.is_plain(end) || trouble.is_some() {
            return self.finish_unusual_step((stepped, trouble), t, h, end, outputs);
        }
        self.progress.time = end;
        if outputs.is_empty() {
            last_call.returned_from(Function::DoStep, address);
        } else {
            self.read_bound(outputs)?;
        }
        Ok(StepOutcome::Complete)
    }

    /// A [usual step](Self::usual_step) of an instance that asks for inputs.
    #[inline(never)]
    pub(super) fn asking_step(
        &mut self,
        inputs: &[f64],
        step: (f64, f64, bool, f64),
        outputs: &mut [f64],
    ) -> CallResult<StepOutcome> {
        self.usual_step::<true>(inputs, step, outputs)
    }

    /// Makes a step during which the FMU may ask for inputs.
    fn ask_and_step(&mut self, t: f64, h: f64, commit: bool) -> (Stepped, Option<Trouble>) {
        let (bases, gate) = (&self.shadows.intermediates, self.identity.gate());
        self.calls.do_asking_step((t, h, commit), bases, &mut self.polynomials, gate)
    }

    /// Sets the bound inputs, makes a step that may end at an event, and reads the bound outputs.
    #[inline(never)]
    pub(super) fn careful_step(
        &mut self,
        inputs: &[f64],
        t: f64,
        h: f64,
        commit: bool,
        outputs: &mut [f64],
    ) -> CallResult<StepOutcome> {
        if t >= self.progress.next_event.from {
            // Inputs are set when the event is handled: they must not be set before outputs are read.
            self.read_bound(outputs)?;
            return Ok(StepOutcome::Event(t));
        }
        if !inputs.is_empty() {
            self.note_bound(inputs);
            if self.announces {
                let binding = Arc::clone(&self.binding);
                self.set_mixed(&binding.inputs, inputs)?;
            } else {
                self.set_bound(inputs)?;
            }
        }
        let outcome = self.advance(t, h, commit)?;
        self.read_after(outcome, outputs)
    }

    /// Notes the values of the bound inputs that can be set during a step.
    pub(super) fn note_bound(&mut self, inputs: &[f64]) {
        if self.calls.asks_for_inputs() {
            for &(position, index) in &self.binding.access.intermediates {
                self.shadows.intermediates[position] = inputs[index];
            }
        }
    }

    /// Sets the bound inputs. That the call has returned is not recorded: another one follows.
    #[inline(always)]
    pub(super) fn set_bound(&mut self, inputs: &[f64]) -> CallResult<()> {
        let Self { calls, progress, binding, .. } = self;
        let Some(references) = &binding.access.direct_inputs else { return self.set_groups(inputs) };
        binding.last_call.begin(Function::SetFloat64, calls.address(), progress.time);
        let reply = calls.set_float64(references, inputs);
        if reply == Ok(0) { Ok(()) } else { self.settle_inputs(reply) }
    }

    /// Sets the bound inputs with a call for each group.
    fn set_groups(&mut self, inputs: &[f64]) -> CallResult<()> {
        let binding = Arc::clone(&self.binding);
        let result = binding.access.inputs.iter().try_for_each(|group: &Group| self.write_reals(group, inputs));
        self.naming(result, (Lane::Real, Access::Set), binding.inputs.iter().map(|reference| reference.0))
    }

    /// Reads the bound outputs.
    #[inline(always)]
    pub(super) fn read_bound(&mut self, outputs: &mut [f64]) -> CallResult<()> {
        let Self { calls, progress, binding, .. } = self;
        let Some(references) = &binding.access.direct_outputs else { return self.read_groups(outputs) };
        let address = calls.address();
        binding.last_call.begin(Function::GetFloat64, address, progress.time);
        let reply = calls.get_float64(references, outputs);
        if reply != Ok(0) {
            return self.settle_outputs(reply);
        }
        binding.last_call.returned_from(Function::GetFloat64, address);
        Ok(())
    }

    /// Reads the bound outputs with a call for each group.
    fn read_groups(&mut self, outputs: &mut [f64]) -> CallResult<()> {
        let binding = Arc::clone(&self.binding);
        let result = binding.access.outputs.iter().try_for_each(|group| self.read_reals(group, outputs));
        self.naming(result, (Lane::Real, Access::Read), binding.outputs.iter().map(|reference| reference.0))
    }

    /// Interprets what an unusual step returned, and reads the bound outputs.
    #[cold]
    pub(super) fn finish_unusual_step(
        &mut self,
        (stepped, trouble): (Stepped, Option<Trouble>),
        t: f64,
        h: f64,
        end: f64,
        outputs: &mut [f64],
    ) -> CallResult<StepOutcome> {
        let outcome = self.judge_step(stepped, trouble, t, h, end)?;
        self.read_after(outcome, outputs)
    }

    /// Reads the bound outputs after a step, unless it was discarded.
    fn read_after(&mut self, outcome: StepOutcome, outputs: &mut [f64]) -> CallResult<StepOutcome> {
        if !matches!(outcome, StepOutcome::Discarded(_)) && !outputs.is_empty() {
            self.read_bound(outputs)?;
        }
        Ok(outcome)
    }
}

fn discarded(last_successful_time: Option<f64>, terminate: bool) -> StepOutcome {
    StepOutcome::Discarded(Box::new(Discard { last_successful_time, terminate }))
}
