//! An instance that is sampled and held.

use lotka_instance::{
    BinaryRef, BooleanRef, CallError, CallResult, Capabilities, Cause, DiscreteUpdate, Experiment, FunctionName, Instance,
    IntegerRef, Phase, RealRef, Slot, Status, StepOutcome, StringRef, forward,
};

use super::{
    SampleTimes,
    state::{Saved, Slots, State},
};

/// Maximum number of parts in which a step of the wrapped instance is made, if it returns early.
const MOST_PARTS: u32 = 10_000;

/// An instance that makes steps of its own size, at the ends of which it is in event mode.
pub(super) struct SampledInstance {
    inner: Box<dyn Instance>,
    capabilities: Capabilities,
    times: SampleTimes,
    state: State,
    /// What state the wrapped instance is in, by number: equal numbers are equal states.
    content: u64,
    /// The highest of these numbers so far.
    newest_content: u64,
    slots: Slots,
    n_inputs: usize,
    outputs: Vec<RealRef>,
}

impl SampledInstance {
    pub(super) fn new(capabilities: Capabilities, inner: Box<dyn Instance>, times: SampleTimes) -> Self {
        let (state, slots) = (State::default(), Slots::default());
        Self { inner, capabilities, times, state, content: 0, newest_content: 0, slots, n_inputs: 0, outputs: Vec::new() }
    }

    #[cold]
    fn error(&self, function: &'static str, cause: Cause) -> Box<CallError> {
        let (instance, function) = (self.inner.name().to_owned(), FunctionName::new("", function));
        Box::new(CallError { instance, function, variables: Vec::new(), time: Some(self.state.now), cause, log: Vec::new() })
    }

    fn unfit<T>(&self, function: &'static str, what: &str) -> CallResult<T> {
        Err(self.error(function, Cause::BadArgument(what.to_owned())))
    }

    /// Refuses a call of the wrapper itself outside this phase.
    fn allow(&self, function: &'static str, phase: Phase) -> CallResult<()> {
        let present = self.phase();
        if present == phase { Ok(()) } else { Err(self.error(function, Cause::NotAllowed(present))) }
    }

    /// Makes a call of the wrapped instance.
    fn call<T>(&mut self, call: impl FnOnce(&mut dyn Instance) -> CallResult<T>) -> CallResult<T> {
        let present = self.phase();
        call(&mut *self.inner).map_err(|mut error| {
            // The wrapped instance knows no event mode.
            if let Cause::NotAllowed(phase) = &mut error.cause {
                *phase = present;
            }
            error
        })
    }

    /// Makes a call that changes the wrapped instance.
    fn change<T>(&mut self, call: impl FnOnce(&mut dyn Instance) -> CallResult<T>) -> CallResult<T> {
        self.content = self.new_content();
        self.call(call)
    }

    fn new_content(&mut self) -> u64 {
        self.newest_content += 1;
        self.newest_content
    }

    /// The time of a sample \[s\].
    fn sample(&self, number: u64) -> f64 {
        self.state.start + number as f64 * self.times.every
    }

    /// The time of the next sample \[s\].
    fn next_sample(&self) -> f64 {
        self.sample(self.state.n_steps + 1)
    }

    /// Whether variables that are set reach the wrapped instance; otherwise they wait for the next sample.
    fn passes_on(&self) -> bool {
        self.state.takes || !matches!(self.phase(), Phase::StepComplete | Phase::Event)
    }

    /// The wrapped instance makes its step up to the next sample.
    fn make_step(&mut self) -> CallResult<()> {
        let (begin, end) = (self.sample(self.state.n_steps), self.next_sample());
        self.content = self.new_content();
        let outcome = self.first_part(begin, end - begin)?;
        self.finish_step(outcome, (begin, end))?;
        self.state.n_steps += 1;
        Ok(())
    }

    /// Begins a step of this size. Some FMUs accept exactly one size, without the rounding of times: they get that if they
    /// declare it, or refuse another one.
    fn first_part(&mut self, begin: f64, size: f64) -> CallResult<StepOutcome> {
        let (nominal, capabilities) = (self.times.every, *self.inner.capabilities());
        if !capabilities.variable_step || self.state.is_rounding_accepted == Some(false) {
            return self.inner.do_step(begin, nominal, true);
        }
        if size == nominal || self.state.is_rounding_accepted.is_some() || !capabilities.save_state {
            return self.inner.do_step(begin, size, true);
        }
        let before = self.inner.new_slot()?;
        self.inner.save(before)?;
        let outcome = self.inner.do_step(begin, size, true)?;
        let is_accepted = !matches!(&outcome, StepOutcome::Discarded(discard) if !discard.terminate);
        self.state.is_rounding_accepted = Some(is_accepted);
        let outcome = if is_accepted {
            outcome
        } else {
            self.inner.restore(before)?;
            self.inner.do_step(begin, nominal, true)?
        };
        self.inner.free_slot(before)?;
        Ok(outcome)
    }

    /// Makes the rest of a step after its first part.
    fn finish_step(&mut self, mut outcome: StepOutcome, (mut at, end): (f64, f64)) -> CallResult<()> {
        for _ in 0..MOST_PARTS {
            match outcome {
                StepOutcome::EarlyReturn(time) if time > at && time < end => {
                    at = time;
                    outcome = self.inner.do_step(at, end - at, true)?;
                }
                StepOutcome::Complete | StepOutcome::EarlyReturn(_) | StepOutcome::Event(_) => return Ok(()),
                StepOutcome::Discarded(discard) if discard.terminate => {
                    self.state.terminates = true;
                    return Ok(());
                }
                StepOutcome::Discarded(_) => return Err(self.error("do_step", Cause::Status(Status::Discard))),
            }
        }
        Err(self.error("do_step", Cause::BadReply(format!("its step to t = {end} s has more than {MOST_PARTS} parts"))))
    }

    /// Checks the arguments of a step; returns its outcome.
    fn pass_time(&mut self, function: &'static str, t: f64, h: f64) -> CallResult<StepOutcome> {
        self.allow(function, Phase::StepComplete)?;
        if !(t.is_finite() && h.is_finite() && h > 0.0) {
            return self.unfit(function, &format!("a step from {t} s by {h} s"));
        }
        let (end, sample) = (t + h, self.next_sample());
        self.state.now = if end > sample + self.times.slack { sample } else { end };
        Ok(if self.state.now < end { StepOutcome::Event(sample) } else { StepOutcome::Complete })
    }

    fn saved(&self, function: &'static str, slot: Slot) -> CallResult<Saved> {
        match self.slots.saved(slot.0) {
            Some(saved) => Ok(saved.clone()),
            None => self.unfit(function, "the slot has no state"),
        }
    }

    fn check_slot(&mut self, function: &'static str, slot: Slot) -> CallResult<()> {
        if self.slots.get_mut(slot.0).is_some() { Ok(()) } else { self.unfit(function, "the slot is not in use") }
    }
}

/// Implements the setters: between samples, values wait. Reading the same variables shows whether they exist.
macro_rules! setters {
    ($(fn $set:ident($reference:ty, $value:ty), $get:ident, $waiting:ident, $none:expr;)*) => {$(
        fn $set(&mut self, references: &[$reference], values: &[$value]) -> CallResult<()> {
            if self.passes_on() {
                return self.change(|inner| inner.$set(references, values));
            }
            self.call(|inner| inner.$get(references, &mut vec![$none; values.len()]))?;
            let waiting = references.iter().copied().zip(values.iter().map(|value| (*value).to_owned()));
            self.state.waiting.$waiting.extend(waiting);
            Ok(())
        }
    )*};
}

impl Instance for SampledInstance {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn phase(&self) -> Phase {
        match self.inner.phase() {
            Phase::StepComplete if self.state.is_in_event => Phase::Event,
            phase => phase,
        }
    }

    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    fn setup_experiment(&mut self, experiment: &Experiment) -> CallResult<()> {
        self.change(|inner| inner.setup_experiment(experiment))?;
        (self.state.start, self.state.now) = (experiment.start, experiment.start);
        Ok(())
    }

    fn exit_initialization_mode(&mut self) -> CallResult<()> {
        self.change(|inner| inner.exit_initialization_mode())?;
        // The start is a sample.
        (self.state.is_in_event, self.state.takes) = (true, true);
        Ok(())
    }

    fn reset(&mut self) -> CallResult<()> {
        self.change(|inner| inner.reset())?;
        self.state = State::default();
        Ok(())
    }

    fn free(self: Box<Self>) -> CallResult<()> {
        self.inner.free()
    }

    fn bind(&mut self, inputs: &[RealRef], outputs: &[RealRef]) -> CallResult<()> {
        self.call(|inner| inner.bind(inputs, outputs))?;
        (self.n_inputs, self.outputs) = (inputs.len(), outputs.to_vec());
        Ok(())
    }

    /// Inputs have no effect: those of a sample are set in event mode.
    fn step(&mut self, inputs: &[f64], t: f64, h: f64, _: bool, outputs: &mut [f64]) -> CallResult<StepOutcome> {
        self.allow("step", Phase::StepComplete)?;
        if !(inputs.is_empty() || inputs.len() == self.n_inputs) || outputs.len() != self.outputs.len() {
            return self.unfit("step", "the slices do not have the lengths of the bound ones");
        }
        let outcome = self.pass_time("step", t, h)?;
        if outcome == StepOutcome::Complete {
            self.inner.get_real(&self.outputs, outputs)?;
        }
        Ok(outcome)
    }

    fn do_step(&mut self, t: f64, h: f64, _: bool) -> CallResult<StepOutcome> {
        self.pass_time("do_step", t, h)
    }

    fn enter_event_mode(&mut self) -> CallResult<()> {
        self.allow("enter_event_mode", Phase::StepComplete)?;
        self.state.takes = self.state.now >= self.next_sample() - self.times.slack;
        if self.state.takes {
            self.make_step()?;
            self.state.waiting.pass_on(&mut *self.inner)?;
        }
        self.state.is_in_event = true;
        Ok(())
    }

    fn update_discrete_states(&mut self) -> CallResult<DiscreteUpdate> {
        self.allow("update_discrete_states", Phase::Event)?;
        Ok(DiscreteUpdate { terminate: self.state.terminates, ..DiscreteUpdate::default() })
    }

    fn enter_step_mode(&mut self) -> CallResult<()> {
        self.allow("enter_step_mode", Phase::Event)?;
        (self.state.is_in_event, self.state.takes) = (false, false);
        Ok(())
    }

    fn new_slot(&mut self) -> CallResult<Slot> {
        let saves = self.inner.capabilities().save_state;
        let slot = if saves { self.inner.new_slot()? } else { Slot(self.slots.unused()) };
        self.slots.clear(slot.0);
        Ok(slot)
    }

    fn save(&mut self, slot: Slot) -> CallResult<()> {
        self.check_slot("save", slot)?;
        let saved = Saved { state: self.state.clone(), content: self.content, phase: self.inner.phase() };
        let is_known = self.slots.saved(slot.0).is_some_and(|known| known.is_like(&saved));
        if self.inner.capabilities().save_state && !is_known {
            self.inner.save(slot)?;
        }
        self.slots.get_mut(slot.0).into_iter().for_each(|place| *place = Some(saved.clone()));
        Ok(())
    }

    fn restore(&mut self, slot: Slot) -> CallResult<()> {
        let saved = self.saved("restore", slot)?;
        let present = Saved { state: State::default(), content: self.content, phase: self.inner.phase() };
        // Between two samples nothing of the wrapped instance changes, so that those that cannot save their states return there,
        // too.
        if !saved.is_like(&present) {
            if !self.inner.capabilities().save_state {
                return Err(self.error("restore", Cause::Unsupported));
            }
            self.inner.restore(slot)?;
            self.content = saved.content;
        }
        self.state = saved.state;
        Ok(())
    }

    fn free_slot(&mut self, slot: Slot) -> CallResult<()> {
        if !self.slots.free(slot.0) {
            return self.unfit("free_slot", "the slot is not in use");
        }
        if self.inner.capabilities().save_state { self.inner.free_slot(slot) } else { Ok(()) }
    }

    fn serialize(&mut self, slot: Slot) -> CallResult<Vec<u8>> {
        if !self.capabilities.serialize_state {
            return Err(self.error("serialize", Cause::Unsupported));
        }
        let saved = self.saved("serialize", slot)?;
        let inner = self.inner.serialize(slot)?;
        postcard::to_stdvec(&(saved.state, inner))
            .map_err(|error| self.error("serialize", Cause::BadReply(format!("its state cannot be written: {error}"))))
    }

    fn deserialize(&mut self, slot: Slot, bytes: &[u8]) -> CallResult<()> {
        self.check_slot("deserialize", slot)?;
        if !self.capabilities.serialize_state {
            return Err(self.error("deserialize", Cause::Unsupported));
        }
        let Ok((state, inner)) = postcard::from_bytes::<(State, Vec<u8>)>(bytes) else {
            return self.unfit("deserialize", "the bytes are no saved state");
        };
        self.inner.deserialize(slot, &inner)?;
        let saved = Saved { state, content: self.new_content(), phase: Phase::StepComplete };
        self.slots.get_mut(slot.0).into_iter().for_each(|place| *place = Some(saved.clone()));
        Ok(())
    }

    fn set_input_derivatives(&mut self, _: &[RealRef], _: &[i32], _: &[f64]) -> CallResult<()> {
        Err(self.error("set_input_derivatives", Cause::Unsupported))
    }

    fn get_output_derivatives(&mut self, _: &[RealRef], _: &[i32], _: &mut [f64]) -> CallResult<()> {
        Err(self.error("get_output_derivatives", Cause::Unsupported))
    }

    fn directional_derivative(&mut self, _: &[RealRef], _: &[RealRef], _: &[f64], _: &mut [f64]) -> CallResult<()> {
        Err(self.error("directional_derivative", Cause::Unsupported))
    }

    setters! {
        fn set_real(RealRef, f64), get_real, reals, 0.0;
        fn set_integer(IntegerRef, i128), get_integer, integers, 0;
        fn set_boolean(BooleanRef, bool), get_boolean, booleans, false;
        fn set_string(StringRef, &str), get_string, strings, String::new();
        fn set_binary(BinaryRef, &[u8]), get_binary, binaries, Vec::new();
    }

    forward! { call:
        fn set_debug_logging(on: bool, categories: &[&str]) -> CallResult<()>;
        fn get_real(references: &[RealRef], values: &mut [f64]) -> CallResult<()>;
        fn get_integer(references: &[IntegerRef], values: &mut [i128]) -> CallResult<()>;
        fn get_boolean(references: &[BooleanRef], values: &mut [bool]) -> CallResult<()>;
        fn get_string(references: &[StringRef], values: &mut [String]) -> CallResult<()>;
        fn get_binary(references: &[BinaryRef], values: &mut [Vec<u8>]) -> CallResult<()>;
    }

    forward! { change:
        fn enter_initialization_mode() -> CallResult<()>;
        fn terminate() -> CallResult<()>;
    }
}
