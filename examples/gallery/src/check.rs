//! Expected numbers beside those that came.

use lotka::{Counters, Memory};

use crate::{Count, Value};

/// An expected number beside the one that came.
#[derive(Debug, Clone, PartialEq)]
pub struct Check {
    /// `instance.variable`, or what is counted.
    pub quantity: String,
    /// Time of the row \[s\]; none for counters.
    pub time: Option<f64>,
    /// The number that is known.
    pub expected: f64,
    /// What came; `None`: there is no such variable, or no row at this time.
    pub got: Option<f64>,
    /// Largest absolute deviation; 0 for counters.
    pub tolerance: f64,
    /// Where the number is from.
    pub origin: String,
}

/// Rows whose times differ by less are at the same time, relative to the time.
const SAME_TIME: f64 = 1e-9;

impl Check {
    /// Looks a value up in results: in the last row at its time.
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

    /// Looks a counter up.
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

    /// Whether it is within its tolerance.
    pub fn is_met(&self) -> bool {
        self.difference().is_some_and(|difference| difference <= self.tolerance)
    }

    /// How far what came is from what is expected.
    pub fn difference(&self) -> Option<f64> {
        self.got.map(|got| (got - self.expected).abs())
    }
}
