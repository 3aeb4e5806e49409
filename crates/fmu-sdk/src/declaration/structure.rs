//! Structural parameters: the sizes of arrays.

use std::collections::HashMap;

use fmi3::description::Causality;

use super::access::{Table, Tables};
use super::attributes::{Start, Variable};
use super::builder::Detail;
use super::place::reference;
use super::{Declared, ElementType};
use crate::{Error, Model, Refusal};

/// Writes the indices of the structural parameters into each array that they size, and its shape at the start.
pub(super) fn link_sizes(variables: &mut [Variable], details: &[Detail]) -> Vec<Error> {
    let parameters: Vec<_> =
        variables.iter().enumerate().filter(|(_, v)| v.causality == Causality::StructuralParameter).collect();
    let parameters: HashMap<_, _> = parameters.into_iter().map(|(i, v)| (v.name.clone(), (i, size(v)))).collect();
    let mut problems = Vec::new();
    for (detail, variable) in details.iter().zip(variables) {
        let sizes = detail.sized_by.iter().map(|name| parameters.get(name).copied().ok_or(name));
        match sizes.collect::<Result<Vec<_>, _>>() {
            Err(name) => problems.push(Error::NoSuchSize { variable: variable.name.clone(), on: name.clone() }),
            Ok(sizes) if sizes.is_empty() => {}
            Ok(sizes) => {
                let (expected, found) = (sizes.iter().map(|(_, size)| size).product(), variable.len());
                if expected != found {
                    problems.push(Error::OtherSize { variable: variable.name.clone(), expected, found });
                }
                (variable.sized_by, variable.shape) = sizes.into_iter().unzip();
            }
        }
    }
    problems
}

/// Returns the value at the start of a structural parameter.
fn size(variable: &Variable) -> usize {
    match &variable.start {
        Some(Start::Integers(values)) => values.first().and_then(|size| usize::try_from(*size).ok()).unwrap_or(0),
        _ => 0,
    }
}

impl<M: Model> Declared<M> {
    /// Whether the model has structural parameters.
    pub fn has_structure(&self) -> bool {
        self.variables.iter().any(|variable| variable.causality == Causality::StructuralParameter)
    }

    /// Refuses a model whose arrays do not have the sizes that its structural parameters say.
    pub fn check_structure(&self, model: &mut M) -> Result<(), Refusal> {
        let Tables { reals, integers, wide_integers, booleans, strings, binaries } = &self.tables;
        self.check_arrays(reals, model)?;
        self.check_arrays(integers, model)?;
        self.check_arrays(wide_integers, model)?;
        self.check_arrays(booleans, model)?;
        self.check_arrays(strings, model)?;
        self.check_arrays(binaries, model)
    }

    fn check_arrays<T>(&self, table: &Table<M, T>, model: &mut M) -> Result<(), Refusal> {
        for array in &table.arrays {
            let variable = &self.variables[array.variable];
            let mut expected = 1;
            for &parameter in &variable.sized_by {
                expected *= self.size(parameter, model)?;
            }
            let found = array.length.call(model, ());
            if !variable.sized_by.is_empty() && expected != found {
                let name = &variable.name;
                return Err(Refusal::error(format!(
                    "`{name}` has {found} elements instead of {expected}; resize it in Model::configure"
                )));
            }
        }
        Ok(())
    }

    /// Returns the present value of a structural parameter.
    fn size(&self, parameter: usize, model: &mut M) -> Result<usize, Refusal> {
        let place = self.place(reference(parameter)).filter(|place| place.element == ElementType::UInt64);
        let value = place.map(|place| self.tables.wide_integers.getters[place.at as usize].call(model, ()));
        value.and_then(|value| value.try_into().ok()).ok_or_else(|| Refusal::error("a size is too large"))
    }
}
