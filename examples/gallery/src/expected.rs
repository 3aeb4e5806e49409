//! `expected.toml`: the expected numbers of the systems of an example.
//!
//! ```toml
//! [[value]]
//! system = "system.toml"
//! variable = "prey.x"
//! time = 100.0                  # s; a row of the results lies there
//! expected = 25.681746294220527
//! tolerance = 3e-5              # largest absolute deviation
//! origin = "tests/reference/lotka_volterra.csv"
//!
//! [[count]]                     # optional: what the run takes
//! system = "system.toml"
//! counter = "do-step-calls"     # steps, rejected-steps, iterations, rollbacks, discards, events
//! expected = 3273
//!
//! [picture]                     # optional: without it, the variables above, a panel for each unit
//! system = "system.toml"
//! panels = [{ title = "Prey", variables = ["prey.x"] }]
//! ```

use std::{fs, path::Path};

use serde::Deserialize;

use crate::{Counter, Error};

/// Content of `expected.toml`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expected {
    /// Expected values.
    #[serde(rename = "value")]
    pub values: Vec<Value>,
    /// Expected counters.
    #[serde(rename = "count", default)]
    pub counts: Vec<Count>,
    /// The picture of the example.
    #[serde(default)]
    pub picture: PictureSettings,
}

/// An expected value and its source.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Value {
    /// The system file, in the same folder.
    pub system: String,
    /// `instance.variable`.
    pub variable: String,
    /// Time \[s\] of a row of the results; if two rows have the same time, the later one.
    pub time: f64,
    /// The expected value.
    pub expected: f64,
    /// Largest absolute deviation.
    pub tolerance: f64,
    /// Source of the number: a closed form, a reference table, another program.
    pub origin: String,
}

/// An exact counter of a run: the fingerprint of its method.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Count {
    /// The system file, in the same folder.
    pub system: String,
    /// The counter.
    pub counter: Counter,
    /// The expected count.
    pub expected: u64,
}

/// The picture of an example: results of one of its systems over time.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PictureSettings {
    /// The system file; `system.toml` by default.
    pub system: String,
    /// Panels from top to bottom. If empty: the variables of the expected values, a panel for each unit.
    pub panels: Vec<Panel>,
}

impl Default for PictureSettings {
    fn default() -> Self {
        Self { system: "system.toml".to_owned(), panels: Vec::new() }
    }
}

/// Variables over shared axes.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Panel {
    /// Title above the panel.
    #[serde(default)]
    pub title: String,
    /// Variables to draw, as `instance.variable`.
    pub variables: Vec<String>,
    /// Variable on the horizontal axis instead of time.
    pub against: Option<String>,
}

impl Expected {
    /// Reads the file.
    ///
    /// # Errors
    /// The file is missing, has unknown keys, or contains a number that cannot be compared.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let text = fs::read_to_string(path).map_err(|cause| Error::Read { path: path.to_owned(), cause })?;
        let expected: Self =
            toml::from_str(&text).map_err(|cause| Error::Expected { path: path.to_owned(), cause: Box::new(cause) })?;
        for value in &expected.values {
            if let Some(problem) = value.problem() {
                let Value { system, variable, time, .. } = value.clone();
                return Err(Error::Value { path: path.to_owned(), system, variable, time, problem });
            }
        }
        Ok(expected)
    }

    /// Returns the system files of all numbers, one per number, and that of the picture.
    pub(crate) fn systems(&self) -> impl Iterator<Item = &str> {
        let counted = self.counts.iter().map(|count| count.system.as_str());
        self.values.iter().map(|value| value.system.as_str()).chain(counted).chain([self.picture.system.as_str()])
    }
}

impl Value {
    fn problem(&self) -> Option<&'static str> {
        if !self.expected.is_finite() || !self.time.is_finite() {
            Some("time and expected number must be finite")
        } else if !(self.tolerance > 0.0 && self.tolerance.is_finite()) {
            Some("the tolerance must be positive; use the size of the last digit that is known")
        } else if self.origin.trim().is_empty() {
            Some("say in `origin` where the number is from")
        } else {
            None
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "helpers of tests")]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Expected, String> {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), text).unwrap();
        Expected::read(file.path()).map_err(|error| error.to_string())
    }

    fn value(time: &str, tolerance: &str, origin: &str) -> String {
        format!(
            "[[value]]\nsystem = 'system.toml'\nvariable = 'a.x'\ntime = {time}\nexpected = 1\ntolerance = {tolerance}\norigin = '{origin}'\n"
        )
    }

    #[test]
    fn numbers_may_be_written_as_integers() {
        let values = read(&value("100", "1e-3", "closed form")).unwrap().values;
        assert_eq!((values[0].time, values[0].expected, values[0].tolerance), (100.0, 1.0, 1e-3));
    }

    #[test]
    fn numbers_that_nothing_can_be_compared_with_are_refused() {
        for (text, problem) in [
            (value("inf", "1", "o"), "must be finite"),
            (value("1", "0", "o"), "must be positive"),
            (value("1", "nan", "o"), "must be positive"),
            (value("1", "1", " "), "where the number is from"),
        ] {
            let message = read(&text).unwrap_err();
            assert!(message.contains(problem) && message.contains("`a.x` of system.toml"), "{message}");
        }
        assert!(read(&value("1", "1", "o").replace("variable", "varable")).unwrap_err().contains("varable"));
    }
}
