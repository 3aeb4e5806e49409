//! Resolves `instance.variable` names by the instances and their model descriptions.

use std::collections::HashMap;

use lotka_instance::{
    ModelDescription,
    description::{Array, Causality, Variable},
};
use lotka_message::{Code, Findings, nearest};
use lotka_plan::link::{PerModel, VariableIndex};
use lotka_step::resolved::Interface;

use super::Located;

/// Splits `instance.variable`; instance names have no dots, variable names may.
pub(super) fn split(name: &str) -> Option<(&str, &str)> {
    name.split_once('.').filter(|(instance, variable)| !instance.is_empty() && !variable.is_empty())
}

/// The variables that help suggests instead of a nonexistent one.
pub(super) type Offer = fn(&Variable) -> bool;

/// The instances and sources of a system and their variables, by name.
pub(super) struct Names<'a> {
    /// Names of the instances and then of the sources.
    list: Vec<&'a str>,
    descriptions: Vec<&'a ModelDescription>,
    /// The first of each name.
    instances: HashMap<&'a str, usize>,
    /// The variables of each model, the first of each name.
    variables: PerModel<HashMap<&'a str, usize>>,
}

impl<'a> Names<'a> {
    /// Indexes instances, and sources if they have descriptions.
    pub(super) fn new(list: Vec<&'a str>, descriptions: Vec<&'a ModelDescription>) -> Self {
        let of_model = |model: &'a ModelDescription| first_of_each(model.variables.iter().map(|variable| variable.name.as_str()));
        let variables = PerModel::new(&descriptions, of_model);
        Self { instances: first_of_each(list.iter().copied()), list, descriptions, variables }
    }

    /// Indexes instances and sources with their interfaces.
    pub(super) fn of(list: Vec<&'a str>, interfaces: &[Interface<'a>]) -> Self {
        Self::new(list, interfaces.iter().map(|interface| interface.description).collect())
    }

    /// All names.
    pub(super) fn list(&self) -> &[&'a str] {
        &self.list
    }

    /// The model descriptions, in the order of the names.
    pub(super) fn descriptions(&self) -> &[&'a ModelDescription] {
        &self.descriptions
    }

    /// The name of an instance or source.
    pub(super) fn name(&self, instance: usize) -> &'a str {
        self.list[instance]
    }

    /// The model description of an instance or source.
    pub(super) fn description(&self, instance: usize) -> &'a ModelDescription {
        self.descriptions[instance]
    }

    /// A variable by its place.
    pub(super) fn variable(&self, (instance, variable): VariableIndex) -> &'a Variable {
        &self.descriptions[instance].variables[variable]
    }

    /// `instance.variable`.
    pub(super) fn full_name(&self, place: VariableIndex) -> String {
        format!("{}.{}", self.name(place.0), self.variable(place).name)
    }

    /// The instance or source of this name.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.instances.get(name).copied()
    }

    /// The variable of an instance with this name.
    pub(super) fn find_variable(&self, instance: usize, name: &str) -> Option<usize> {
        self.variables[instance].get(name).copied()
    }

    /// The variable of this full name.
    pub(super) fn find_full(&self, name: &str) -> Option<VariableIndex> {
        let (instance, variable) = split(name)?;
        let instance = self.find(instance)?;
        Some((instance, self.find_variable(instance, variable)?))
    }

    /// The array of this full name, unless a variable has the name.
    pub(super) fn find_array(&self, name: &str) -> Option<(usize, &'a Array)> {
        let (instance, array) = split(name)?;
        let instance = self.find(instance)?;
        self.find_array_of(instance, array).map(|array| (instance, array))
    }

    /// The array of an instance with this name, unless a variable has the name.
    pub(super) fn find_array_of(&self, instance: usize, name: &str) -> Option<&'a Array> {
        if self.find_variable(instance, name).is_some() { None } else { self.descriptions[instance].array(name) }
    }

    /// Finds an instance and one of its variables (by index into the description); reports what is missing.
    pub(super) fn locate(&self, name: &Located<String>, offer: Offer, findings: &mut Findings) -> Option<VariableIndex> {
        let Some((instance_name, variable_name)) = split(&name.value) else {
            findings.error(
                Code::NotAVariableName,
                &name.span,
                format!("expected the name of a variable, found `{}`", name.value),
                "write instance.variable".to_owned(),
            );
            return None;
        };
        let Some(instance) = self.find(instance_name) else {
            findings.error(
                Code::UnknownInstance,
                &name.span,
                format!("unknown instance `{instance_name}`"),
                nearest(instance_name, self.list.iter().copied()),
            );
            return None;
        };
        self.locate_in(instance, variable_name, (name, offer), findings).map(|variable| (instance, variable))
    }

    /// Finds a variable, and checks that it has the causality that this end of a connection needs.
    pub(super) fn locate_end(&self, name: &Located<String>, wanted: Causality, findings: &mut Findings) -> Option<VariableIndex> {
        let offer: Offer = match wanted {
            Causality::Input => |variable| variable.causality == Causality::Input,
            _ => |variable| variable.causality == Causality::Output,
        };
        let at = self.locate(name, offer, findings)?;
        let causality = self.variable(at).causality;
        if causality == wanted {
            return Some(at);
        }
        let (end, other) = if wanted == Causality::Input { ("target", "an input") } else { ("source", "an output") };
        let candidates = self.description(at.0).variables.iter().filter(|variable| variable.causality == wanted);
        let help = match causality {
            Causality::Input | Causality::Output => Some("write \"input\" = \"output\"".to_owned()),
            _ => nearest(&self.variable(at).name, candidates.map(|variable| variable.name.as_str())),
        };
        let message =
            format!("`{}` cannot be the {end} of a connection: it is {}, expected {other}", name.value, role(causality));
        findings.error(Code::WrongCausality, &name.span, message, help);
        None
    }

    /// Finds a variable of one instance; reports if it is missing.
    pub(super) fn locate_in(
        &self,
        instance: usize,
        name: &str,
        (place, offer): (&Located<String>, Offer),
        findings: &mut Findings,
    ) -> Option<usize> {
        let found = self.find_variable(instance, name);
        if found.is_none() {
            let description = self.description(instance);
            let (kind, what) = if description.is_source { ("source", "output") } else { ("instance", "variable") };
            let offered = description.variables.iter().filter(|variable| offer(variable));
            let help = nearest(name, offered.map(|variable| variable.name.as_str()));
            findings.error(
                Code::UnknownVariable,
                &place.span,
                format!("{kind} `{}` has no {what} `{name}`", self.name(instance)),
                help,
            );
        }
        found
    }
}

/// The position of each name; of equal names the first.
fn first_of_each<'a>(names: impl Iterator<Item = &'a str>) -> HashMap<&'a str, usize> {
    let mut found = HashMap::new();
    for (position, name) in names.enumerate() {
        found.entry(name).or_insert(position);
    }
    found
}

fn role(causality: Causality) -> &'static str {
    match causality {
        Causality::Parameter | Causality::CalculatedParameter => "a parameter",
        Causality::Input => "an input",
        Causality::Output => "an output",
        Causality::Local => "a local variable",
        Causality::Independent => "the independent variable",
    }
}
