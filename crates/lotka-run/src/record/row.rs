//! Rows and their values.

use lotka_plan::graph::ColumnSource;
use lotka_step::algorithm::Signals;

/// A recorded value.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(missing_docs, reason = "they say what they are")]
pub enum Value<'a> {
    Real(f64),
    Integer(i128),
    Boolean(bool),
    Text(&'a str),
    Binary(&'a [u8]),
}

impl Value<'_> {
    /// Returns the value as a number; booleans are 0 and 1, text and bytes NaN.
    #[must_use]
    pub fn as_f64(self) -> f64 {
        match self {
            Self::Real(value) => value,
            Self::Integer(value) => value as f64,
            Self::Boolean(value) => f64::from(u8::from(value)),
            Self::Text(_) | Self::Binary(_) => f64::NAN,
        }
    }
}

/// One row of results: the values of all columns at one time.
#[derive(Debug, Clone, Copy)]
pub struct Row<'a> {
    /// Time \[s\].
    pub time: f64,
    /// All values.
    pub signals: &'a Signals,
    /// Those of the columns.
    pub sources: &'a [ColumnSource],
    pub(crate) estimates: &'a [f64],
}

impl<'a> Row<'a> {
    /// A row at `time` of those of the `signals` that the `sources` name, with estimated absolute errors of the columns; empty if
    /// unknown.
    #[doc(hidden)]
    #[must_use]
    pub fn new(time: f64, signals: &'a Signals, sources: &'a [ColumnSource], estimates: &'a [f64]) -> Self {
        Self { time, signals, sources, estimates }
    }

    /// Returns estimates of the absolute errors of the values, in the order of the columns, in a run with `tolerance`; empty in
    /// other runs. Not a number for columns that are not Real.
    #[must_use]
    pub fn error_estimates(self) -> &'a [f64] {
        self.estimates
    }

    /// Returns the values, in the order of the columns.
    #[inline]
    #[must_use]
    pub fn values(self) -> impl ExactSizeIterator<Item = Value<'a>> {
        let signals = self.signals;
        self.sources.iter().map(move |source| match *source {
            ColumnSource::Real(index) => Value::Real(signals.reals[index]),
            ColumnSource::Integer(index) => Value::Integer(signals.integers[index]),
            ColumnSource::Boolean(index) => Value::Boolean(signals.booleans[index]),
            ColumnSource::Text(index) => Value::Text(&signals.texts[index]),
            ColumnSource::Binary(index) => Value::Binary(&signals.binaries[index]),
            ColumnSource::RowReal(index) => Value::Real(signals.at_row.reals[index]),
            ColumnSource::RowInteger(index) => Value::Integer(signals.at_row.integers[index]),
            ColumnSource::RowBoolean(index) => Value::Boolean(signals.at_row.booleans[index]),
            ColumnSource::RowText(index) => Value::Text(&signals.at_row.texts[index]),
            ColumnSource::RowBinary(index) => Value::Binary(&signals.at_row.binaries[index]),
        })
    }
}
