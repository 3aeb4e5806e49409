//! Inputs without a source.

use lotka_instance::{ModelDescription, description::Causality};
use lotka_plan::{
    graph::UnconnectedInput,
    link::{LinkIndex, signal_type},
};

use super::system::Resolved;

/// Returns the unconnected inputs, in the order of the instances and of their variables. `descriptions` has one entry per
/// instance and source.
#[must_use]
pub fn unconnected(resolved: &Resolved, descriptions: &[&ModelDescription]) -> Vec<UnconnectedInput> {
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
            found.push(UnconnectedInput::new(instance, variable, value.filter(|_| !is_solved)));
        }
    }
    found
}
