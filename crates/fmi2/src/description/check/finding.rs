//! A broken rule and the part of the description that breaks it.

use super::super::{Problem, Severity};

/// A part of a description. Indices into lists start at 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Place {
    Root,
    ModelExchange,
    CoSimulation,
    Unit(usize),
    Type(usize),
    LogCategory(usize),
    DefaultExperiment,
    VendorAnnotation(usize),
    Variable(usize),
    ModelStructure,
    Output(usize),
    Derivative(usize),
    InitialUnknown(usize),
}

/// A broken rule.
#[derive(Debug)]
pub(in super::super) struct Finding {
    pub place: Place,
    pub severity: Severity,
    rule: &'static str,
    message: String,
    remedy: String,
}

impl Finding {
    /// Creates an error: the FMU cannot be run correctly.
    pub fn error(place: Place, rule: &'static str, message: String, remedy: &str) -> Self {
        Self { place, severity: Severity::Error, rule, message, remedy: remedy.to_owned() }
    }

    /// Creates a note: no rule is broken.
    pub fn note(place: Place, rule: &'static str, message: String, remedy: &str) -> Self {
        Self { place, severity: Severity::Note, rule, message, remedy: remedy.to_owned() }
    }

    /// Creates a warning: the FMU can still be run.
    pub fn warning(place: Place, rule: &'static str, message: String, remedy: &str) -> Self {
        Self { place, severity: Severity::Warning, rule, message, remedy: remedy.to_owned() }
    }
}

impl From<Finding> for Problem {
    fn from(finding: Finding) -> Self {
        let Finding { severity, rule, message, remedy, .. } = finding;
        Self { severity, rule, line: 0, column: 0, message, remedy: Some(remedy) }
    }
}
