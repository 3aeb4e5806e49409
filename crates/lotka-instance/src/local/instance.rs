//! An instance of a Rust value.

use super::model::LocalModel;
use crate::{
    BooleanRef, CallError, CallResult, Capabilities, Cause, Experiment, FunctionName, Instance, IntegerRef, Phase, RealRef, Slot,
    Status, StepOutcome, StringRef,
};

/// An instance of a model.
pub(super) struct LocalInstance<M> {
    name: String,
    capabilities: Capabilities,
    initial: M,
    now: Now<M>,
    /// States by slot: unused, empty or saved.
    slots: Vec<Option<Option<Now<M>>>>,
    /// The variables that every step sets and reads.
    bound: (Vec<RealRef>, Vec<RealRef>),
}

/// The complete changing state.
#[derive(Clone)]
struct Now<M> {
    model: M,
    phase: Phase,
    experiment: Option<Experiment>,
    time: Option<f64>,
}

/// Phases in which values may be set, and in which they may be read.
const SET: &[Phase] = &[Phase::Instantiated, Phase::Initialization, Phase::StepComplete];
const GET: &[Phase] = &[Phase::Initialization, Phase::StepComplete, Phase::StepFailed, Phase::Terminated, Phase::Error];

impl<M: LocalModel> LocalInstance<M> {
    pub(super) fn new(name: &str, capabilities: Capabilities, model: M) -> Self {
        let now = Now { model: model.clone(), phase: Phase::Instantiated, experiment: None, time: None };
        Self { name: name.to_owned(), capabilities, initial: model, now, slots: Vec::new(), bound: (Vec::new(), Vec::new()) }
    }

    #[cold]
    fn error(&self, function: &'static str, cause: Cause, log: Vec<String>) -> Box<CallError> {
        let (instance, time) = (self.name.clone(), self.now.time);
        Box::new(CallError { instance, function: FunctionName::new("", function), variables: Vec::new(), time, cause, log })
    }

    /// Handles a refusal by the model: only reading, restoring and resetting remain possible.
    #[cold]
    fn fail<T>(&mut self, function: &'static str, reason: String) -> CallResult<T> {
        let error = self.error(function, Cause::Status(Status::Error), vec![reason]);
        self.now.phase = Phase::Error;
        Err(error)
    }

    #[cold]
    fn unfit<T>(&self, function: &'static str, what: &str) -> CallResult<T> {
        Err(self.error(function, Cause::BadArgument(what.to_owned()), Vec::new()))
    }

    fn allow(&self, function: &'static str, phases: &[Phase]) -> CallResult<()> {
        let phase = self.now.phase;
        if phases.contains(&phase) { Ok(()) } else { Err(self.error(function, Cause::NotAllowed(phase), Vec::new())) }
    }

    fn get<R: Copy, V>(
        &mut self,
        function: &'static str,
        (references, values): (&[R], &mut [V]),
        read: impl Fn(&M, R) -> Option<V>,
    ) -> CallResult<()> {
        self.allow(function, GET)?;
        if references.len() != values.len() {
            return self.unfit(function, "the slices differ in length");
        }
        for (reference, value) in references.iter().zip(values) {
            match read(&self.now.model, *reference) {
                Some(read) => *value = read,
                None => return self.fail(function, "no variable has this value reference".to_owned()),
            }
        }
        Ok(())
    }

    fn set<R: Copy, V: Copy>(
        &mut self,
        function: &'static str,
        (references, values): (&[R], &[V]),
        write: impl Fn(&mut M, R, V) -> bool,
    ) -> CallResult<()> {
        self.allow(function, SET)?;
        if references.len() != values.len() {
            return self.unfit(function, "the slices differ in length");
        }
        for (reference, value) in references.iter().zip(values) {
            if !write(&mut self.now.model, *reference, *value) {
                return self.fail(function, "no variable that can be set has this value reference".to_owned());
            }
        }
        Ok(())
    }

    fn slot(&mut self, function: &'static str, slot: Slot) -> CallResult<&mut Option<Now<M>>> {
        let index = slot.0 as usize;
        if self.slots.get(index).is_none_or(Option::is_none) {
            return self.unfit(function, "the slot is not in use");
        }
        Ok(self.slots[index].get_or_insert_default())
    }

    fn unsupported<T>(&self, function: &'static str) -> CallResult<T> {
        Err(self.error(function, Cause::Unsupported, Vec::new()))
    }
}

impl<M: LocalModel> Instance for LocalInstance<M> {
    fn name(&self) -> &str {
        &self.name
    }

    fn phase(&self) -> Phase {
        self.now.phase
    }

    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    fn set_debug_logging(&mut self, _: bool, categories: &[&str]) -> CallResult<()> {
        match categories.iter().any(|category| category.contains('\0')) {
            true => self.unfit("set_debug_logging", "a category has a NUL character"),
            false => Ok(()),
        }
    }

    fn setup_experiment(&mut self, experiment: &Experiment) -> CallResult<()> {
        self.allow("setup_experiment", &[Phase::Instantiated])?;
        self.now.experiment = Some(*experiment);
        Ok(())
    }

    fn enter_initialization_mode(&mut self) -> CallResult<()> {
        self.allow("enter_initialization_mode", &[Phase::Instantiated])?;
        if self.now.experiment.is_none() {
            return self.unfit("enter_initialization_mode", "setup_experiment comes first");
        }
        self.now.phase = Phase::Initialization;
        Ok(())
    }

    fn exit_initialization_mode(&mut self) -> CallResult<()> {
        self.allow("exit_initialization_mode", &[Phase::Initialization])?;
        let Some(experiment) = self.now.experiment else { return Ok(()) };
        if let Err(reason) = self.now.model.initialize(&experiment) {
            return self.fail("exit_initialization_mode", reason);
        }
        (self.now.phase, self.now.time) = (Phase::StepComplete, Some(experiment.start));
        Ok(())
    }

    fn terminate(&mut self) -> CallResult<()> {
        self.allow("terminate", &[Phase::StepComplete, Phase::StepFailed])?;
        self.now.phase = Phase::Terminated;
        Ok(())
    }

    fn reset(&mut self) -> CallResult<()> {
        self.now = Now { model: self.initial.clone(), phase: Phase::Instantiated, experiment: None, time: None };
        Ok(())
    }

    fn get_real(&mut self, references: &[RealRef], values: &mut [f64]) -> CallResult<()> {
        self.get("get_real", (references, values), M::real)
    }

    fn get_integer(&mut self, references: &[IntegerRef], values: &mut [i128]) -> CallResult<()> {
        self.get("get_integer", (references, values), M::integer)
    }

    fn get_boolean(&mut self, references: &[BooleanRef], values: &mut [bool]) -> CallResult<()> {
        self.get("get_boolean", (references, values), M::boolean)
    }

    fn get_string(&mut self, references: &[StringRef], values: &mut [String]) -> CallResult<()> {
        self.get("get_string", (references, values), M::string)
    }

    fn set_real(&mut self, references: &[RealRef], values: &[f64]) -> CallResult<()> {
        self.set("set_real", (references, values), M::set_real)
    }

    fn set_integer(&mut self, references: &[IntegerRef], values: &[i128]) -> CallResult<()> {
        self.set("set_integer", (references, values), M::set_integer)
    }

    fn set_boolean(&mut self, references: &[BooleanRef], values: &[bool]) -> CallResult<()> {
        self.set("set_boolean", (references, values), M::set_boolean)
    }

    fn set_string(&mut self, references: &[StringRef], values: &[&str]) -> CallResult<()> {
        self.set("set_string", (references, values), M::set_string)
    }

    fn set_input_derivatives(&mut self, _: &[RealRef], _: &[i32], _: &[f64]) -> CallResult<()> {
        self.unsupported("set_input_derivatives")
    }

    fn get_output_derivatives(&mut self, _: &[RealRef], _: &[i32], _: &mut [f64]) -> CallResult<()> {
        self.unsupported("get_output_derivatives")
    }

    fn directional_derivative(&mut self, _: &[RealRef], _: &[RealRef], _: &[f64], _: &mut [f64]) -> CallResult<()> {
        self.unsupported("directional_derivative")
    }

    fn do_step(&mut self, t: f64, h: f64, _: bool) -> CallResult<StepOutcome> {
        self.allow("do_step", &[Phase::StepComplete])?;
        if !(t.is_finite() && h.is_finite() && h > 0.0) {
            return self.unfit("do_step", "a step needs finite times and a size above 0");
        }
        let outcome = match self.now.model.do_step(t, h) {
            Ok(StepOutcome::EarlyReturn(time)) => StepOutcome::stopped_at(time, t, h),
            Ok(StepOutcome::Discarded(discard)) => StepOutcome::Discarded(Box::new(discard.within(t, h))),
            Ok(StepOutcome::Complete) => StepOutcome::Complete,
            Ok(StepOutcome::Event(_)) => return self.unfit("do_step", "a model of this kind has no event mode"),
            Err(reason) => return self.fail("do_step", reason),
        };
        match outcome {
            StepOutcome::Complete => self.now.time = Some(t + h),
            StepOutcome::EarlyReturn(time) | StepOutcome::Event(time) => self.now.time = Some(time),
            StepOutcome::Discarded(_) => self.now.phase = Phase::StepFailed,
        }
        Ok(outcome)
    }

    fn bind(&mut self, inputs: &[RealRef], outputs: &[RealRef]) -> CallResult<()> {
        self.bound = (inputs.to_vec(), outputs.to_vec());
        Ok(())
    }

    fn step(&mut self, inputs: &[f64], t: f64, h: f64, commit: bool, outputs: &mut [f64]) -> CallResult<StepOutcome> {
        self.allow("step", &[Phase::StepComplete])?;
        let (set, read) = std::mem::take(&mut self.bound);
        let fits = (inputs.is_empty() || set.len() == inputs.len()) && read.len() == outputs.len();
        let result = match fits {
            false => self.unfit("step", "the slices differ in length from the bound variables"),
            true if inputs.is_empty() => self.do_step(t, h, commit),
            true => self.set_real(&set, inputs).and_then(|()| self.do_step(t, h, commit)),
        };
        let result = match result {
            Ok(reached @ (StepOutcome::Complete | StepOutcome::EarlyReturn(_))) => {
                self.get_real(&read, outputs).map(|()| reached)
            }
            other => other,
        };
        self.bound = (set, read);
        result
    }

    fn new_slot(&mut self) -> CallResult<Slot> {
        let free = self.slots.iter().position(Option::is_none).unwrap_or(self.slots.len());
        if free == self.slots.len() {
            self.slots.push(None);
        }
        self.slots[free] = Some(None);
        Ok(Slot(free as u32))
    }

    fn save(&mut self, slot: Slot) -> CallResult<()> {
        let now = self.now.clone();
        *self.slot("save", slot)? = Some(now);
        Ok(())
    }

    fn restore(&mut self, slot: Slot) -> CallResult<()> {
        match self.slot("restore", slot)?.clone() {
            Some(state) => {
                self.now = state;
                Ok(())
            }
            None => self.unfit("restore", "nothing was saved in the slot"),
        }
    }

    fn free_slot(&mut self, slot: Slot) -> CallResult<()> {
        self.slot("free_slot", slot)?;
        self.slots[slot.0 as usize] = None;
        Ok(())
    }

    fn serialize(&mut self, _: Slot) -> CallResult<Vec<u8>> {
        self.unsupported("serialize")
    }

    fn deserialize(&mut self, _: Slot, _: &[u8]) -> CallResult<()> {
        self.unsupported("deserialize")
    }
}
