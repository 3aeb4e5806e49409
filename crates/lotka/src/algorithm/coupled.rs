//! The coupled instances: their signals, their saved states and the step of one instance.

use fmi2::{CallResult, Discard, Instance, RealRef, Slot, StepOutcome};

use super::Signals;
use crate::{
    Error,
    graph::{Feed, Plan, Unit},
};

/// How an attempt to step ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Verdict {
    Done,
    Refused(Refusal),
}

/// Why a step was not made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Refusal {
    Discarded { instance: usize, discard: Discard },
    NotConverged { component: usize, norm: f64 },
    NotFinite { signal: usize, value: f64 },
}

/// Errors are boxed: the good path stays small.
pub(crate) type StepResult = Result<Verdict, Box<Error>>;

/// Which saved state a rollback goes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    /// The last communication point.
    Communication,
    /// The point between two half steps.
    Middle,
}

/// What the instances were asked to do, per instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Calls {
    pub(crate) steps: u64,
    pub(crate) saves: u64,
    pub(crate) restores: u64,
}

struct Saved {
    slots: Vec<Slot>,
    signals: Signals,
}

/// All instances with the values they exchange.
pub(crate) struct Coupled {
    pub(crate) plan: Plan,
    pub(crate) instances: Vec<Box<dyn Instance>>,
    /// Newest known values.
    pub(crate) newest: Signals,
    /// Values at the begin of a pass, for sweeps that need them.
    pub(crate) held: Signals,
    pub(crate) calls: Vec<Calls>,
    pub(crate) n_rollbacks: u64,
    pub(crate) n_iterations: u64,
    saved: Vec<Saved>,
    gathered: Vec<f64>,
}

impl Coupled {
    pub(crate) fn new(plan: Plan, instances: Vec<Box<dyn Instance>>) -> Self {
        let widest = plan.units.iter().map(|unit| unit.inputs.len()).max().unwrap_or(0);
        Self {
            newest: Signals::new(&plan),
            held: Signals::new(&plan),
            calls: vec![Calls::default(); instances.len()],
            n_rollbacks: 0,
            n_iterations: 0,
            saved: Vec::new(),
            gathered: vec![0.0; widest],
            plan,
            instances,
        }
    }

    /// Forgets the counts of an earlier run.
    pub(crate) fn begin(&mut self) {
        self.calls.fill(Calls::default());
        self.n_rollbacks = 0;
        self.n_iterations = 0;
    }

    /// Makes room for saved states up to and including `level`.
    pub(crate) fn allow_rollback(&mut self, level: Level) -> CallResult<()> {
        while self.saved.len() <= level as usize {
            let slots = self.instances.iter_mut().map(|instance| instance.new_slot()).collect::<CallResult<_>>()?;
            self.saved.push(Saved { slots, signals: self.newest.clone() });
        }
        Ok(())
    }

    /// Saves all instances and the newest values.
    #[inline]
    pub(crate) fn save(&mut self, level: Level) -> Result<(), Box<Error>> {
        let saved = &mut self.saved[level as usize];
        saved.signals.copy_from(&self.newest);
        for ((instance, slot), calls) in self.instances.iter_mut().zip(&saved.slots).zip(&mut self.calls) {
            instance.save(*slot).map_err(call_failed)?;
            calls.saves += 1;
        }
        Ok(())
    }

    /// Rolls all instances and the newest values back.
    #[inline]
    pub(crate) fn restore(&mut self, level: Level) -> Result<(), Box<Error>> {
        let saved = &self.saved[level as usize];
        self.newest.copy_from(&saved.signals);
        self.n_rollbacks += 1;
        for ((instance, slot), calls) in self.instances.iter_mut().zip(&saved.slots).zip(&mut self.calls) {
            instance.restore(*slot).map_err(call_failed)?;
            calls.restores += 1;
        }
        Ok(())
    }

    /// Rolls some instances back; the newest values stay as they are.
    pub(crate) fn restore_members(&mut self, members: &[usize], level: Level) -> Result<(), Box<Error>> {
        self.n_rollbacks += 1;
        for &member in members {
            self.instances[member].restore(self.saved[level as usize].slots[member]).map_err(call_failed)?;
            self.calls[member].restores += 1;
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
        let unit = &self.plan.units[index];
        self.calls[index].steps += 1;
        if unit.discrete.is_some() {
            return self.step_with_discrete(index, false, t, h);
        }
        let instance = &mut *self.instances[index];
        let references = &self.plan.input_references[unit.inputs.clone()];
        let output_references = &self.plan.output_references[unit.outputs.clone()];
        let outcome = match &unit.feed {
            Feed::Direct(range) => {
                // Direct feeds never overlap the outputs of the instance.
                let (inputs, outputs) = if range.end <= unit.outputs.start {
                    let (before, rest) = self.newest.reals.split_at_mut(unit.outputs.start);
                    (&before[range.clone()], &mut rest[..output_references.len()])
                } else {
                    let (before, rest) = self.newest.reals.split_at_mut(unit.outputs.end);
                    (&rest[range.start - unit.outputs.end..range.end - unit.outputs.end], &mut before[unit.outputs.clone()])
                };
                instance.step((references, inputs), t, h, (output_references, outputs))
            }
            Feed::Gather => {
                gather(&self.plan, unit, &self.newest.reals, &mut self.gathered);
                let inputs = &self.gathered[..references.len()];
                instance.step((references, inputs), t, h, (output_references, &mut self.newest.reals[unit.outputs.clone()]))
            }
        };
        judge(index, unit, outcome, &self.newest.reals)
    }

    /// Steps one instance from `t` by `h` with the held values as inputs.
    #[inline]
    pub(crate) fn step_with_held(&mut self, index: usize, t: f64, h: f64) -> StepResult {
        let unit = &self.plan.units[index];
        self.calls[index].steps += 1;
        if unit.discrete.is_some() {
            return self.step_with_discrete(index, true, t, h);
        }
        let references = &self.plan.input_references[unit.inputs.clone()];
        let inputs = match &unit.feed {
            Feed::Direct(range) => &self.held.reals[range.clone()],
            Feed::Gather => {
                gather(&self.plan, unit, &self.held.reals, &mut self.gathered);
                &self.gathered[..references.len()]
            }
        };
        let outputs: (&[RealRef], &mut [f64]) =
            (&self.plan.output_references[unit.outputs.clone()], &mut self.newest.reals[unit.outputs.clone()]);
        let outcome = self.instances[index].step((references, inputs), t, h, outputs);
        judge(index, unit, outcome, &self.newest.reals)
    }

    /// The general step of an instance with integers, booleans or strings.
    #[cold]
    fn step_with_discrete(&mut self, index: usize, held: bool, t: f64, h: f64) -> StepResult {
        self.set_discrete_inputs(index, held).map_err(call_failed)?;
        let unit = &self.plan.units[index];
        let values = if held { &self.held } else { &self.newest };
        gather(&self.plan, unit, &values.reals, &mut self.gathered);
        let references = &self.plan.input_references[unit.inputs.clone()];
        let inputs = (references, &self.gathered[..references.len()]);
        let outputs: (&[RealRef], &mut [f64]) =
            (&self.plan.output_references[unit.outputs.clone()], &mut self.newest.reals[unit.outputs.clone()]);
        let outcome = self.instances[index].step(inputs, t, h, outputs);
        if matches!(outcome, Ok(StepOutcome::Complete)) && unit.discrete.as_ref().is_some_and(|discrete| discrete.every_step) {
            self.read_discrete(index).map_err(call_failed)?;
        }
        judge(index, &self.plan.units[index], outcome, &self.newest.reals)
    }

    /// Hands the newest (or held) integers, booleans and strings to one instance.
    pub(crate) fn set_discrete_inputs(&mut self, index: usize, held: bool) -> CallResult<()> {
        let Some(discrete) = &self.plan.units[index].discrete else { return Ok(()) };
        let values = if held { &self.held } else { &self.newest };
        let instance = &mut self.instances[index];
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
        let Some(discrete) = &self.plan.units[index].discrete else { return Ok(()) };
        let (instance, newest) = (&mut self.instances[index], &mut self.newest);
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
        let unit = &self.plan.units[index];
        if unit.inputs.is_empty() {
            return Ok(());
        }
        gather(&self.plan, unit, &self.newest.reals, &mut self.gathered);
        let references = &self.plan.input_references[unit.inputs.clone()];
        self.instances[index].set_real(references, &self.gathered[..references.len()])
    }

    /// Reads all outputs of one instance into the newest values.
    pub(crate) fn read_outputs(&mut self, index: usize) -> CallResult<()> {
        let outputs = self.plan.units[index].outputs.clone();
        if !outputs.is_empty() {
            self.instances[index].get_real(&self.plan.output_references[outputs.clone()], &mut self.newest.reals[outputs])?;
        }
        self.read_discrete(index)
    }
}

/// Computes the Real inputs of an instance: `offset + sum(factor * signal)`.
#[inline]
fn gather(plan: &Plan, unit: &Unit, signals: &[f64], gathered: &mut [f64]) {
    for (value, gather) in gathered.iter_mut().zip(&plan.gathers[unit.inputs.clone()]) {
        *value =
            plan.terms[gather.terms.clone()].iter().fold(gather.offset, |sum, term| sum + term.factor * signals[term.signal]);
    }
}

#[inline]
fn judge(index: usize, unit: &Unit, outcome: CallResult<StepOutcome>, reals: &[f64]) -> StepResult {
    match outcome {
        Ok(StepOutcome::Complete) if reals[unit.connected.clone()].iter().all(|value| value.is_finite()) => Ok(Verdict::Done),
        other => refuse(index, unit, other, reals),
    }
}

#[cold]
fn refuse(index: usize, unit: &Unit, outcome: CallResult<StepOutcome>, reals: &[f64]) -> StepResult {
    match outcome {
        Ok(StepOutcome::Discarded(discard)) => Ok(Verdict::Refused(Refusal::Discarded { instance: index, discard })),
        Ok(StepOutcome::Complete) => {
            let bad = unit.connected.clone().find(|&signal| !reals[signal].is_finite()).unwrap_or(unit.connected.start);
            Ok(Verdict::Refused(Refusal::NotFinite { signal: bad, value: reals[bad] }))
        }
        Err(error) => Err(call_failed(error)),
    }
}

#[cold]
fn call_failed(error: Box<fmi2::CallError>) -> Box<Error> {
    Box::new(Error::Call(error))
}
