//! Model descriptions that declare the results of the trials.

use lotka_instance::{
    ModelDescription,
    description::{Causality, Unknown, VariableKind},
};
use lotka_plan::{
    graph::Plan,
    link::{Link, SignalType},
};

use super::measure::Absent;

/// Returns the model description without the dependencies that trials did not find.
#[must_use]
pub fn measured(description: &ModelDescription, absent: &Absent, plan: &Plan, links: &[Link]) -> ModelDescription {
    let own = |link: &&Link| link.instance == absent.instance;
    let connected: Vec<(usize, usize)> = links
        .iter()
        .filter(own)
        .filter(|link| link.signal == SignalType::Real)
        .filter_map(|link| Some((link.variable, position(description, link.variable, absent.instance, plan)?)))
        .collect();
    let is_source = |variable: usize| {
        let mut sources = links.iter().flat_map(|link| &link.sources);
        sources.any(|source| (source.instance, source.variable) == (absent.instance, variable))
    };
    let mut description = description.clone();
    let outputs = std::mem::take(&mut description.outputs);
    let shown = |unknown: Unknown| {
        let variable = unknown.index;
        let Some(scalar) = description.variables.get(variable) else { return unknown };
        let is_absent = |input: usize| match scalar.kind {
            VariableKind::Real(_) => {
                let output = plan.output_position(absent.instance, &scalar.name);
                output.is_some_and(|output| absent.outputs[input].get(output) == Some(&true))
            }
            // No other instance reads it.
            _ => !is_source(variable),
        };
        let absent: Vec<usize> = connected.iter().filter(|(_, input)| is_absent(*input)).map(|(variable, _)| *variable).collect();
        without(unknown, &absent, connected.len(), &description)
    };
    let outputs = outputs.into_iter().map(shown).collect();
    description.outputs = outputs;
    description
}

/// Position of a connected input among those of the plan.
fn position(description: &ModelDescription, variable: usize, instance: usize, plan: &Plan) -> Option<usize> {
    let reference = description.variables[variable].value_reference;
    plan.instances[instance].input_references.iter().position(|known| known.0 == reference)
}

/// Removes some dependencies of an output. An output that declares none depends on everything. It is changed only if it follows
/// none of the `connected` inputs, because declared dependencies have priority.
fn without(unknown: Unknown, absent: &[usize], connected: usize, description: &ModelDescription) -> Unknown {
    let dependencies = match unknown.dependencies {
        Some(all) => Some(all.into_iter().filter(|index| !absent.contains(index)).collect()),
        None if absent.len() == connected => {
            let inputs = (0..).zip(&description.variables).filter(|(_, variable)| variable.causality == Causality::Input);
            Some(inputs.map(|(index, _)| index).filter(|index| !absent.contains(index)).collect())
        }
        None => None,
    };
    Unknown { dependencies, ..unknown }
}
