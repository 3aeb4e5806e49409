//! Resolves `instance.variable` names by the instances and their model descriptions.

use lotka_instance::{ModelDescription, description::Variable};

use super::Located;
use lotka_message::Code;
use lotka_message::{Findings, nearest};

/// Splits `instance.variable`; instance names have no dots, variable names may.
pub(super) fn split(name: &str) -> Option<(&str, &str)> {
    name.split_once('.').filter(|(instance, variable)| !instance.is_empty() && !variable.is_empty())
}

/// The variables that help suggests instead of a nonexistent one.
pub(super) type Offer = fn(&Variable) -> bool;

/// Finds an instance and one of its variables (by index into the description); reports what is missing.
pub(super) fn variable(
    name: &Located<String>,
    instances: &[&str],
    descriptions: &[&ModelDescription],
    offer: Offer,
    findings: &mut Findings,
) -> Option<(usize, usize)> {
    let Some((instance_name, variable_name)) = split(&name.value) else {
        findings.error(
            Code::NotAVariableName,
            &name.span,
            format!("expected the name of a variable, found `{}`", name.value),
            "write instance.variable".to_owned(),
        );
        return None;
    };
    let Some(instance) = instances.iter().position(|known| *known == instance_name) else {
        findings.error(
            Code::UnknownInstance,
            &name.span,
            format!("unknown instance `{instance_name}`"),
            nearest(instance_name, instances.iter().copied()),
        );
        return None;
    };
    variable_of(variable_name, instance, (name, offer), instances, descriptions, findings).map(|variable| (instance, variable))
}

/// Finds a variable of one instance.
pub(super) fn variable_of(
    variable_name: &str,
    instance: usize,
    (place, offer): (&Located<String>, Offer),
    instances: &[&str],
    descriptions: &[&ModelDescription],
    findings: &mut Findings,
) -> Option<usize> {
    let variables = &descriptions[instance].variables;
    let found = variables.iter().position(|variable| variable.name == variable_name);
    if found.is_none() {
        let (kind, what) = if descriptions[instance].is_source { ("source", "output") } else { ("instance", "variable") };
        let help =
            nearest(variable_name, variables.iter().filter(|variable| offer(variable)).map(|variable| variable.name.as_str()));
        findings.error(
            Code::UnknownVariable,
            &place.span,
            format!("{kind} `{}` has no {what} `{variable_name}`", instances[instance]),
            help,
        );
    }
    found
}
