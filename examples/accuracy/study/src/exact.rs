//! Exact answers, and how far results are from them.

use ::tests::systems::{Known, Table};
use lotka::Memory;

use crate::Error;

/// Values below this share of the largest of their variable are judged absolutely: as `tolerance` does it.
const SMALL: f64 = 1e-3;

/// Rows whose times differ by less are at the same time \[s\].
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

    /// Below these, values are judged absolutely: a thousandth of the largest value of each output in results.
    ///
    /// # Errors
    /// An output is not there.
    pub fn scales(&self, results: &Memory) -> Result<Vec<f64>, Error> {
        let columns = self.columns(results)?;
        Ok(columns
            .into_iter()
            .map(|column| SMALL * column.iter().fold(0.0, |largest: f64, value| largest.max(value.abs())))
            .collect())
    }

    /// Largest error of all outputs, relative to `max(|y|, scale)`, over all rows whose exact values are known. Infinite where the
    /// results are not numbers.
    ///
    /// # Errors
    /// An output is not there.
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

    /// Rows of results, each with the exact values at its time.
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
