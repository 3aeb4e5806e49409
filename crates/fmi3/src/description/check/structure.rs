//! `ModelStructure`: which variables it lists, and how.

use std::collections::HashSet;

use fmi_xml::{Listing, Place, repeated};

use super::super::{Causality, DependencyKind, Initial, Unknown, Variability, Variable, VariableKind};
use super::variables::{derivative_of, is_float};
use super::{Check, PLACES, unknowns};

impl Check<'_> {
    /// Checks the model structure.
    pub(super) fn structure(&mut self) {
        let structure = &self.description.model_structure;
        for (place, unknown) in unknowns(structure) {
            self.unknown(place, unknown);
        }
        let outputs = self.references(|variable| variable.causality() == Causality::Output);
        self.compare("outputs", "Output", &outputs, &[], &structure.outputs, Place::Output);
        let clocked = self.references(|variable| variable.previous.is_some());
        self.compare("clocked-states", "ClockedState", &clocked, &[], &structure.clocked_states, Place::ClockedState);
        let initial = self.initial_unknowns();
        let optional = self.references(|variable| variable.clocks.is_some() || matches!(variable.kind, VariableKind::Clock(_)));
        let (rule, list) = ("initial-unknowns", &structure.initial_unknowns);
        self.compare(rule, "InitialUnknown", &initial, &optional, list, Place::InitialUnknown);
        self.numbers("derivatives", "ContinuousStateDerivative", &structure.continuous_state_derivatives, Place::Derivative);
        self.numbers("event-indicators", "EventIndicator", &structure.event_indicators, Place::EventIndicator);
        for ((element, list), place) in structure.lists().into_iter().zip(PLACES) {
            self.kinds_of_others(element, list, place);
        }
        for (position, unknown) in structure.initial_unknowns.iter().enumerate() {
            let kinds = unknown.dependency_kinds.as_deref();
            self.findings.initial_kinds(Place::InitialUnknown(position), "<InitialUnknown>", kinds);
        }
    }

    /// Returns the value references of the variables for which `fits` holds.
    fn references(&self, fits: impl Fn(&Variable) -> bool) -> Vec<u32> {
        self.description.variables.iter().filter(|variable| fits(variable)).map(|variable| variable.value_reference).collect()
    }

    fn initial_unknowns(&self) -> Vec<u32> {
        let derivatives = self.description.model_structure.continuous_state_derivatives.iter();
        let derivatives: Vec<u32> = derivatives.map(|unknown| unknown.value_reference).collect();
        let state = |reference: &u32| self.variables.get(reference).and_then(|variable| derivative_of(variable));
        let states: Vec<u32> = derivatives.iter().filter_map(state).collect();
        let exposed: HashSet<u32> = derivatives.into_iter().chain(states).collect();
        self.references(|variable| match (&variable.kind, variable.causality()) {
            _ if variable.clocks.is_some() => false,
            (VariableKind::Clock(_), _) => false,
            (_, Causality::CalculatedParameter) => true,
            (_, causality) => {
                (causality == Causality::Output || exposed.contains(&variable.value_reference))
                    && matches!(variable.initial(), Some(Initial::Approx | Initial::Calculated))
            }
        })
    }

    fn compare(
        &mut self,
        rule: &'static str,
        element: &str,
        required: &[u32],
        optional: &[u32],
        have: &[Unknown],
        place: fn(usize) -> Place,
    ) {
        let entries: Vec<_> = have.iter().map(|unknown| unknown.value_reference).collect();
        let phrase = format!("as <{element}>");
        let list = Listing { rule, phrase: &phrase, required, optional, entries: &entries, place };
        let variables = &self.variables;
        let name = |reference: u32| variables.get(&reference).map(|variable| variable.name.as_str());
        self.findings.listing(&list, name, |reference| format!("<{element} valueReference=\"{reference}\"/>"));
    }

    /// Checks a list of continuous floating-point numbers, which are derivatives if the list is one of derivatives.
    fn numbers(&mut self, rule: &'static str, element: &str, list: &[Unknown], place: fn(usize) -> Place) {
        for position in repeated(list.iter().map(|unknown| unknown.value_reference)) {
            let message = format!("variable {} is listed as <{element}> twice", list[position].value_reference);
            self.findings.warn(place(position), rule, message, "remove it");
        }
        for (position, unknown) in list.iter().enumerate() {
            let Some(variable) = self.variables.get(&unknown.value_reference) else { continue };
            let (what, remedy) = if !is_float(variable) || variable.variability() != Variability::Continuous {
                ("a continuous floating-point number", "remove it")
            } else if rule == "derivatives" && derivative_of(variable).is_none() {
                ("a derivative", "remove it, or add its attribute derivative")
            } else {
                continue;
            };
            let message = format!("\"{}\" is listed as <{element}>, but is not {what}", variable.name);
            self.findings.warn(place(position), rule, message, remedy);
        }
    }

    fn unknown(&mut self, place: Place, unknown: &Unknown) {
        let reference = unknown.value_reference;
        if !self.variables.contains_key(&reference) {
            let message = format!("no variable has the value reference {reference}");
            let remedy = "use that of a variable; until then, importers ignore the entry";
            self.findings.warn(place, "reference", message, remedy);
        }
        let mut dependencies = unknown.dependencies.iter().flatten();
        if let Some(dependency) = dependencies.find(|dependency| !self.variables.contains_key(dependency)) {
            let message = format!("the dependency {dependency} is not the value reference of a variable");
            let remedy = "use that of a variable; until then, importers assume that it depends on everything";
            self.findings.warn(place, "dependencies", message, remedy);
        }
        self.findings.number_of_kinds(place, unknown.dependencies.as_deref(), unknown.dependency_kinds.as_deref());
    }

    /// Reports dependencies of other variables than floating-point numbers that have a factor, once for each list.
    fn kinds_of_others(&mut self, element: &str, list: &[Unknown], place: fn(usize) -> Place) {
        let has_factor = |unknown: &Unknown| {
            let mut kinds = unknown.dependency_kinds.iter().flatten();
            let is_other = self.variables.get(&unknown.value_reference).is_some_and(|variable| !is_float(variable));
            is_other && kinds.any(|kind| *kind != DependencyKind::Dependent)
        };
        let positions: Vec<_> = (0..list.len()).filter(|position| has_factor(&list[*position])).collect();
        let Some(first) = positions.first() else { return };
        let name = self.variables.get(&list[*first].value_reference).map_or("", |variable| &variable.name);
        let message = match positions.len() - 1 {
            0 => format!("\"{name}\" is not a floating-point number, so its dependenciesKind can only be dependent"),
            more => format!(
                "\"{name}\" and {more} more <{element}> are not floating-point numbers, so their dependenciesKind can only be dependent"
            ),
        };
        self.findings.warn(
            place(*first),
            "dependencies-kind",
            message,
            "write dependent for each dependency, or leave dependenciesKind out",
        );
    }
}
