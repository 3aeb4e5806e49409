//! Inputs without a source.

use lotka_instance::{TypedValue, description::Variable};

use super::Port;

/// An input that nothing feeds, and no override sets: it keeps its initial value.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct UnconnectedInput {
    /// The input.
    pub port: Port,
    /// The value that it keeps: the start value of the system, or else that of the model. `None` if neither states one, or if it
    /// is solved for.
    pub value: Option<TypedValue>,
    /// Its unit.
    pub unit: Option<String>,
}

impl UnconnectedInput {
    /// Creates it for an input of an instance, given by its index, that keeps a value.
    #[must_use]
    pub fn new(instance: usize, variable: &Variable, value: Option<TypedValue>) -> Self {
        let port = Port { instance, variable: variable.name.clone() };
        Self { port, value, unit: variable.unit().map(str::to_owned) }
    }

    /// Formats the value that it keeps, with its unit.
    #[must_use]
    pub fn kept(&self) -> String {
        match (&self.value, &self.unit) {
            (None, _) => "its initial value".to_owned(),
            (Some(value), Some(unit)) if unit != "1" => format!("{value} {unit}"),
            (Some(value), _) => value.to_string(),
        }
    }
}
