//! A variable as declared, before it becomes part of a model description of either version of FMI.

use std::fmt;

use fmi3::description::Causality;
use lotka_instance::description::{Initial, Variability};

use super::element_type::ElementType;

/// A variable with its attributes.
#[derive(Debug, Clone)]
pub(crate) struct Variable {
    pub name: String,
    pub description: Option<String>,
    pub causality: Causality,
    pub variability: Variability,
    /// `None` for inputs.
    pub initial: Option<Initial>,
    pub element: ElementType,
    /// Sizes of the dimensions of an array at the start; empty for a scalar.
    pub shape: Vec<usize>,
    /// Indices of the structural parameters that are the sizes; empty if the sizes are fixed.
    pub sized_by: Vec<usize>,
    /// Name and items of the enumeration type.
    pub enumeration: Option<EnumerationType>,
    pub unit: Option<String>,
    pub nominal: Option<f64>,
    pub min: Option<Number>,
    pub max: Option<Number>,
    /// One value per element, row by row.
    pub start: Option<Start>,
    /// Index of the variable whose time derivative this is.
    pub derivative: Option<usize>,
}

/// An enumeration type: its items have the values 1, 2, 3 …
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnumerationType {
    pub(crate) name: &'static str,
    pub(crate) items: Vec<&'static str>,
}

/// A minimum or maximum.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub(crate) enum Number {
    Real(f64),
    Integer(i128),
}

/// Start values of one base type.
#[derive(Debug, Clone)]
pub(crate) enum Start {
    Reals(Vec<f64>),
    Integers(Vec<i128>),
    Booleans(Vec<bool>),
    Strings(Vec<String>),
    Binaries(Vec<Vec<u8>>),
}

impl Variable {
    /// Returns the number of elements at the start; 1 for a scalar.
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// Whether a start value may be set before the first step.
    pub fn start_is_settable(&self) -> bool {
        self.variability != Variability::Constant
            && (self.causality == Causality::Input || matches!(self.initial, Some(Initial::Exact | Initial::Approx)))
    }

    /// Whether its value is computed at the start.
    pub fn is_computed(&self) -> bool {
        matches!(self.initial, Some(Initial::Calculated | Initial::Approx))
    }

    /// Returns the name of an element in Modelica's notation, such as `a[2,1]` or `der(x[3])`; the name itself for a scalar.
    pub fn element_name(&self, index: usize) -> String {
        if self.shape.is_empty() {
            return self.name.clone();
        }
        let mut rest = index;
        let mut subscripts: Vec<_> = self
            .shape
            .iter()
            .rev()
            .map(|&size| {
                let subscript = rest % size.max(1) + 1;
                rest /= size.max(1);
                subscript.to_string()
            })
            .collect();
        subscripts.reverse();
        let subscripts = subscripts.join(",");
        match self.name.strip_prefix("der(").and_then(|inner| inner.strip_suffix(')')) {
            Some(state) => format!("der({state}[{subscripts}])"),
            None => format!("{}[{subscripts}]", self.name),
        }
    }

    /// Checks a value against minimum and maximum; the error describes the violation.
    pub fn check(&self, value: Number) -> Result<(), String> {
        if value.real().is_some_and(|value| !value.is_finite()) {
            return Err(format!("{value} is not a finite number"));
        }
        if let Some(min) = self.min.filter(|min| value < *min) {
            return Err(format!("{value} is less than the minimum {min}"));
        }
        if let Some(max) = self.max.filter(|max| value > *max) {
            return Err(format!("{value} is greater than the maximum {max}"));
        }
        Ok(())
    }
}

impl Number {
    /// Returns a bound of a Real variable.
    pub fn real(self) -> Option<f64> {
        match self {
            Self::Real(value) => Some(value),
            Self::Integer(_) => None,
        }
    }

    /// Returns a bound of an integer variable or an enumeration.
    pub fn integer(self) -> Option<i128> {
        match self {
            Self::Real(_) => None,
            Self::Integer(value) => Some(value),
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Real(value) => value.fmt(f),
            Self::Integer(value) => value.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn array(name: &str, shape: &[usize]) -> Variable {
        Variable {
            name: name.into(),
            description: None,
            causality: Causality::Local,
            variability: Variability::Continuous,
            initial: None,
            element: ElementType::Float64,
            shape: shape.into(),
            sized_by: vec![],
            enumeration: None,
            unit: None,
            nominal: None,
            min: None,
            max: None,
            start: None,
            derivative: None,
        }
    }

    #[test]
    fn elements_have_names_as_in_modelica() {
        assert_eq!(array("a", &[]).element_name(0), "a");
        let names: Vec<_> = (0..6).map(|i| array("a", &[2, 3]).element_name(i)).collect();
        assert_eq!(names, ["a[1,1]", "a[1,2]", "a[1,3]", "a[2,1]", "a[2,2]", "a[2,3]"]);
        assert_eq!(array("der(x)", &[4]).element_name(2), "der(x[3])");
    }

    #[test]
    fn values_outside_of_the_range_are_described() {
        let mut variable = array("a", &[]);
        (variable.min, variable.max) = (Some(Number::Real(0.0)), Some(Number::Real(1.0)));
        assert_eq!(variable.check(Number::Real(0.5)), Ok(()));
        assert_eq!(variable.check(Number::Real(-1.0)).unwrap_err(), "-1 is less than the minimum 0");
        assert_eq!(variable.check(Number::Real(f64::NAN)).unwrap_err(), "NaN is not a finite number");
        assert_eq!(variable.check(Number::Real(1.5)).unwrap_err(), "1.5 is greater than the maximum 1");
    }
}
