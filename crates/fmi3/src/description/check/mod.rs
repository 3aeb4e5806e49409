//! The rules of the standard that a description must satisfy. Start reading at [`ModelDescription::check`].
//!
//! Breaking a rule is an `error` if the FMU then cannot be run correctly, otherwise a `warning`. A `note` breaks no rule.
//! A new rule needs a row in `fmi_xml::rules`, a check here, and a case in `tests/description/rules*.rs`.

mod advice;
mod arrays;
mod clocks;
mod definitions;
mod root;
mod structure;
mod types;
mod values;
mod variables;

use std::collections::HashMap;

use fmi_xml::{Description, Findings, Place, Units};

use super::{ModelDescription, ModelStructure, Problem, TypeDefinition, Unit, Unknown, Variable};

impl ModelDescription {
    /// Checks the description and returns every broken rule of the standard.
    ///
    /// These are the problems that [`ModelDescription::read`] would find in [`ModelDescription::to_xml`], without line and
    /// column. The list is empty for a description that every importer should accept.
    ///
    /// ```
    /// use fmi3::ModelDescription;
    ///
    /// let problems = ModelDescription::default().check();
    /// assert!(problems.iter().any(|problem| problem.rule == "missing-token"));
    /// ```
    #[must_use]
    pub fn check(&self) -> Vec<Problem> {
        self.findings().0.into_iter().map(|finding| finding.problem).collect()
    }
}

/// A check in progress.
pub(super) struct Check<'a> {
    description: &'a ModelDescription,
    /// Variables by value reference.
    variables: HashMap<u32, &'a Variable>,
    types: HashMap<&'a str, &'a TypeDefinition>,
    units: Units<'a>,
    findings: Findings,
}

impl<'a> Check<'a> {
    /// Returns the broken rules, each with the part of the description that breaks it.
    pub(super) fn rules(description: &'a ModelDescription) -> Findings {
        let mut check = Self::new(description);
        check.root();
        description.default_experiment.iter().for_each(|experiment| check.findings.default_experiment(experiment));
        check.definitions();
        check.variables();
        check.structure();
        check.values();
        check.findings
    }

    /// Returns the notes: findings that break no rule.
    pub(super) fn advice(description: &'a ModelDescription) -> Findings {
        let mut check = Self::new(description);
        check.advise();
        check.findings
    }

    fn new(description: &'a ModelDescription) -> Self {
        Self {
            description,
            variables: description.variables.iter().map(|variable| (variable.value_reference, variable)).collect(),
            types: description.types.iter().map(|definition| (definition.name.as_str(), definition)).collect(),
            units: Units::new(description.units.iter().map(|unit| (unit.name.as_str(), display_units(unit)))),
            findings: Findings::default(),
        }
    }
}

/// Returns the names of the display units.
fn display_units(unit: &Unit) -> Vec<&str> {
    unit.display_units.iter().map(|display| display.name.as_str()).collect()
}

/// The places of the entries of the model structure, in the order of [`ModelStructure::lists`].
const PLACES: [fn(usize) -> Place; 5] =
    [Place::Output, Place::Derivative, Place::ClockedState, Place::InitialUnknown, Place::EventIndicator];

/// Returns all entries of the model structure with their places.
fn unknowns(structure: &ModelStructure) -> impl Iterator<Item = (Place, &Unknown)> {
    let lists = structure.lists().into_iter().zip(PLACES);
    lists.flat_map(|((_, list), place)| list.iter().enumerate().map(move |(index, unknown)| (place(index), unknown)))
}
