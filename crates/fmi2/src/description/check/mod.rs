//! The rules of the standard that a description must keep. Start reading at [`ModelDescription::check`].
//!
//! A rule is an `error` when an FMU that breaks it cannot be run rightly, else it is a `warning`. A `note` breaks nothing.
//! A new rule is a line in [`RULES`](super::RULES), a check here, and a case in `tests/description/rules*.rs`.

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
    /// The broken rules of the standard: what [`ModelDescription::read`] would find in [`ModelDescription::to_xml`], without
    /// line and column. Empty for a description that every importer should accept.
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

    /// What is not broken, but good to know, with what it is about.
    pub(super) fn advice(&self) -> Vec<Finding> {
        let mut check = Check::new(self);
        check.advise();
        check.findings
    }

    /// The broken rules with what they are about.
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

/// A description while it is checked.
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

    /// Nothing is broken.
    fn note(&mut self, place: Place, rule: &'static str, message: String, remedy: &str) {
        self.findings.push(Finding::note(place, rule, message, remedy));
    }

    /// The FMU cannot be run rightly.
    fn error(&mut self, place: Place, rule: &'static str, message: String, remedy: &str) {
        self.findings.push(Finding::error(place, rule, message, remedy));
    }

    /// The FMU can be run all the same.
    fn warn(&mut self, place: Place, rule: &'static str, message: String, remedy: &str) {
        self.findings.push(Finding::warning(place, rule, message, remedy));
    }
}
