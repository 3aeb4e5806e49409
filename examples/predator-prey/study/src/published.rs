//! Published data of the test case.

use crate::Error;

/// Meaning of the columns of [`Published::errors`] and [`crate::Study::largest_errors`].
pub const SERIES: [&str; 4] = ["prey, no iteration", "predators, no iteration", "prey, iterated", "predators, iterated"];

/// Relative global errors of MasterSim at tolerance 1e-6, as published with the test case: the raw data of figure 8.
///
/// Their reference solution itself has an error of up to 8.4e-5.
#[derive(Debug, Clone)]
pub struct Published {
    /// Times \[s\].
    pub time: Vec<f64>,
    /// Errors at these times; see [`SERIES`].
    pub errors: Vec<[f64; 4]>,
}

impl Published {
    /// Reads the table, which is embedded in the program.
    ///
    /// # Errors
    /// The table is damaged.
    pub fn read() -> Result<Self, Error> {
        let text = include_str!("../../../../tests/reference/nicolai_global_error.tsv");
        let rows = numbers::<5>("nicolai_global_error.tsv", text, '\t')?;
        let (time, errors) = rows.into_iter().map(|[time, errors @ ..]| (time, errors)).unzip();
        Ok(Self { time, errors })
    }

    /// Returns the largest error of each series.
    pub fn maxima(&self) -> [f64; 4] {
        [0, 1, 2, 3].map(|series| self.errors.iter().map(|row| row[series]).fold(0.0, f64::max))
    }
}

/// Parses the lines of a table below its header, each of `N` numbers.
pub(crate) fn numbers<const N: usize>(table: &'static str, text: &str, separator: char) -> Result<Vec<[f64; N]>, Error> {
    let lines = text.lines().enumerate().skip(1).filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(index, line)| {
            let fields: Option<Vec<f64>> = line.split(separator).map(|field| field.trim().parse().ok()).collect();
            let row = fields.and_then(|fields| fields.try_into().ok());
            row.ok_or_else(|| Error::Table { table, line: index + 1, columns: N, text: line.to_owned() })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damaged_lines_are_named() {
        assert_eq!(numbers::<2>("t", "a,b\n1,2\n\n", ',').unwrap(), [[1.0, 2.0]]);
        let error = numbers::<2>("t", "a,b\n1,2\n1,2,3\n", ',').unwrap_err();
        assert_eq!(error.to_string(), "t, line 3: expected 2 numbers, found `1,2,3`");
    }
}
