//! The model used by the checks.

use crate::{
    BooleanRef, Instance, IntegerRef, ModelDescription, RealRef, StepOutcome, StringRef,
    description::{Causality, Variable, VariableKind},
};

/// Variables of a model, grouped by their use in the checks.
#[derive(Debug, Clone, Default)]
pub struct ModelUnderTest {
    /// First communication point \[s\].
    pub start: f64,
    /// Communication step size \[s\].
    pub h: f64,
    /// Real inputs with their start values.
    pub real_inputs: Vec<(RealRef, f64)>,
    /// Real outputs.
    pub real_outputs: Vec<RealRef>,
    /// Real parameters with their start values.
    pub real_parameters: Vec<(RealRef, f64)>,
    /// Integer inputs.
    pub integer_inputs: Vec<IntegerRef>,
    /// Integer outputs.
    pub integer_outputs: Vec<IntegerRef>,
    /// Boolean inputs.
    pub boolean_inputs: Vec<BooleanRef>,
    /// Boolean outputs.
    pub boolean_outputs: Vec<BooleanRef>,
    /// String parameters.
    pub string_parameters: Vec<StringRef>,
    /// String outputs.
    pub string_outputs: Vec<StringRef>,
}

impl ModelUnderTest {
    /// Creates the model from a model description, with steps of 0.1 s from 0 s.
    #[must_use]
    pub fn new(description: &ModelDescription) -> Self {
        let mut model = Self { h: 0.1, ..Self::default() };
        description.variables.iter().for_each(|variable| model.add(variable));
        model
    }

    fn add(&mut self, variable: &Variable) {
        let number = variable.value_reference;
        match (&variable.kind, variable.causality) {
            (VariableKind::Real(real), Causality::Input) => {
                self.real_inputs.push((RealRef(number), real.start.unwrap_or(0.0)));
            }
            (VariableKind::Real(real), Causality::Parameter) => {
                self.real_parameters.push((RealRef(number), real.start.unwrap_or(0.0)));
            }
            (VariableKind::Real(_), Causality::Output) => self.real_outputs.push(RealRef(number)),
            (VariableKind::Integer(_), Causality::Input) => self.integer_inputs.push(IntegerRef(number)),
            (VariableKind::Integer(_), Causality::Output) => self.integer_outputs.push(IntegerRef(number)),
            (VariableKind::Boolean(_), Causality::Input) => self.boolean_inputs.push(BooleanRef(number)),
            (VariableKind::Boolean(_), Causality::Output) => self.boolean_outputs.push(BooleanRef(number)),
            (VariableKind::String(_), Causality::Parameter) => self.string_parameters.push(StringRef(number)),
            (VariableKind::String(_), Causality::Output) => self.string_outputs.push(StringRef(number)),
            _ => {}
        }
    }

    /// Returns the Real inputs.
    #[must_use]
    pub fn input_references(&self) -> Vec<RealRef> {
        self.real_inputs.iter().map(|(reference, _)| *reference).collect()
    }

    /// Returns values for the Real inputs in step `n`: close to their start values, and different from step to step.
    #[must_use]
    pub fn inputs(&self, n: u32) -> Vec<f64> {
        self.real_inputs.iter().map(|(_, start)| start + 0.125 * f64::from(n + 1)).collect()
    }

    /// Returns communication point `n`.
    #[must_use]
    pub fn time(&self, n: u32) -> f64 {
        self.start + f64::from(n) * self.h
    }

    /// Makes step `n` with [`Instance::bind`] and [`Instance::step`] and returns the Real outputs.
    ///
    /// # Panics
    /// If the step is not complete.
    pub fn fused_step(&self, instance: &mut dyn Instance, n: u32) -> Vec<f64> {
        let mut outputs = vec![0.0; self.real_outputs.len()];
        let outcome = instance
            .bind(&self.input_references(), &self.real_outputs)
            .and_then(|()| instance.step(&self.inputs(n), self.time(n), self.h, true, &mut outputs));
        match outcome {
            Ok(StepOutcome::Complete) => outputs,
            Ok(discarded) => panic!("step {n}: {discarded:?}"),
            Err(error) => panic!("step {n}: {error}"),
        }
    }
}
