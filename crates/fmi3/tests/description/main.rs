//! `modelDescription.xml` of FMI 3.0: what is accepted, what is rejected and why, and that writing loses nothing.
#![allow(clippy::unwrap_used, reason = "tests")]

mod arbitrary;
mod encodings;
mod every_rule;
mod hostile;
mod positions;
mod repair;
mod rich;
mod round_trip;
mod rules;
mod rules_of_structure;
mod rules_of_variables;
mod versions;

use fmi3::{ModelDescription, Problem, Reading, Severity, Strictness};

/// Reads leniently a text that must be readable.
fn lenient(xml: &str) -> Reading {
    ModelDescription::read(xml.as_bytes(), Strictness::Lenient).unwrap_or_else(|problems| panic!("{problems}"))
}

/// Returns all problems of a lenient read.
fn problems(xml: &[u8]) -> Vec<Problem> {
    match ModelDescription::read(xml, Strictness::Lenient) {
        Ok(reading) => reading.warnings,
        Err(problems) => problems.0,
    }
}

/// Asserts that a rule rejects a text, and returns the problem.
fn refused(xml: &[u8], rule: &str) -> Problem {
    let problems = ModelDescription::read(xml, Strictness::Lenient).expect_err(rule);
    let found = problems.0.iter().find(|problem| problem.rule == rule && problem.severity == Severity::Error);
    found.unwrap_or_else(|| panic!("no error {rule} in: {problems}")).clone()
}
