//! The trial that shows whether an instance that was reset is like a new one: both are initialized and stepped in the same way,
//! and all of their variables and their serialized states are compared, bit by bit.
//!
//! A few steps do not show all that an FMU keeps, such as the time of its next sample; its serialized state does. FMUs that do
//! not serialize theirs are never shown to be the same.

use lotka_instance::{
    BinaryRef, BooleanRef, CallResult, Instance, IntegerRef, ModelDescription, Phase, RealRef, Slot, StepOutcome, StringRef,
    description::VariableKind,
};
use lotka_plan::graph::InstancePlan;

use super::set_up::{SetUp, enter};
use crate::algorithm::{conclude, exchange_at_once};

/// Steps of a trial as parts of its step size. Unequal ones show a grid inside the instance that was not reset.
const PARTS: [f64; 4] = [1.0, 0.5, 1.0, 0.3];

/// How both instances are used.
pub(super) struct Trial<'a> {
    pub(super) description: &'a ModelDescription,
    pub(super) set_up: &'a SetUp,
    pub(super) plan: &'a InstancePlan,
    /// Values of the inputs during the steps: such as occur in a run.
    pub(super) inputs: Vec<f64>,
    /// Size of the steps \[s\].
    pub(super) h: f64,
}

/// What a trial shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Same,
    Different,
    /// No step was possible.
    Unknown,
}

/// Compares an instance that was reset with a new one; one that fails is different.
pub(super) fn compare(reset: &mut dyn Instance, new: &mut dyn Instance, trial: &Trial<'_>) -> Verdict {
    if !new.capabilities().serialize_state {
        return Verdict::Different;
    }
    let Ok(expected) = trial.answers(new) else { return Verdict::Different };
    match trial.answers(reset) {
        Ok(answers) if answers == expected => {
            if expected.states.len() > 1 {
                Verdict::Same
            } else {
                Verdict::Unknown
            }
        }
        _ => Verdict::Different,
    }
}

/// What an instance answers.
#[derive(Debug, Default, PartialEq)]
struct Answers {
    /// Bits of numbers.
    bits: Vec<u64>,
    texts: Vec<String>,
    integers: Vec<i128>,
    binaries: Vec<Vec<u8>>,
    /// Its serialized state at the beginning, and after each step.
    states: Vec<Vec<u8>>,
}

impl Trial<'_> {
    fn answers(&self, instance: &mut dyn Instance) -> CallResult<Answers> {
        let mut answers = Answers::default();
        let variables = Variables::of(self.description);
        enter(instance, self.set_up)?;
        instance.exit_initialization_mode()?;
        if instance.phase() == Phase::Event {
            conclude(instance)?;
        }
        instance.bind(&self.plan.input_references, &self.plan.output_references)?;
        let slot = instance.new_slot()?;
        variables.read(instance, &mut answers)?;
        answers.states.push(state(instance, slot)?);
        let (mut t, size) = (self.set_up.experiment.start, self.plan.sample_time.unwrap_or(self.h));
        let mut outputs = vec![0.0; self.plan.output_references.len()];
        for part in PARTS {
            let h = if instance.capabilities().variable_step { part * size } else { size };
            if self.set_up.experiment.stop.is_some_and(|stop| t + h > stop) || !self.inputs.iter().all(|input| input.is_finite())
            {
                break;
            }
            let outcome = instance.step(&self.inputs, t, h, true, &mut outputs)?;
            answers.bits.extend(outputs.iter().map(|value| value.to_bits()));
            if outcome != StepOutcome::Complete {
                answers.texts.push(format!("{outcome:?}"));
                return Ok(answers);
            }
            // A sampled instance makes its own steps there.
            if self.plan.sample_time.is_some() {
                exchange_at_once(instance, self.plan, &self.inputs, &mut outputs)?;
            }
            variables.read(instance, &mut answers)?;
            answers.states.push(state(instance, slot)?);
            t += h;
        }
        Ok(answers)
    }
}

/// The bytes of the present state.
fn state(instance: &mut dyn Instance, slot: Slot) -> CallResult<Vec<u8>> {
    instance.save(slot)?;
    instance.serialize(slot)
}

/// The variables of a model, by type.
#[derive(Default)]
struct Variables {
    reals: Vec<RealRef>,
    integers: Vec<IntegerRef>,
    booleans: Vec<BooleanRef>,
    strings: Vec<StringRef>,
    binaries: Vec<BinaryRef>,
}

impl Variables {
    fn of(description: &ModelDescription) -> Self {
        let mut variables = Self::default();
        for variable in &description.variables {
            let reference = variable.value_reference;
            match variable.kind {
                VariableKind::Real(_) => variables.reals.push(RealRef(reference)),
                VariableKind::Integer(_) | VariableKind::Enumeration(_) => variables.integers.push(IntegerRef(reference)),
                VariableKind::Boolean(_) => variables.booleans.push(BooleanRef(reference)),
                VariableKind::String(_) => variables.strings.push(StringRef(reference)),
                VariableKind::Binary(_) => variables.binaries.push(BinaryRef(reference)),
            }
        }
        variables
    }

    fn read(&self, instance: &mut dyn Instance, answers: &mut Answers) -> CallResult<()> {
        let mut reals = vec![0.0; self.reals.len()];
        let mut integers = vec![0; self.integers.len()];
        let mut booleans = vec![false; self.booleans.len()];
        let mut strings = vec![String::new(); self.strings.len()];
        let mut binaries = vec![Vec::new(); self.binaries.len()];
        // Some FMUs do not expect calls about no variables.
        if !reals.is_empty() {
            instance.get_real(&self.reals, &mut reals)?;
        }
        if !integers.is_empty() {
            instance.get_integer(&self.integers, &mut integers)?;
        }
        if !booleans.is_empty() {
            instance.get_boolean(&self.booleans, &mut booleans)?;
        }
        if !strings.is_empty() {
            instance.get_string(&self.strings, &mut strings)?;
        }
        if !binaries.is_empty() {
            instance.get_binary(&self.binaries, &mut binaries)?;
        }
        answers.bits.extend(reals.into_iter().map(f64::to_bits));
        answers.integers.append(&mut integers);
        answers.binaries.append(&mut binaries);
        answers.bits.extend(booleans.into_iter().map(u64::from));
        answers.texts.append(&mut strings);
        Ok(())
    }
}
