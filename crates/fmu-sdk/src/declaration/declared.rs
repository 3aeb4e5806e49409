//! A resolved declaration, used by the exported functions.

use std::collections::HashMap;

use fmi3::description::Causality;
use lotka_instance::description::Variability;

use super::access::{EnvironmentAccess, InputAccess, RealFunction, Settable, Table, Tables};
use super::attributes::Variable;
use super::base::{Base, sealed::Tabled};
use super::builder::{Declaration, Detail};
use super::dependencies::Dependencies;
use super::describe::{Description, Facts};
use super::place::Referenced;
use super::structure;
use crate::{Error, Input, Model};

/// The complete interface of `M`.
pub(crate) struct Declared<M: 'static> {
    pub variables: Vec<Variable>,
    pub fmi2: fmi2::ModelDescription,
    pub fmi3: fmi3::ModelDescription,
    pub tables: Tables<M>,
    /// For each variable, where it is in the tables.
    pub places: Vec<Referenced>,
    /// Inputs that are polynomials.
    pub inputs: Vec<InputAccess<M>>,
    /// For each Real scalar its index in `inputs`, and that of the element.
    pub polynomials: Vec<Option<(usize, usize)>>,
    pub dependencies: Dependencies,
    /// Partial and time derivatives.
    pub functions: Vec<RealFunction<M>>,
    /// For each Real scalar its time derivatives of orders 1, 2 … if it is an output.
    pub derivatives: Vec<Option<Vec<RealFunction<M>>>>,
    /// Access to the environment stored in the model.
    pub environment: Option<EnvironmentAccess<M>>,
    /// Errors in the declaration; such a model cannot be instantiated.
    pub problems: Vec<Error>,
    /// Variables that FMI 2.0 cannot represent; a model with such variables cannot be instantiated as an FMU of that version.
    pub fmi2_problems: Vec<Error>,
}

impl<M: Model> Declared<M> {
    pub fn new() -> Self {
        let mut declaration = Declaration::new(M::default());
        M::declare(&mut declaration);
        let Declaration {
            mut variables,
            details,
            functions,
            mut tables,
            inputs,
            units,
            enumerations,
            experiment,
            environment,
            mut model,
        } = declaration;
        tables.prepare(&mut variables, &mut model);
        let mut elements = HashMap::new();
        for (number, input) in inputs.iter().enumerate() {
            elements.extend((0..input.length(&mut model)).map(|element| ((input.variable, element), (number, element))));
        }

        let mut problems = repeated_names(&variables);
        problems.extend(link_derivatives(&mut variables, &details));
        problems.extend(structure::link_sizes(&mut variables, &details));
        let max_output_derivative_order = details.iter().map(|detail| detail.derivatives.len()).max().unwrap_or(0);
        let is_output = |variable: usize| variables[variable].causality == Causality::Output;
        let mut derivatives = Vec::new();
        for &variable in &tables.reals.variables {
            let mut of_output = is_output(variable).then(Vec::new);
            if let Some(of_output) = &mut of_output {
                for &function in &details[variable].derivatives {
                    of_output.push(functions[function]);
                }
            }
            derivatives.push(of_output);
        }
        let (dependencies, unresolved) = Dependencies::resolve(&variables, details);
        problems.extend(unresolved);

        let interpolated: Vec<_> = inputs.iter().map(|input| input.variable).collect();
        let facts = Facts {
            name: M::NAME,
            description: M::DESCRIPTION,
            thread_safe: M::THREAD_SAFE,
            has_events: M::HAS_EVENTS,
            returns_early: M::RETURNS_EARLY,
            interpolates_inputs: !elements.is_empty() && elements.len() == real_inputs(&variables),
            interpolated: &interpolated,
            max_output_derivative_order,
            units: &units,
            enumerations: &enumerations,
            experiment,
        };
        let description = Description::new(facts, &variables, &dependencies);
        let (fmi2, fmi2_problems) = description.fmi2();
        let fmi3 = description.fmi3();
        let scalars = (0..tables.reals.variables.len()).map(|at| tables.reals.scalar(at));
        let polynomials = scalars.map(|scalar| elements.get(&scalar).copied()).collect();
        let places = tables.places(&variables, &interpolated);
        Self {
            variables,
            fmi2,
            fmi3,
            tables,
            places,
            inputs,
            polynomials,
            dependencies,
            functions,
            derivatives,
            environment,
            problems,
            fmi2_problems,
        }
    }

    /// Passes each polynomial that the model has at present to `act`, with its number.
    pub fn each_polynomial(&self, model: &mut M, mut act: impl FnMut(usize, &mut Input)) {
        let mut number = 0;
        for input in &self.inputs {
            for element in 0..input.length(model) {
                if let Some(polynomial) = (input.at)(model, element) {
                    act(number, polynomial);
                    number += 1;
                }
            }
        }
    }

    /// Returns the variable of a scalar of base type `T`, which must exist, and the index of its element.
    pub fn scalar<T: Tabled>(&self, at: usize) -> (&Variable, usize) {
        let (variable, element) = T::table(&self.tables).scalar(at);
        (&self.variables[variable], element)
    }
}

impl<M: 'static> Tables<M> {
    fn prepare(&mut self, variables: &mut [Variable], model: &mut M) {
        prepare(&mut self.reals, variables, model);
        prepare(&mut self.integers, variables, model);
        prepare(&mut self.wide_integers, variables, model);
        prepare(&mut self.booleans, variables, model);
        prepare(&mut self.strings, variables, model);
        prepare(&mut self.binaries, variables, model);
    }

    fn places(&self, variables: &[Variable], interpolated: &[usize]) -> Vec<Referenced> {
        let place_of =
            |v: &Variable| Referenced { element: v.element, is_array: !v.shape.is_empty(), is_interpolated: false, at: 0 };
        let mut places: Vec<_> = variables.iter().map(place_of).collect();
        interpolated.iter().for_each(|&variable| places[variable].is_interpolated = true);
        self.reals.place(&mut places);
        self.integers.place(&mut places);
        self.wide_integers.place(&mut places);
        self.booleans.place(&mut places);
        self.strings.place(&mut places);
        self.binaries.place(&mut places);
        places
    }
}

impl<M: 'static, T: 'static> Table<M, T> {
    fn place(&self, places: &mut [Referenced]) {
        place(&self.variables, places);
        for (at, array) in self.arrays.iter().enumerate() {
            places[array.variable].at = at as u32;
        }
    }

    /// Returns the variable of a scalar, and its index among the elements of the variable.
    pub fn scalar(&self, at: usize) -> (usize, usize) {
        scalar(&self.variables, at)
    }
}

fn scalar(variables: &[usize], at: usize) -> (usize, usize) {
    let variable = variables[at];
    (variable, at - variables.partition_point(|&other| other < variable))
}

/// Determines when each variable may be set, and copies start values from the default model.
fn prepare<M: 'static, T: Base>(table: &mut Table<M, T>, variables: &mut [Variable], model: &mut M) {
    copy_starts::<T>(&table.variables, &mut |scalar| table.getters[scalar].call(model, ()), variables);
    for (&variable, setter) in table.variables.iter().zip(&mut table.setters) {
        setter.settable = Settable::of(&variables[variable]);
    }
    for array in &mut table.arrays {
        array.setter.settable = Settable::of(&variables[array.variable]);
    }
}

/// Copies start values; `value` returns the value of a scalar, and `scalars` has the variable of each.
fn copy_starts<T: Base>(scalars: &[usize], value: &mut dyn FnMut(usize) -> T, variables: &mut [Variable]) {
    let mut first = 0;
    for elements in scalars.chunk_by(PartialEq::eq) {
        let variable = &mut variables[elements[0]];
        if variable.start_is_settable() || variable.variability == Variability::Constant {
            variable.start = Some(T::start((first..first + elements.len()).map(&mut *value).collect()));
        }
        first += elements.len();
    }
}

/// Writes the index of each scalar into the place of its variable.
fn place(scalars: &[usize], places: &mut [Referenced]) {
    for (at, &variable) in scalars.iter().enumerate() {
        if !places[variable].is_array {
            places[variable].at = at as u32;
        }
    }
}

fn real_inputs(variables: &[Variable]) -> usize {
    variables.iter().filter(|v| v.causality == Causality::Input && v.element.is_float()).map(Variable::len).sum()
}

/// Writes the index of the state into each variable that is a time derivative.
fn link_derivatives(variables: &mut [Variable], details: &[Detail]) -> Vec<Error> {
    let mut index = HashMap::new();
    for (i, variable) in variables.iter().enumerate() {
        index.entry(variable.name.clone()).or_insert((i, variable.shape.clone()));
    }
    let mut problems = Vec::new();
    for (detail, variable) in details.iter().zip(variables) {
        let Some(name) = &detail.derivative_of else { continue };
        match index.get(name) {
            Some((state, shape)) if *shape == variable.shape => variable.derivative = Some(*state),
            Some(_) => problems.push(Error::OtherShape { variable: variable.name.clone(), state: name.clone() }),
            None => problems.push(Error::UnknownVariable { variable: variable.name.clone(), on: name.clone() }),
        }
    }
    problems
}

fn repeated_names(variables: &[Variable]) -> Vec<Error> {
    let mut seen = std::collections::BTreeSet::new();
    let repeated = variables.iter().filter(|v| !seen.insert(v.name.as_str()));
    repeated.map(|v| Error::RepeatedName { variable: v.name.clone() }).collect()
}
