//! Values and settings of an instance before its first step, and the test whether it keeps them.

use std::{collections::HashMap, fmt::Display};

use lotka_instance::{
    BinaryRef, BooleanRef, CallResult, Experiment, Instance, IntegerRef, ModelDescription, Phase, RealRef, StringRef, TypedValue,
    description::{Causality, Initial, Variable, VariableKind},
};
use lotka_message::{Code, Warning};

use crate::{Error, algorithm::Coupled};

/// A start value to be set in an instance.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    reference: u32,
    /// The value.
    pub value: TypedValue,
    /// Whether it may be set in initialization mode only, because it is an input.
    is_input: bool,
    /// Whether it is a structural parameter, whose value instances have from the start.
    is_structural: bool,
    /// The name of the variable, if it must have this value after initialization: it is a parameter, or has an exact start value.
    kept: Option<Box<str>>,
}

impl Setting {
    /// The value.
    #[must_use]
    pub fn new(description: &ModelDescription, variable: usize, value: TypedValue) -> Self {
        let variable = &description.variables[variable];
        let is_input = variable.causality == Causality::Input;
        let stays = variable.causality == Causality::Parameter || variable.initial == Some(Initial::Exact);
        let kept = (stays && !is_input).then(|| variable.name.as_str().into());
        Self { reference: variable.value_reference, value, is_input, is_structural: variable.is_structural, kept }
    }

    fn apply(&self, instance: &mut dyn Instance) -> CallResult<()> {
        if self.is_structural { Ok(()) } else { self.value.set(instance, self.reference) }
    }
}

/// Larger than the rounding error of single precision.
const ARRIVED: f64 = 1e-6;

impl Setting {
    /// The variable, the value that was set and the actual one, if the instance did not keep it.
    fn lost(&self, instance: &mut dyn Instance) -> CallResult<Option<(&str, String, String)>> {
        let Some(name) = &self.kept else { return Ok(None) };
        let differ = |set: &dyn Display, is: &dyn Display| Some((&**name, set.to_string(), is.to_string()));
        Ok(match &self.value {
            TypedValue::Real(set) => {
                let mut is = [0.0];
                instance.get_real(&[RealRef(self.reference)], &mut is)?;
                let is_same = set.to_bits() == is[0].to_bits() || (set - is[0]).abs() <= ARRIVED * set.abs();
                if is_same { None } else { differ(set, &is[0]) }
            }
            TypedValue::Integer(set) => {
                let mut is = [0];
                instance.get_integer(&[IntegerRef(self.reference)], &mut is)?;
                if is[0] == *set { None } else { differ(set, &is[0]) }
            }
            TypedValue::Boolean(set) => {
                let mut is = [false];
                instance.get_boolean(&[BooleanRef(self.reference)], &mut is)?;
                if is[0] == *set { None } else { differ(set, &is[0]) }
            }
            TypedValue::Text(set) => {
                let mut is = [String::new()];
                instance.get_string(&[StringRef(self.reference)], &mut is)?;
                if is[0] == *set { None } else { differ(&format_args!("{set:?}"), &format_args!("{:?}", is[0])) }
            }
            TypedValue::Binary(set) => {
                let mut is = [Vec::new()];
                instance.get_binary(&[BinaryRef(self.reference)], &mut is)?;
                let bytes = |value: &Vec<u8>| format!("{} bytes", value.len());
                if is[0] == *set { None } else { differ(&bytes(set), &bytes(&is[0])) }
            }
        })
    }
}

/// Start values that initialized instances did not keep.
#[derive(Debug, Default)]
pub struct ReadBack {
    pub warnings: Vec<Warning>,
    /// Whether reading disturbed an instance, so that it must be initialized again.
    pub disturbed: bool,
}

/// Reads back the values that were set, if they must still be present.
///
/// # Errors
/// An instance ended its process. Other refusals of an instance are ignored.
pub fn read_back(coupled: &mut Coupled, set_up: &[SetUp]) -> Result<ReadBack, Box<Error>> {
    let mut found = ReadBack::default();
    for (instance, set_up) in coupled.instances.iter_mut().zip(set_up) {
        for setting in &set_up.settings {
            match setting.lost(&mut *instance.inner) {
                Ok(None) => {}
                Ok(Some((variable, set, is))) => found.warnings.push(Warning::new(
                    Code::StartValueLost,
                    format!(
                        "`{}.{variable}` was set to {set} but is {is} after initialization: the FMU did not keep the start value",
                        instance.inner.name()
                    ),
                )),
                Err(error) => {
                    let error = failed(error);
                    if error.ended_process() {
                        return Err(error);
                    }
                    if instance.inner.phase() != Phase::StepComplete {
                        found.disturbed = true;
                        break;
                    }
                }
            }
        }
    }
    Ok(found)
}

/// Values and settings of one instance before its first step.
#[derive(Debug, Clone, PartialEq)]
pub struct SetUp {
    /// Start, stop and tolerance.
    pub experiment: Experiment,
    /// Values to be set.
    pub settings: Vec<Setting>,
    /// The Real inputs that have start values in the model description, with these values.
    pub inputs: Vec<(RealRef, f64)>,
}

impl SetUp {
    /// The start values of the Real inputs.
    #[must_use]
    pub fn starts(&self) -> Starts {
        let given = self.settings.iter().filter(|setting| setting.is_input).filter_map(|setting| match setting.value {
            TypedValue::Real(value) => Some((RealRef(setting.reference), value)),
            _ => None,
        });
        // The first one counts.
        Starts { given: given.rev().collect(), declared: self.inputs.iter().rev().copied().collect() }
    }
}

/// Start values of Real inputs.
pub struct Starts {
    given: HashMap<RealRef, f64>,
    declared: HashMap<RealRef, f64>,
}

impl Starts {
    /// The start value that is specified for an input.
    pub fn given(&self, input: RealRef) -> Option<f64> {
        self.given.get(&input).copied()
    }

    /// The start value of an input: the specified one, otherwise that of the model description.
    pub fn of(&self, input: RealRef) -> Option<f64> {
        self.given(input).or_else(|| self.declared.get(&input).copied())
    }
}

/// The Real inputs of an FMU with start values.
#[must_use]
pub fn input_starts(description: &ModelDescription) -> Vec<(RealRef, f64)> {
    let inputs = description.variables.iter().filter(|variable| variable.causality == Causality::Input);
    let start = |variable: &Variable| match &variable.kind {
        VariableKind::Real(real) => real.start.map(|start| (RealRef(variable.value_reference), start)),
        _ => None,
    };
    inputs.filter_map(start).collect()
}

/// Takes an instance, at the beginning of a run, to initialization mode, with its start values.
///
/// # Errors
/// A call to the instance fails.
pub fn enter(instance: &mut dyn Instance, set_up: &SetUp) -> CallResult<()> {
    // FMUs of 20-sim lose values that were set before.
    instance.setup_experiment(&set_up.experiment)?;
    set_up.settings.iter().filter(|setting| !setting.is_input).try_for_each(|setting| setting.apply(instance))?;
    instance.enter_initialization_mode()?;
    set_up.settings.iter().filter(|setting| setting.is_input).try_for_each(|setting| setting.apply(instance))
}

/// A call failed before the first step.
#[must_use]
pub fn failed(error: Box<lotka_instance::CallError>) -> Box<Error> {
    Box::new(Error::Initialization(error))
}
