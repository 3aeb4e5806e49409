//! A resolved declaration, used by the exported functions.

use std::collections::HashMap;

use fmi2::ModelDescription;
use fmi2::description::{Causality, ScalarVariable, Variability, VariableKind};

use super::access::{EnvironmentAccess, InputAccess, RealFunction, Setter, Table, Tables};
use super::builder::{Declaration, Detail};
use super::dependencies::Dependencies;
use super::describe::{Facts, describe};
use super::value::{Base, sealed::Tabled};
use crate::{Error, Model};

/// The complete interface of `M`.
pub(crate) struct Declared<M> {
    pub description: ModelDescription,
    pub tables: Tables<M>,
    /// Inputs that are polynomials.
    pub inputs: Vec<InputAccess<M>>,
    /// For each Real variable, by value reference, its index in `inputs`.
    pub polynomials: Vec<Option<usize>>,
    pub dependencies: Dependencies<M>,
    /// For each Real variable, by value reference, its time derivatives of orders 1, 2 … if it is an output.
    pub derivatives: Vec<Option<Vec<RealFunction<M>>>>,
    /// Access to the environment stored in the model.
    pub environment: Option<EnvironmentAccess<M>>,
    /// Errors in the declaration; such a model cannot be instantiated.
    pub problems: Vec<Error>,
}

impl<M: Model> Declared<M> {
    pub fn new() -> Self {
        let mut declaration = Declaration::new();
        M::declare(&mut declaration);
        let Declaration { mut variables, details, mut tables, inputs, units, types, experiment, environment } = declaration;
        let mut model = M::default();
        tables.prepare(&mut variables, &mut model);
        let polynomials: Vec<_> = inputs.into_iter().filter(|(_, input)| input(&mut model).is_some()).collect();
        let input: HashMap<usize, usize> =
            polynomials.iter().enumerate().map(|(input, (variable, _))| (*variable, input)).collect();

        let mut problems = repeated_names(&variables);
        problems.extend(link_derivatives(&mut variables, &details));
        let max_output_derivative_order = details.iter().map(|detail| detail.derivatives.len()).max().unwrap_or(0);
        let is_output = |variable: usize| variables[variable].causality() == Causality::Output;
        let derivatives = |&variable: &usize| is_output(variable).then(|| details[variable].derivatives.clone());
        let derivatives = tables.reals.variables.iter().map(derivatives).collect();
        let (dependencies, unresolved) = Dependencies::resolve(&variables, details);
        problems.extend(unresolved);

        let facts = Facts {
            name: M::NAME,
            description: M::DESCRIPTION,
            thread_safe: M::THREAD_SAFE,
            interpolates_inputs: !polynomials.is_empty() && polynomials.len() == real_inputs(&variables),
            max_output_derivative_order,
        };
        let mut description = ModelDescription { variables, units, types, default_experiment: experiment, ..Default::default() };
        describe(&facts, &dependencies, &mut description);
        let inputs = polynomials.into_iter().map(|(_, input)| input).collect();
        let polynomials = tables.reals.variables.iter().map(|variable| input.get(variable).copied()).collect();
        Self { description, tables, inputs, polynomials, dependencies, derivatives, environment, problems }
    }

    /// Returns the variable of base type `T` with this value reference, which must exist.
    pub fn variable<T: Tabled>(&self, reference: u32) -> &ScalarVariable {
        &self.description.variables[T::table(&self.tables).variables[reference as usize]]
    }
}

impl<M> Tables<M> {
    fn prepare(&mut self, variables: &mut [ScalarVariable], model: &mut M) {
        prepare(&mut self.reals, variables, model);
        prepare(&mut self.integers, variables, model);
        prepare(&mut self.booleans, variables, model);
        prepare(&mut self.strings, variables, model);
    }
}

/// Determines when each variable may be set, and copies start values from the default model.
fn prepare<M, T: Base>(table: &mut Table<M, T>, variables: &mut [ScalarVariable], model: &mut M) {
    for ((&variable, get), write) in table.variables.iter().zip(&table.getters).zip(table.writes.drain(..)) {
        let variable = &mut variables[variable];
        if variable.start_is_settable() || variable.variability() == Variability::Constant {
            get(model).set_start(&mut variable.kind);
        }
        table.setters.push(Setter::of(variable, write));
    }
}

fn real_inputs(variables: &[ScalarVariable]) -> usize {
    let is_real_input = |v: &&ScalarVariable| v.causality() == Causality::Input && matches!(v.kind, VariableKind::Real(_));
    variables.iter().filter(is_real_input).count()
}

/// Writes the index of the state into each variable that is a time derivative.
fn link_derivatives<M>(variables: &mut [ScalarVariable], details: &[Detail<M>]) -> Vec<Error> {
    let mut index = HashMap::new();
    for (variable, one_based) in variables.iter().zip(1..) {
        index.entry(variable.name.as_str()).or_insert(one_based);
    }
    let states: Vec<_> = details.iter().map(|detail| index.get(detail.derivative_of.as_deref()?).copied()).collect();
    let mut problems = Vec::new();
    for ((detail, state), variable) in details.iter().zip(states).zip(variables) {
        let Some(name) = &detail.derivative_of else { continue };
        match (state, &mut variable.kind) {
            (Some(state), VariableKind::Real(real)) => real.derivative = Some(state),
            _ => problems.push(Error::UnknownVariable { variable: variable.name.clone(), on: name.clone() }),
        }
    }
    problems
}

fn repeated_names(variables: &[ScalarVariable]) -> Vec<Error> {
    let mut seen = std::collections::BTreeSet::new();
    let repeated = variables.iter().filter(|v| !seen.insert(v.name.as_str()));
    repeated.map(|v| Error::RepeatedName { variable: v.name.clone() }).collect()
}
