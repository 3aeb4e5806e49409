//! Values of structural parameters, which decide on the sizes of arrays.

use std::collections::HashMap;

use lotka_message::{Code, Coded};
use serde::{Deserialize, Serialize};

use crate::{ModelDescription, TypedValue};

/// Values of structural parameters, by the value references of their variables. Instances take them before anything else.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Structure(Vec<(u32, TypedValue)>);

impl Structure {
    /// Returns whether all structural parameters have their start values.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Sets the value of a structural parameter, instead of one that was set before.
    pub fn set(&mut self, value_reference: u32, value: TypedValue) {
        match self.0.iter_mut().find(|(known, _)| *known == value_reference) {
            Some((_, known)) => *known = value,
            None => self.0.push((value_reference, value)),
        }
    }

    /// Returns these values, and those of `other` instead of equal ones.
    #[must_use]
    pub fn with(&self, other: &Self) -> Self {
        let mut all = self.clone();
        other.0.iter().for_each(|(reference, value)| all.set(*reference, value.clone()));
        all
    }

    /// Returns the values, in the order in which an instance takes them.
    pub fn values(&self) -> impl Iterator<Item = (u32, &TypedValue)> {
        self.0.iter().map(|(reference, value)| (*reference, value))
    }

    /// Returns those values that can be sizes.
    #[must_use]
    pub fn sizes(&self) -> HashMap<u32, u64> {
        let size = |(reference, value): (u32, &TypedValue)| match value {
            TypedValue::Integer(size) => Some((reference, u64::try_from(*size).ok()?)),
            _ => None,
        };
        self.values().filter_map(size).collect()
    }

    /// Makes the values the start values of the structural parameters in a description.
    pub fn apply_to(&self, description: &mut ModelDescription) {
        for variable in description.variables.iter_mut().filter(|variable| variable.is_structural) {
            if let Some((_, value)) = self.0.iter().find(|(reference, _)| *reference == variable.value_reference) {
                variable.kind.set_start(value);
            }
        }
    }

    /// Returns the values with the names of their variables, such as `` `n` = 20 ``.
    #[must_use]
    pub fn describe(&self, description: &ModelDescription) -> String {
        let named = self.values().filter_map(|(reference, value)| {
            let mut structural = description.variables.iter().filter(|variable| variable.is_structural);
            let variable = structural.find(|variable| variable.value_reference == reference)?;
            Some(format!("`{}` = {value}", variable.name))
        });
        named.collect::<Vec<_>>().join(", ")
    }
}

/// The reason why a model cannot have these values of its structural parameters.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StructureError {
    /// The model takes no values of structural parameters.
    #[error("the model takes no values of structural parameters")]
    Unsupported,
    /// The arrays would have too many elements.
    #[error("the arrays would have {n_elements} elements, and at most {most} are supported")]
    ArraySize {
        /// Number of elements of all arrays.
        n_elements: u64,
        /// The largest number.
        most: u64,
    },
}

impl StructureError {
    /// Returns what the user can do about it.
    #[must_use]
    pub fn help(&self) -> &'static str {
        match self {
            Self::Unsupported => "remove the start values of its structural parameters",
            Self::ArraySize { .. } => "set smaller sizes",
        }
    }
}

impl Coded for StructureError {
    fn code(&self) -> Code {
        match self {
            Self::Unsupported => Code::NoStartValue,
            Self::ArraySize { .. } => Code::BeyondLimits,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::{Causality, IntegerKind, Variable, VariableKind};

    fn structure(values: &[(u32, i128)]) -> Structure {
        let mut structure = Structure::default();
        values.iter().for_each(|(reference, value)| structure.set(*reference, TypedValue::Integer(*value)));
        structure
    }

    #[test]
    fn the_last_value_of_a_parameter_counts() {
        assert_eq!(structure(&[(1, 2), (2, 3), (1, 4)]), structure(&[(1, 4), (2, 3)]));
        assert_eq!(structure(&[(1, 2), (2, 3)]).with(&structure(&[(3, 1), (2, 5)])), structure(&[(1, 2), (2, 5), (3, 1)]));
        assert!(structure(&[]).is_empty());
    }

    #[test]
    fn sizes_are_whole_numbers_that_are_not_negative() {
        let mut structure = structure(&[(1, 2), (2, -3)]);
        structure.set(3, TypedValue::Boolean(true));
        assert_eq!(structure.sizes(), HashMap::from([(1, 2)]));
    }

    #[test]
    fn a_description_has_the_values_as_start_values() {
        let kind = VariableKind::Integer(IntegerKind { start: Some(10), ..IntegerKind::default() });
        let mut n = Variable::new("n", 4, Causality::Parameter, kind);
        let other = n.clone();
        n.is_structural = true;
        let mut description = ModelDescription { variables: vec![other, n], ..ModelDescription::default() };
        let structure = structure(&[(4, 20)]);
        assert_eq!(structure.describe(&description), "`n` = 20");
        structure.apply_to(&mut description);
        let starts: Vec<_> = description.variables.iter().map(|variable| variable.kind.start()).collect();
        assert_eq!(starts, [10, 20].map(|start| Some(TypedValue::Integer(start))));
    }
}
