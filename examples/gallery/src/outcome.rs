//! Results of a system of an example.

use std::path::Path;

use lotka::{End, Memory, Report};

use crate::{Check, Error, Example};

/// The outcome of running a system.
#[derive(Debug)]
pub struct Outcome {
    /// Name of the system file.
    pub system: String,
    /// What it demonstrates, in a sentence.
    pub shows: String,
    /// The run, or why it failed.
    pub run: Result<Ran, Error>,
    /// Checks of its expected numbers.
    pub checks: Vec<Check>,
}

/// A successful run.
#[derive(Debug)]
pub struct Ran {
    /// Description of the method.
    pub algorithm: String,
    /// Counters, end and error.
    pub report: Report,
    /// The results.
    pub rows: Memory,
}

impl Outcome {
    pub(crate) fn of(example: &Example, file: &str, fmus: &Path) -> Result<Self, Error> {
        let run = Ran::of(example, file, fmus);
        let ran = run.as_ref().ok();
        let values = example.expected.values.iter().filter(|value| value.system == file);
        let counts = example.expected.counts.iter().filter(|count| count.system == file);
        let values = values.map(|value| Check::value(value, ran.map(|ran| &ran.rows)));
        let checks = values.chain(counts.map(|count| Check::count(count, ran.map(|ran| &ran.report.counters)))).collect();
        Ok(Self { system: file.to_owned(), shows: example.shows(file)?, run, checks })
    }

    /// Returns whether the run reached its stop time and every number is within its tolerance.
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
