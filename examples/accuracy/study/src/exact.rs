//! Exact solutions, and the error of results.

use ::coupled::systems::{Known, Table};
use lotka::Memory;

use crate::Error;

/// Below this fraction of the largest value of a variable, errors are measured absolutely, as `tolerance` does.
const SMALL: f64 = 1e-3;

/// Rows whose times differ by less have the same time \[s\].
const SAME_TIME: f64 = 1e-9;

/// The exact values of some outputs at some times.
#[derive(Debug, Clone, PartialEq)]
pub struct Exact {
    /// The outputs, as `instance.variable`.
    pub variables: Vec<&'static str>,
    /// Times \[s\] with the values of the outputs.
    pub rows: Vec<(f64, Vec<f64>)>,
}

impl Exact {
    pub(crate) fn from_states<const N: usize>(known: Known<N>) -> Self {
        let rows = known.states.iter().map(|(time, values)| (*time, values.to_vec())).collect();
        Self { variables: known.variables.to_vec(), rows }
    }

    pub(crate) fn from_table<const N: usize>(variables: [&'static str; N], table: Table<N>) -> Self {
        let rows = table.time.into_iter().zip(table.values).map(|(time, values)| (time, values.to_vec())).collect();
        Self { variables: variables.to_vec(), rows }
    }

    /// Returns the values below which errors are measured absolutely: a thousandth of the largest value of each output in the
    /// results.
    ///
    /// # Errors
    /// An output is missing.
    pub fn scales(&self, results: &Memory) -> Result<Vec<f64>, Error> {
        let columns = self.columns(results)?;
        Ok(columns
            .into_iter()
            .map(|column| SMALL * column.iter().fold(0.0, |largest: f64, value| largest.max(value.abs())))
            .collect())
    }

    /// Returns the largest error of all outputs, relative to `max(|y|, scale)`, over all rows with known exact values. Infinite
    /// if the results contain NaN.
    ///
    /// # Errors
    /// An output is missing.
    pub fn largest_error(&self, results: &Memory, scales: &[f64]) -> Result<f64, Error> {
        let columns = self.columns(results)?;
        let mut largest = 0.0;
        for (row, exact) in self.matches(results.time()) {
            for ((column, exact), scale) in columns.iter().zip(exact).zip(scales) {
                let error = (column[row] - exact).abs() / exact.abs().max(*scale);
                largest = f64::max(largest, if error.is_nan() { f64::INFINITY } else { error });
            }
        }
        Ok(largest)
    }

    /// Returns the row numbers of the results with the exact values at the same time.
    pub(crate) fn matches(&self, times: &[f64]) -> Vec<(usize, &[f64])> {
        let mut known = self.rows.iter().peekable();
        let mut matches = Vec::new();
        for (row, time) in times.iter().enumerate() {
            while known.next_if(|(known, _)| known + SAME_TIME < *time).is_some() {}
            if let Some((_, exact)) = known.next_if(|(known, _)| (known - time).abs() <= SAME_TIME) {
                matches.push((row, exact.as_slice()));
            }
        }
        matches
    }

    pub(crate) fn columns<'a>(&self, results: &'a Memory) -> Result<Vec<&'a [f64]>, Error> {
        let column = |name: &&str| results.real(name).ok_or_else(|| Error::Column { name: (*name).to_owned() });
        self.variables.iter().map(column).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_found_by_their_times() {
        let rows = [0.0, 0.1, 0.2, 0.3].map(|time| (time, vec![time])).to_vec();
        let exact = Exact { variables: vec!["a.x"], rows };
        let matches: Vec<_> =
            exact.matches(&[0.1, 0.15, 0.3 - 1e-12, 0.4]).into_iter().map(|(row, values)| (row, values[0])).collect();
        assert_eq!(matches, [(0, 0.1), (2, 0.3)]);
    }
}
