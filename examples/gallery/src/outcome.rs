//! What a system of an example gave.

use std::path::Path;

use lotka::{End, Memory, Report};

use crate::{Error, Example, Value};

/// A system that was run.
#[derive(Debug)]
pub struct Outcome {
    /// Its file.
    pub system: String,
    /// What it shows, in a sentence.
    pub shows: String,
    /// The run, or why there is none.
    pub run: Result<Ran, Error>,
    /// Its expected numbers.
    pub checks: Vec<Check>,
}

/// A run that did not fail.
#[derive(Debug)]
pub struct Ran {
    /// The method, in words.
    pub algorithm: String,
    /// Counters, end and error.
    pub report: Report,
    /// The results.
    pub rows: Memory,
}

/// An expected number beside the one that came.
#[derive(Debug, Clone, PartialEq)]
pub struct Check {
    /// What is expected.
    pub value: Value,
    /// What came; `None`: there is no such variable, or no row at this time.
    pub got: Option<f64>,
}

/// Rows whose times differ by less are at the same time, relative to the time.
const SAME_TIME: f64 = 1e-9;

impl Outcome {
    pub(crate) fn of(example: &Example, file: &str, fmus: &Path) -> Result<Self, Error> {
        let run = Ran::of(example, file, fmus);
        let values = example.expected.values.iter().filter(|value| value.system == file);
        let checks = values.map(|value| Check::of(value, run.as_ref().ok().map(|ran| &ran.rows))).collect();
        Ok(Self { system: file.to_owned(), shows: example.shows(file)?, run, checks })
    }

    /// Whether the run reached its end and every number is within its tolerance.
    pub fn is_as_expected(&self) -> bool {
        let ended = self.run.as_ref().is_ok_and(|ran| ran.report.end == End::StopTime);
        ended && self.checks.iter().all(Check::is_met)
    }
}

impl Ran {
    fn of(example: &Example, file: &str, fmus: &Path) -> Result<Self, Error> {
        let mut simulation = example.system(file, fmus)?.build()?;
        let mut rows = Memory::new();
        let report = simulation.run(&mut [&mut rows])?;
        Ok(Self { algorithm: simulation.describe_algorithm(), report, rows })
    }
}

impl Check {
    /// Looks a number up in results.
    pub fn of(value: &Value, rows: Option<&Memory>) -> Self {
        let got = rows.and_then(|rows| {
            let slack = SAME_TIME * value.time.abs().max(1.0);
            let row = rows.time().iter().rposition(|time| (time - value.time).abs() <= slack)?;
            rows.real(&value.variable).map(|column| column[row])
        });
        Self { value: value.clone(), got }
    }

    /// Whether it is within its tolerance.
    pub fn is_met(&self) -> bool {
        self.difference().is_some_and(|difference| difference <= self.value.tolerance)
    }

    /// How far what came is from what is expected.
    pub fn difference(&self) -> Option<f64> {
        self.got.map(|got| (got - self.value.expected).abs())
    }
}
