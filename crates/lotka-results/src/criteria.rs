//! Criteria for equal values, and whether columns meet them.

use crate::ERROR_BARS;

/// Criteria for equal values. By default, all columns must be exactly equal.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ComparisonSettings {
    /// Relative tolerance `r`: numbers `a` and `b` are equal if `|a - b| <= r max(|a|, |b|, s)`. Here `s` is a thousandth of the
    /// largest value of the column, as for the `tolerance` of a run.
    pub relative: f64,
    /// Absolute tolerance `d`; with it, numbers are equal if `|a - b| <= max(d, r max(|a|, |b|))`.
    pub absolute: Option<f64>,
    /// Names of the columns to compare; all columns if empty. Columns with estimated errors are compared only if they are named.
    pub variables: Vec<String>,
}

impl ComparisonSettings {
    pub(super) fn takes(&self, name: &str) -> bool {
        match self.variables.is_empty() {
            true => !name.ends_with(ERROR_BARS),
            false => self.variables.iter().any(|wanted| wanted == name),
        }
    }

    pub(super) fn leaves_out(&self, name: &str) -> bool {
        self.variables.is_empty() && name.ends_with(ERROR_BARS)
    }
}

/// Agreement of a column in two tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// No value differs.
    Same,
    /// All differences are within the tolerance.
    Within,
    /// A difference exceeds the tolerance.
    Different,
    /// One column is text, and the other is not.
    OtherType,
    /// Only the first table has the column.
    OnlyInFirst,
    /// Only the second table has the column.
    OnlyInSecond,
}

impl Verdict {
    /// Returns whether the column counts as equal.
    #[must_use]
    pub fn is_equal(self) -> bool {
        matches!(self, Self::Same | Self::Within)
    }
}
