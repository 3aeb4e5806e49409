//! Compares expected numbers with results.

use lotka::{Counters, Memory};

use crate::{Count, Value};

/// An expected number and the result.
#[derive(Debug, Clone, PartialEq)]
pub struct Check {
    /// `instance.variable`, or the name of the counter.
    pub quantity: String,
    /// Time of the row \[s\]; `None` for counters.
    pub time: Option<f64>,
    /// The expected number.
    pub expected: f64,
    /// The result; `None` if the variable or the row is missing.
    pub got: Option<f64>,
    /// Largest absolute deviation; 0 for counters.
    pub tolerance: f64,
    /// Source of the number.
    pub origin: String,
}

/// Rows whose times differ by less, relative to the time, have the same time.
const SAME_TIME: f64 = 1e-9;

impl Check {
    /// Checks a value: uses the last row at its time.
    pub fn value(value: &Value, rows: Option<&Memory>) -> Self {
        let got = rows.and_then(|rows| {
            let slack = SAME_TIME * value.time.abs().max(1.0);
            let row = rows.time().iter().rposition(|time| (time - value.time).abs() <= slack)?;
            rows.real(&value.variable).map(|column| column[row])
        });
        Self {
            quantity: value.variable.clone(),
            time: Some(value.time),
            expected: value.expected,
            got,
            tolerance: value.tolerance,
            origin: value.origin.clone(),
        }
    }

    /// Checks a counter.
    pub fn count(count: &Count, counters: Option<&Counters>) -> Self {
        Self {
            quantity: count.counter.name().to_owned(),
            time: None,
            expected: count.expected as f64,
            got: counters.map(|counters| count.counter.of(counters) as f64),
            tolerance: 0.0,
            origin: String::new(),
        }
    }

    /// Returns whether the result is within the tolerance.
    pub fn is_met(&self) -> bool {
        self.difference().is_some_and(|difference| difference <= self.tolerance)
    }

    /// Returns the absolute difference between result and expected number.
    pub fn difference(&self) -> Option<f64> {
        self.got.map(|got| (got - self.expected).abs())
    }
}
