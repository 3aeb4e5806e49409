//! Inputs without a source.

use lotka_instance::{ModelDescription, description::Causality};

use super::Port;
use crate::resolved::{LinkIndex, Resolved, TypedValue, signal_type};

/// An input that nothing feeds, and no override sets: it keeps its initial value.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct UnconnectedInput {
    /// The input.
    pub port: Port,
    /// The value that it keeps: the start value of the system, or else that of the model. `None` if neither states one, or if it is solved for.
    pub value: Option<TypedValue>,
    /// Its unit.
    pub unit: Option<String>,
}

impl UnconnectedInput {
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

/// Returns the unconnected inputs, in the order of the instances and of their variables. `descriptions` has one entry per instance and source.
pub(crate) fn unconnected(resolved: &Resolved, descriptions: &[&ModelDescription]) -> Vec<UnconnectedInput> {
    let links = LinkIndex::new(&resolved.links);
    let mut found = Vec::new();
    for (instance, description) in descriptions.iter().enumerate().take(resolved.instances) {
        let inputs = description.variables.iter().enumerate().filter(|(_, variable)| variable.causality == Causality::Input);
        for (index, variable) in inputs.filter(|(index, _)| links.into_input((instance, *index)).is_none()) {
            let of_variable = (instance, variable.value_reference, signal_type(variable));
            if resolved.overrides.targets.iter().any(|set| (set.instance, set.reference, set.signal) == of_variable) {
                continue;
            }
            let is_solved = resolved.solves.iter().any(|solve| solve.unknown == (instance, index));
            let given = resolved.start_values[instance].iter().find(|(known, _)| *known == index);
            let value = given.map(|(_, value)| value.clone()).or_else(|| variable.kind.start());
            found.push(UnconnectedInput {
                port: Port { instance, variable: variable.name.clone() },
                value: value.filter(|_| !is_solved),
                unit: variable.unit().map(str::to_owned),
            });
        }
    }
    found
}
