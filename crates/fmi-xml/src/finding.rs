//! Broken rules, and the parts of the description that break them.

use crate::cursor::is_content;
use crate::place::Place;
use crate::problem::{Problem, Severity};
use crate::schema::{Attributes, Sink};
use crate::value::Show;

/// A broken rule.
#[derive(Debug)]
pub struct Finding {
    /// The part that breaks the rule.
    pub place: Place,
    /// The rule, without line and column.
    pub problem: Problem,
}

/// Findings of a check in progress. The checks that all versions share are methods.
#[derive(Debug, Default)]
pub struct Findings(pub Vec<Finding>);

impl Findings {
    /// Adds an error: the FMU cannot be run correctly.
    pub fn error(&mut self, place: Place, rule: &'static str, message: String, remedy: &str) {
        self.add(Severity::Error, place, rule, message, remedy);
    }

    /// Adds a warning: the FMU can still be run.
    pub fn warn(&mut self, place: Place, rule: &'static str, message: String, remedy: &str) {
        self.add(Severity::Warning, place, rule, message, remedy);
    }

    /// Adds a note: no rule is broken.
    pub fn note(&mut self, place: Place, rule: &'static str, message: String, remedy: &str) {
        self.add(Severity::Note, place, rule, message, remedy);
    }

    fn add(&mut self, severity: Severity, place: Place, rule: &'static str, message: String, remedy: &str) {
        let remedy = Some(remedy.to_owned());
        self.0.push(Finding { place, problem: Problem { severity, rule, line: 0, column: 0, message, remedy } });
    }

    /// Checks that XML can hold the attributes of an element.
    pub fn values(&mut self, place: Place, element: &impl Attributes) {
        element.show(&mut Values { place, findings: self });
    }

    /// Checks that the content of an annotation can be written. `owner` identifies the annotation in messages.
    pub fn annotation_content(&mut self, place: Place, owner: &str, xml: &str) {
        if !is_content(xml) {
            let message = format!("the annotation of \"{owner}\" is not well-formed XML");
            self.error(place, "annotation", message, "close every element, and escape < and &");
        }
    }
}

/// Checks every attribute it receives.
struct Values<'c> {
    place: Place,
    findings: &'c mut Findings,
}

impl Sink for Values<'_> {
    fn put(&mut self, name: &'static str, value: &dyn Show) {
        if let Some(flaw) = value.flaw() {
            self.findings.error(self.place, "value", format!("the attribute {name} {flaw}"), "give it a value that XML can hold");
        }
    }
}
