//! Names, references, and the valid combinations of causality, variability, `initial` and start value (FMI 3.0.2, section 2.4.7).

use std::collections::{HashMap, HashSet};

use fmi_xml::{Combination, Place, legal_initials};
use lotka_instance::description::Causality as Neutral;

use super::super::{Causality as Ca, Initial, NamingConvention, Variability as Va, Variable, VariableKind};
use super::Check;

impl<'a> Check<'a> {
    /// Checks the rules of variables.
    pub(super) fn variables(&mut self) {
        let variables: &'a [Variable] = &self.description.variables;
        if variables.is_empty() {
            self.findings.warn(Place::Root, "no-variables", "the model has no variables".to_owned(), "add at least one");
        }
        self.findings.variable_names(names(variables));
        self.value_references(variables);
        self.independent(variables);
        let states = self.states();
        for (index, variable) in variables.iter().enumerate() {
            let place = Place::Variable(index);
            match &variable.kind {
                VariableKind::Clock(clock) => self.clock(place, variable, clock),
                _ => {
                    self.combination(place, variable);
                    self.start(place, variable);
                    self.array(place, variable);
                }
            }
            self.kind(place, variable);
            self.clocked(place, variable);
            self.misplaced_attributes(place, variable, &states);
        }
        self.previous(variables);
        for (place, name) in names(variables).filter(|(_, name)| !name.is_empty()) {
            if self.types.contains_key(name) {
                self.findings.name_of_type(place, name);
            }
            if let (Some(NamingConvention::Structured), Place::Variable(index)) =
                (self.description.variable_naming_convention, place)
            {
                self.findings.structured_name(place, name, "a floating-point number", is_float(&variables[index]));
            }
        }
    }

    fn value_references(&mut self, variables: &[Variable]) {
        let mut users: HashMap<u32, usize> = HashMap::new();
        for (index, variable) in variables.iter().enumerate() {
            let reference = variable.value_reference;
            let first = *users.entry(reference).or_insert(index);
            if first != index {
                let first = &variables[first].name;
                let message = format!("\"{}\" has the value reference {reference} of \"{first}\"", variable.name);
                let remedy = "give it a value reference of its own, or make it an <Alias>";
                self.findings.error(Place::Variable(index), "value-reference", message, remedy);
            }
        }
    }

    fn independent(&mut self, variables: &[Variable]) {
        let mut independent = variables.iter().enumerate().filter(|(_, v)| v.causality() == Ca::Independent).peekable();
        if independent.peek().is_none() && !variables.is_empty() {
            let message = "there is no independent variable".to_owned();
            let remedy = "add a Float64 variable with causality independent, usually \"time\"";
            self.findings.warn(Place::Root, "independent", message, remedy);
        }
        for (position, (index, variable)) in independent.enumerate() {
            if position > 0 {
                let message = "there is a second independent variable".to_owned();
                self.findings.warn(Place::Variable(index), "independent", message, "only time is independent");
            }
            if !is_float(variable) {
                let message = format!("the independent variable \"{}\" is not a floating-point number", variable.name);
                self.findings.warn(Place::Variable(index), "independent", message, "make it Float64");
            }
        }
    }

    fn combination(&mut self, place: Place, variable: &Variable) {
        let (name, causality, variability) = (variable.name.as_str(), variable.causality(), variable.variability());
        if variability == Va::Continuous && !is_float(variable) && causality != Ca::Independent {
            return self.findings.continuous(place, (name, variable.kind.type_name()), "floating-point");
        }
        let legal = match causality {
            Ca::Parameter | Ca::StructuralParameter => legal_initials(Neutral::Parameter, variability),
            Ca::CalculatedParameter => legal_initials(Neutral::CalculatedParameter, variability),
            Ca::Input => legal_initials(Neutral::Input, variability).map(|_| &[Initial::Exact][..]),
            Ca::Output => legal_initials(Neutral::Output, variability),
            Ca::Local => legal_initials(Neutral::Local, variability),
            Ca::Independent => legal_initials(Neutral::Independent, variability),
        };
        let declared_initial = variable.declared_initial;
        let combination = Combination { name, causality: causality.name(), variability, declared_initial, legal };
        self.findings.combination(place, &combination);
    }

    fn start(&mut self, place: Place, variable: &Variable) {
        let causality = variable.causality();
        let required = causality == Ca::Input || matches!(variable.initial(), Some(Initial::Exact | Initial::Approx));
        let is_independent = causality == Ca::Independent;
        self.findings.start(place, &variable.name, is_independent, (required, variable.kind.has_start()));
    }

    /// Returns the value references of the continuous states.
    fn states(&self) -> HashSet<u32> {
        let derivatives = &self.description.model_structure.continuous_state_derivatives;
        let state = |reference: u32| self.variables.get(&reference).and_then(|variable| derivative_of(variable));
        derivatives.iter().filter_map(|unknown| state(unknown.value_reference)).collect()
    }

    fn misplaced_attributes(&mut self, place: Place, variable: &Variable, states: &HashSet<u32>) {
        let name = &variable.name;
        let reinit = matches!(&variable.kind, VariableKind::Float64(v) | VariableKind::Float32(v) if v.reinit.is_some());
        if reinit && !states.contains(&variable.value_reference) {
            let message = format!("\"{name}\" has reinit, which is for continuous states");
            let remedy = "remove it, or list the derivative of the state as <ContinuousStateDerivative>";
            self.findings.warn(place, "misplaced-attribute", message, remedy);
        }
        if variable.can_handle_multiple_set_per_time_instant.is_some() && variable.causality() != Ca::Input {
            let message = format!("\"{name}\" has canHandleMultipleSetPerTimeInstant, which is for inputs");
            self.findings.warn(place, "misplaced-attribute", message, "remove it");
        }
        if variable.intermediate_update == Some(true) && variable.variability() != Va::Continuous {
            let message = format!("\"{name}\" has intermediateUpdate, but is {}", variable.variability().name());
            self.findings.warn(
                place,
                "intermediate-update",
                message,
                "remove it; only continuous variables change inside of steps",
            );
        }
    }
}

/// Returns the names of all variables and aliases with their places.
fn names(variables: &[Variable]) -> impl Iterator<Item = (Place, &str)> {
    variables.iter().enumerate().flat_map(|(index, variable)| {
        let aliases = variable.aliases.iter().map(|alias| alias.name.as_str());
        std::iter::once(variable.name.as_str()).chain(aliases).map(move |name| (Place::Variable(index), name))
    })
}

/// Returns whether a variable is a floating-point number.
pub(super) fn is_float(variable: &Variable) -> bool {
    matches!(variable.kind, VariableKind::Float64(_) | VariableKind::Float32(_))
}

/// Returns the value reference of the variable whose derivative this one is.
pub(super) fn derivative_of(variable: &Variable) -> Option<u32> {
    match &variable.kind {
        VariableKind::Float64(float) | VariableKind::Float32(float) => float.derivative,
        _ => None,
    }
}
