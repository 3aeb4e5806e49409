//! `ModelStructure`: which variables it lists, and how.

use std::collections::HashSet;

use fmi_xml::{Listing, Place};

use super::super::{Causality, Initial, ScalarVariable, Unknown, VariableKind};
use super::Check;

impl<'a> Check<'a> {
    /// Checks the model structure.
    pub(super) fn structure(&mut self) {
        let d = self.description;
        let structure = &d.model_structure;
        self.unknowns(&structure.outputs, Place::Output);
        self.unknowns(&structure.derivatives, Place::Derivative);
        self.unknowns(&structure.initial_unknowns, Place::InitialUnknown);
        let outputs = self.listed(|v| v.causality() == Causality::Output);
        self.compare("outputs", "in <Outputs>", &outputs, &structure.outputs, Place::Output);
        let initial = self.expected_initial_unknowns();
        let (rule, unknowns) = ("initial-unknowns", &structure.initial_unknowns);
        self.compare(rule, "in <InitialUnknowns>", &initial, unknowns, Place::InitialUnknown);
        self.initial_unknowns();
        self.derivatives();
    }

    /// Returns the 1-based indices of the variables for which `fits` holds.
    fn listed(&self, fits: impl Fn(&ScalarVariable) -> bool) -> Vec<u32> {
        (1..).zip(&self.description.variables).filter(|(_, v)| fits(v)).map(|(index, _)| index).collect()
    }

    fn variable(&self, index: u32) -> Option<&'a ScalarVariable> {
        self.description.variables.get((index as usize).checked_sub(1)?)
    }

    fn expected_initial_unknowns(&self) -> Vec<u32> {
        let derivatives = self.description.model_structure.derivatives.iter().map(|unknown| unknown.index);
        let states = derivatives.clone().filter_map(|index| match &self.variable(index)?.kind {
            VariableKind::Real(real) => real.derivative,
            _ => None,
        });
        let exposed: HashSet<u32> = derivatives.clone().chain(states).collect();
        let indices = (1..).zip(&self.description.variables).filter(|(index, v)| match v.causality() {
            Causality::CalculatedParameter => true,
            causality => {
                (causality == Causality::Output || exposed.contains(index))
                    && matches!(v.initial(), Some(Initial::Approx | Initial::Calculated))
            }
        });
        indices.map(|(index, _)| index).collect()
    }

    fn compare(&mut self, rule: &'static str, phrase: &str, required: &[u32], have: &[Unknown], place: fn(usize) -> Place) {
        let entries: Vec<_> = have.iter().map(|unknown| unknown.index).collect();
        let variables = &self.description.variables;
        let name = |index: u32| Some(variables.get((index as usize).checked_sub(1)?)?.name.as_str());
        let list = Listing { rule, phrase, required, optional: &[], entries: &entries, place };
        self.findings.listing(&list, name, |index| format!("<Unknown index=\"{index}\"/>"));
    }

    fn initial_unknowns(&mut self) {
        let unknowns = &self.description.model_structure.initial_unknowns;
        if let Some(position) = unknowns.windows(2).position(|pair| pair[0].index > pair[1].index) {
            let message = "<InitialUnknowns> is not sorted by index".to_owned();
            self.findings.warn(Place::InitialUnknown(position + 1), "initial-unknowns", message, "sort it");
        }
        for (position, unknown) in unknowns.iter().enumerate() {
            let kinds = unknown.dependency_kinds.as_deref();
            self.findings.initial_kinds(Place::InitialUnknown(position), "<InitialUnknowns>", kinds);
        }
    }

    fn derivatives(&mut self) {
        let d = self.description;
        for (position, unknown) in d.model_structure.derivatives.iter().enumerate() {
            let Some(variable) = self.variable(unknown.index) else { continue };
            if !matches!(&variable.kind, VariableKind::Real(real) if real.derivative.is_some()) {
                let message = format!("\"{}\" is listed in <Derivatives>, but is not a derivative", variable.name);
                self.findings.warn(
                    Place::Derivative(position),
                    "derivatives",
                    message,
                    "remove it, or add its attribute derivative",
                );
            }
        }
        if d.model_exchange.is_some() {
            for (index, name) in self.derivatives_that_are_not_listed() {
                let message = format!("\"{name}\" is a derivative, but is not listed in <Derivatives>");
                self.findings.warn(Place::ModelStructure, "derivatives", message, &format!("add <Unknown index=\"{index}\"/>"));
            }
        }
        let provided = d.co_simulation.as_ref().and_then(|c| c.interface.provides_directional_derivative) == Some(true);
        if d.model_exchange.is_none() && !provided && !d.model_structure.derivatives.is_empty() {
            let message = "there are <Derivatives>, but no directional derivatives".to_owned();
            self.findings.warn(
                Place::ModelStructure,
                "derivatives",
                message,
                "remove them, or set providesDirectionalDerivative",
            );
        }
    }

    /// Returns the 1-based index and the name of every derivative that `ModelStructure` does not list.
    pub(super) fn derivatives_that_are_not_listed(&self) -> Vec<(u32, &'a str)> {
        let listed: HashSet<u32> = self.description.model_structure.derivatives.iter().map(|unknown| unknown.index).collect();
        let all = self.listed(|v| matches!(&v.kind, VariableKind::Real(real) if real.derivative.is_some()));
        let missing = all.into_iter().filter(|index| !listed.contains(index));
        missing.filter_map(|index| Some((index, self.variable(index)?.name.as_str()))).collect()
    }

    fn unknowns(&mut self, unknowns: &[Unknown], place: fn(usize) -> Place) {
        for (position, unknown) in unknowns.iter().enumerate() {
            self.unknown(place(position), unknown);
        }
    }

    fn unknown(&mut self, place: Place, unknown: &Unknown) {
        let count = self.description.variables.len();
        let exists = |index: u32| index >= 1 && index as usize <= count;
        let dependencies = unknown.dependencies.as_deref().unwrap_or_default();
        if !exists(unknown.index) {
            let message = format!("no variable has the index {}", unknown.index);
            self.findings.warn(
                place,
                "index",
                message,
                &format!("use an index from 1 to {count}; until then, importers ignore the entry"),
            );
        }
        if let Some(index) = dependencies.iter().find(|index| !exists(**index)) {
            let message = format!("the dependency {index} is not the index of a variable");
            let remedy = format!("use an index from 1 to {count}; until then, importers assume that it depends on everything");
            self.findings.warn(place, "dependencies", message, &remedy);
        }
        if !dependencies.is_sorted_by(|a, b| a < b) {
            let message = "the dependencies are not in ascending order".to_owned();
            self.findings.warn(place, "dependencies", message, "sort them, and list each one once");
        }
        self.findings.number_of_kinds(place, unknown.dependencies.as_deref(), unknown.dependency_kinds.as_deref());
    }
}
