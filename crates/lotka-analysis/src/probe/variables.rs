//! Some of the variables of an FMU.

use lotka_instance::description::{Variable, VariableKind};
use lotka_instance::{BinaryRef, BooleanRef, IntegerRef, ModelDescription, RealRef, StringRef};

/// Some of the variables.
#[derive(Default)]
pub(super) struct Variables {
    pub reals: Vec<(String, RealRef)>,
    pub integers: Vec<(String, IntegerRef)>,
    pub booleans: Vec<(String, BooleanRef)>,
    pub strings: Vec<(String, StringRef)>,
    pub binaries: Vec<(String, BinaryRef)>,
}

impl Variables {
    pub fn of(description: &ModelDescription, is_wanted: impl Fn(&Variable) -> bool) -> Self {
        let mut variables = Self::default();
        for variable in description.variables.iter().filter(|variable| is_wanted(variable)) {
            let (name, reference) = (variable.name.clone(), variable.value_reference);
            match variable.kind {
                VariableKind::Real(_) => variables.reals.push((name, RealRef(reference))),
                VariableKind::Integer(_) | VariableKind::Enumeration(_) => variables.integers.push((name, IntegerRef(reference))),
                VariableKind::Boolean(_) => variables.booleans.push((name, BooleanRef(reference))),
                VariableKind::String(_) => variables.strings.push((name, StringRef(reference))),
                VariableKind::Binary(_) => variables.binaries.push((name, BinaryRef(reference))),
            }
        }
        variables
    }

    pub fn count(&self) -> usize {
        self.reals.len() + self.integers.len() + self.booleans.len() + self.strings.len() + self.binaries.len()
    }
}
