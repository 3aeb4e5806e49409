//! The coupled instances: their signals, their saved states and the step of one instance.

use fmi2::{CallError, CallResult, Discard, Instance, Slot, StepOutcome};

use super::Signals;
use crate::{
    Error,
    graph::{Feed, Plan, Unit},
};

/// How an attempt to step ended. What is rare is boxed, so that a result fits into two registers.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Verdict {
    Done,
    Refused(Box<Refusal>),
}

/// Why a step was not made.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Refusal {
    Discarded { instance: usize, discard: Discard },
    NotConverged { component: usize, norm: f64 },
    NotFinite { signal: usize, value: f64 },
}

/// An error means that the run is over.
pub(crate) type StepResult = Result<Verdict, Box<Error>>;

/// Which saved state a rollback goes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    /// The last communication point.
    Communication,
    /// The point between two half steps.
    Middle,
}

/// What an instance was asked to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Calls {
    pub(crate) steps: u64,
    pub(crate) saves: u64,
    pub(crate) restores: u64,
}

/// One instance with its part of the plan.
pub(crate) struct Member {
    pub(crate) instance: Box<dyn Instance>,
    pub(crate) unit: Unit,
    pub(crate) calls: Calls,
    index: usize,
}

struct Saved {
    slots: Vec<Slot>,
    signals: Signals,
}

/// All instances with the values they exchange.
pub(crate) struct Coupled {
    pub(crate) members: Vec<Member>,
    /// The plan, its units moved to the members.
    pub(crate) plan: Plan,
    /// Newest known values.
    pub(crate) newest: Signals,
    /// Values at the begin of a pass, for sweeps that need them.
    pub(crate) held: Signals,
    pub(crate) n_rollbacks: u64,
    pub(crate) n_iterations: u64,
    saved: Vec<Saved>,
    gathered: Vec<f64>,
}

impl Coupled {
    pub(crate) fn new(mut plan: Plan, instances: Vec<Box<dyn Instance>>) -> Self {
        let units = std::mem::take(&mut plan.units);
        let widest = units.iter().map(|unit| unit.input_references.len()).max().unwrap_or(0);
        let member = |(index, (instance, unit))| Member { instance, unit, calls: Calls::default(), index };
        Self {
            members: instances.into_iter().zip(units).enumerate().map(member).collect(),
            newest: Signals::new(&plan),
            held: Signals::new(&plan),
            n_rollbacks: 0,
            n_iterations: 0,
            saved: Vec::new(),
            gathered: vec![0.0; widest],
            plan,
        }
    }

    /// Forgets the counts of an earlier run.
    pub(crate) fn begin(&mut self) {
        self.members.iter_mut().for_each(|member| member.calls = Calls::default());
        self.n_rollbacks = 0;
        self.n_iterations = 0;
    }

    /// Name of an instance.
    pub(crate) fn name(&self, index: usize) -> &str {
        self.members[index].instance.name()
    }

    /// Makes room for saved states up to and including `level`.
    pub(crate) fn allow_rollback(&mut self, level: Level) -> CallResult<()> {
        while self.saved.len() <= level as usize {
            let slots = self.members.iter_mut().map(|member| member.instance.new_slot()).collect::<CallResult<_>>()?;
            self.saved.push(Saved { slots, signals: self.newest.clone() });
        }
        Ok(())
    }

    /// Saves all instances and the newest values.
    #[inline]
    pub(crate) fn save(&mut self, level: Level) -> Result<(), Box<Error>> {
        let saved = &mut self.saved[level as usize];
        saved.signals.copy_from(&self.newest);
        for (member, slot) in self.members.iter_mut().zip(&saved.slots) {
            member.instance.save(*slot).map_err(call_failed)?;
            member.calls.saves += 1;
        }
        Ok(())
    }

    /// Rolls all instances and the newest values back.
    #[inline]
    pub(crate) fn restore(&mut self, level: Level) -> Result<(), Box<Error>> {
        let saved = &self.saved[level as usize];
        self.newest.copy_from(&saved.signals);
        self.n_rollbacks += 1;
        for (member, slot) in self.members.iter_mut().zip(&saved.slots) {
            member.instance.restore(*slot).map_err(call_failed)?;
            member.calls.restores += 1;
        }
        Ok(())
    }

    /// Rolls some instances back; the newest values stay as they are.
    pub(crate) fn restore_members(&mut self, members: &[usize], level: Level) -> Result<(), Box<Error>> {
        self.n_rollbacks += 1;
        for &index in members {
            let slot = self.saved[level as usize].slots[index];
            self.members[index].instance.restore(slot).map_err(call_failed)?;
            self.members[index].calls.restores += 1;
        }
        Ok(())
    }

    /// Real values at the saved point.
    pub(crate) fn saved_reals(&self, level: Level) -> &[f64] {
        &self.saved[level as usize].signals.reals
    }

    /// Steps one instance from `t` by `h` with the newest known values as inputs.
    #[inline]
    pub(crate) fn step_with_newest(&mut self, index: usize, t: f64, h: f64) -> StepResult {
        let member = &mut self.members[index];
        let unit = &member.unit;
        if unit.discrete.is_some() {
            return self.step_with_discrete(index, false, t, h);
        }
        match &unit.feed {
            Feed::Direct(range) => {
                // Direct feeds never overlap the outputs of the instance.
                let (inputs, outputs) = if range.end <= unit.outputs.start {
                    let (before, rest) = self.newest.reals.split_at_mut(unit.outputs.start);
                    (&before[range.clone()], &mut rest[..unit.outputs.len()])
                } else {
                    let (before, rest) = self.newest.reals.split_at_mut(unit.outputs.end);
                    (&rest[range.start - unit.outputs.end..range.end - unit.outputs.end], &mut before[unit.outputs.clone()])
                };
                member.step(inputs, outputs, t, h)
            }
            Feed::Gather(_) => {
                let inputs = gather(&self.plan, unit, &self.newest.reals, &mut self.gathered);
                let outputs = &mut self.newest.reals[unit.outputs.clone()];
                member.step(inputs, outputs, t, h)
            }
        }
    }

    /// Steps one instance from `t` by `h` with the held values as inputs.
    #[inline]
    pub(crate) fn step_with_held(&mut self, index: usize, t: f64, h: f64) -> StepResult {
        let member = &mut self.members[index];
        let unit = &member.unit;
        if unit.discrete.is_some() {
            return self.step_with_discrete(index, true, t, h);
        }
        let inputs = match &unit.feed {
            Feed::Direct(range) => &self.held.reals[range.clone()],
            Feed::Gather(_) => gather(&self.plan, unit, &self.held.reals, &mut self.gathered),
        };
        let outputs = &mut self.newest.reals[unit.outputs.clone()];
        member.step(inputs, outputs, t, h)
    }

    /// The general step of an instance with integers, booleans or strings.
    #[cold]
    fn step_with_discrete(&mut self, index: usize, held: bool, t: f64, h: f64) -> StepResult {
        self.set_discrete_inputs(index, held).map_err(call_failed)?;
        let member = &mut self.members[index];
        let values = if held { &self.held } else { &self.newest };
        let inputs = gather(&self.plan, &member.unit, &values.reals, &mut self.gathered);
        let outputs = &mut self.newest.reals[member.unit.outputs.clone()];
        let verdict = member.step(inputs, outputs, t, h)?;
        if verdict == Verdict::Done && member.unit.discrete.as_ref().is_some_and(|discrete| discrete.every_step) {
            self.read_discrete(index).map_err(call_failed)?;
        }
        Ok(verdict)
    }

    /// Judges a pass over all instances: every connected output must be a finite number. An instance that failed because it was
    /// given none is not to blame; the source is.
    #[inline]
    pub(crate) fn judge(&self, result: StepResult) -> StepResult {
        if matches!(result, Ok(Verdict::Done)) && all_finite(&self.newest.reals) { result } else { self.judge_rest(result) }
    }

    #[cold]
    fn judge_rest(&self, result: StepResult) -> StepResult {
        let bad = || {
            let connected = self.members.iter().flat_map(|member| member.unit.connected());
            connected.map(|signal| (signal, self.newest.reals[signal])).find(|(_, value)| !value.is_finite())
        };
        match (&result, bad()) {
            (Ok(Verdict::Done) | Err(_), Some((signal, value))) => {
                Ok(Verdict::Refused(Box::new(Refusal::NotFinite { signal, value })))
            }
            _ => result,
        }
    }

    /// Hands the newest (or held) integers, booleans and strings to one instance.
    pub(crate) fn set_discrete_inputs(&mut self, index: usize, held: bool) -> CallResult<()> {
        let Member { instance, unit, .. } = &mut self.members[index];
        let Some(discrete) = &unit.discrete else { return Ok(()) };
        let values = if held { &self.held } else { &self.newest };
        for &(reference, source) in &discrete.integer_inputs {
            instance.set_integer(&[reference], &[values.whole(source)])?;
        }
        for &(reference, source) in &discrete.boolean_inputs {
            instance.set_boolean(&[reference], &[values.booleans[source]])?;
        }
        for &(reference, source) in &discrete.text_inputs {
            instance.set_string(&[reference], &[&values.texts[source]])?;
        }
        Ok(())
    }

    /// Reads the integers, booleans and strings of one instance into the newest values.
    pub(crate) fn read_discrete(&mut self, index: usize) -> CallResult<()> {
        let Member { instance, unit, .. } = &mut self.members[index];
        let (Some(discrete), newest) = (&unit.discrete, &mut self.newest) else { return Ok(()) };
        let (references, range) = &discrete.integer_outputs;
        if !references.is_empty() {
            instance.get_integer(references, &mut newest.integers[range.clone()])?;
        }
        let (references, range) = &discrete.boolean_outputs;
        if !references.is_empty() {
            instance.get_boolean(references, &mut newest.booleans[range.clone()])?;
        }
        let (references, range) = &discrete.text_outputs;
        if !references.is_empty() {
            instance.get_string(references, &mut newest.texts[range.clone()])?;
        }
        for &(signal, source) in &discrete.converted {
            newest.reals[signal] = f64::from(newest.whole(source));
        }
        Ok(())
    }

    /// Hands the newest values to the Real inputs of one instance (initialization mode).
    pub(crate) fn set_real_inputs(&mut self, index: usize) -> CallResult<()> {
        let Member { instance, unit, .. } = &mut self.members[index];
        if unit.input_references.is_empty() {
            return Ok(());
        }
        let inputs = gather(&self.plan, unit, &self.newest.reals, &mut self.gathered);
        instance.set_real(&unit.input_references, inputs)
    }

    /// Reads all outputs of one instance into the newest values.
    pub(crate) fn read_outputs(&mut self, index: usize) -> CallResult<()> {
        let Member { instance, unit, .. } = &mut self.members[index];
        if !unit.outputs.is_empty() {
            instance.get_real(&unit.output_references, &mut self.newest.reals[unit.outputs.clone()])?;
        }
        self.read_discrete(index)
    }
}

impl Member {
    #[inline]
    fn step(&mut self, inputs: &[f64], outputs: &mut [f64], t: f64, h: f64) -> StepResult {
        self.calls.steps += 1;
        match self.instance.step(inputs, t, h, outputs) {
            Ok(StepOutcome::Complete) => Ok(Verdict::Done),
            outcome => self.refuse(outcome),
        }
    }

    #[cold]
    fn refuse(&self, outcome: CallResult<StepOutcome>) -> StepResult {
        Ok(match outcome.map_err(call_failed)? {
            StepOutcome::Discarded(discard) => {
                Verdict::Refused(Box::new(Refusal::Discarded { instance: self.index, discard: *discard }))
            }
            StepOutcome::Complete => Verdict::Done,
        })
    }
}

/// Computes the Real inputs of an instance: `offset + sum(factor * signal)`.
#[inline]
fn gather<'a>(plan: &Plan, unit: &Unit, signals: &[f64], gathered: &'a mut [f64]) -> &'a [f64] {
    let gathered = &mut gathered[..unit.input_references.len()];
    match &unit.feed {
        Feed::Direct(range) => gathered.copy_from_slice(&signals[range.clone()]),
        Feed::Gather(range) => {
            for (value, gather) in gathered.iter_mut().zip(&plan.gathers[range.clone()]) {
                let terms = &plan.terms[gather.terms.clone()];
                *value = terms.iter().fold(gather.offset, |sum, term| sum + term.factor * signals[term.signal]);
            }
        }
    }
    gathered
}

/// Whether no value is NaN or infinite; without branches, so that it is fast for many.
#[inline]
fn all_finite(values: &[f64]) -> bool {
    const EXPONENT: u64 = 0x7ff0_0000_0000_0000;
    values.iter().fold(true, |finite, value| finite & (value.to_bits() & EXPONENT != EXPONENT))
}

#[cold]
fn call_failed(error: Box<CallError>) -> Box<Error> {
    Box::new(Error::Call(error))
}
