//! The rules of the standard that a description must satisfy. Start reading at [`ModelDescription::check`].
//!
//! Breaking a rule is an `error` if the FMU then cannot be run correctly, otherwise a `warning`. A `note` breaks no rule.
//! A new rule needs a line in [`RULES`](super::RULES), a check here, and a case in `tests/description/rules*.rs`.

mod advice;
mod aliases;
mod definitions;
mod experiment;
mod finding;
mod names;
mod ranges;
mod root;
mod structure;
mod types;
mod values;
mod variables;

pub(super) use finding::{Finding, Place};

use std::collections::HashMap;

use super::{ModelDescription, Problem, SimpleType, Unit};

impl ModelDescription {
    /// Checks the description and returns every broken rule of the standard.
    ///
    /// These are the problems that [`ModelDescription::read`] would find in [`ModelDescription::to_xml`], without line and
    /// column. The list is empty for a description that every importer should accept.
    ///
    /// ```
    /// use fmi2::ModelDescription;
    ///
    /// let problems = ModelDescription::default().check();
    /// assert!(problems.iter().any(|problem| problem.rule == "missing-guid"));
    /// ```
    pub fn check(&self) -> Vec<Problem> {
        self.findings().into_iter().map(Problem::from).collect()
    }

    /// Returns the notes: findings that break no rule.
    pub(super) fn advice(&self) -> Vec<Finding> {
        let mut check = Check::new(self);
        check.advise();
        check.findings
    }

    /// Returns the broken rules, each with the part of the description that breaks it.
    pub(super) fn findings(&self) -> Vec<Finding> {
        let mut check = Check::new(self);
        check.root();
        check.default_experiment();
        check.definitions();
        check.variables();
        check.aliases();
        check.structure();
        check.values();
        check.findings
    }
}

/// A check in progress.
struct Check<'a> {
    description: &'a ModelDescription,
    types: HashMap<&'a str, &'a SimpleType>,
    units: HashMap<&'a str, &'a Unit>,
    findings: Vec<Finding>,
}

impl<'a> Check<'a> {
    fn new(description: &'a ModelDescription) -> Self {
        Self {
            description,
            types: description.types.iter().map(|t| (t.name.as_str(), t)).collect(),
            units: description.units.iter().map(|u| (u.name.as_str(), u)).collect(),
            findings: Vec::new(),
        }
    }

    /// Adds a note: no rule is broken.
    fn note(&mut self, place: Place, rule: &'static str, message: String, remedy: &str) {
        self.findings.push(Finding::note(place, rule, message, remedy));
    }

    /// Adds an error: the FMU cannot be run correctly.
    fn error(&mut self, place: Place, rule: &'static str, message: String, remedy: &str) {
        self.findings.push(Finding::error(place, rule, message, remedy));
    }

    /// Adds a warning: the FMU can still be run.
    fn warn(&mut self, place: Place, rule: &'static str, message: String, remedy: &str) {
        self.findings.push(Finding::warning(place, rule, message, remedy));
    }
}
