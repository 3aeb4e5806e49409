//! Comparison of two tables of results.

use super::{
    Results, UnfinishedLine,
    criteria::{ComparisonSettings, Verdict},
    difference::{Difference, difference, times},
    pairing::pair,
};

/// Differences between two tables.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Comparison {
    /// Rows that were compared.
    pub pairing: Pairing,
    /// Numbers of rows of both tables.
    pub rows: [usize; 2],
    /// Last lines without a line end. Their rows are compared if they were kept.
    pub unfinished: [Option<UnfinishedLine>; 2],
    /// Numbers of events; an event is two rows at the same time.
    pub events: [usize; 2],
    /// The time, then the columns in the order of the first table, then those that only the second table has.
    pub variables: Vec<VariableComparison>,
    /// Number of columns with estimated errors that were left out.
    pub n_left_out: usize,
}

/// Pairing of the rows that were compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pairing {
    /// Row by row, because the times are equal.
    RowByRow,
    /// Each row of the table with fewer rows, with linearly interpolated values of the other table. Whole numbers, booleans and
    /// texts hold from row to row.
    Interpolated {
        /// The table with fewer rows (0 or 1).
        coarser: usize,
        /// Number of its rows within the time range of the other table.
        n_rows: usize,
    },
}

/// Differences of one column.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct VariableComparison {
    /// Name of the column. The first entry is `time`. If the rows are interpolated, it compares the end times and, if both tables
    /// have equally many events, the times of the events.
    pub name: String,
    /// Whether the column is equal in both tables.
    pub verdict: Verdict,
    /// Largest absolute difference; infinite where only one value is finite; `None` for text and for columns that cannot be
    /// compared.
    pub absolute: Option<f64>,
    /// Largest difference relative to `max(|a|, |b|, s)`, where `s` is a thousandth of the largest value of the column.
    pub relative: Option<f64>,
    /// Time of the largest absolute difference \[s\].
    pub time: Option<f64>,
    /// Time of the first difference that exceeds the tolerance \[s\].
    pub differs_from: Option<f64>,
    /// Numbers of compared rows at which only this table has no value: its field is empty, or NaN.
    pub missing: [usize; 2],
}

impl Comparison {
    /// Returns whether the time and all columns are equal within the tolerances.
    #[must_use]
    pub fn is_equal(&self) -> bool {
        self.variables.iter().all(|variable| variable.verdict.is_equal())
    }
}

/// Compares two tables: files, or rows in memory (`Results::from(&memory)`).
///
/// ```
/// use lotka::{ComparisonSettings, Results, Verdict, compare};
/// # let read = |text: &str| Results::read(std::io::Cursor::new(text.to_owned()));
///
/// let (a, b) = (read("time,a.x\n0,1\n1,2\n")?, read("time,a.x\n0,1\n1,2.0001\n")?);
/// let found = compare(&a, &b, &ComparisonSettings { relative: 1e-4, ..ComparisonSettings::default() });
/// assert!(found.is_equal());
/// assert_eq!((found.variables[1].verdict, found.variables[1].time), (Verdict::Within, Some(1.0)));
/// assert!(!compare(&a, &b, &ComparisonSettings::default()).is_equal());
/// # Ok::<(), lotka::ResultsError>(())
/// ```
pub fn compare(first: &Results, second: &Results, settings: &ComparisonSettings) -> Comparison {
    let pairs = pair(first.time(), second.time());
    let mut variables = vec![entry("time", times(&pairs.times, settings))];
    for column in first.columns().iter().filter(|column| settings.takes(&column.name)) {
        variables.push(match second.values(&column.name) {
            Some(other) => entry(&column.name, difference(&column.values, other, &pairs.list, settings)),
            None => alone(&column.name, Verdict::OnlyInFirst),
        });
    }
    let only = second.columns().iter().filter(|column| settings.takes(&column.name) && first.values(&column.name).is_none());
    variables.extend(only.map(|column| alone(&column.name, Verdict::OnlyInSecond)));
    let n_rows = pairs.list.len();
    let both = || [first, second];
    Comparison {
        pairing: pairs.coarser.map_or(Pairing::RowByRow, |coarser| Pairing::Interpolated { coarser, n_rows }),
        rows: both().map(|results| results.time().len()),
        unfinished: both().map(Results::unfinished),
        events: both().map(|results| results.time().windows(2).filter(|times| times[0] == times[1]).count()),
        variables,
        n_left_out: both()
            .iter()
            .flat_map(|results| results.columns())
            .filter(|column| settings.leaves_out(&column.name))
            .count(),
    }
}

fn entry(name: &str, difference: Difference) -> VariableComparison {
    let Difference { missing, verdict, absolute, relative, time, differs_from } = difference;
    VariableComparison { name: name.to_owned(), verdict, absolute, relative, time, differs_from, missing }
}

fn alone(name: &str, verdict: Verdict) -> VariableComparison {
    let nothing = Difference { missing: [0, 0], verdict, absolute: None, relative: None, time: None, differs_from: None };
    entry(name, nothing)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Results {
        Results::read(std::io::Cursor::new(text.to_owned())).unwrap()
    }

    fn verdicts(first: &str, second: &str, settings: &ComparisonSettings) -> Vec<(String, Verdict)> {
        let found = compare(&read(first), &read(second), settings);
        found.variables.into_iter().map(|variable| (variable.name, variable.verdict)).collect()
    }

    #[test]
    fn columns_go_by_name_and_missing_ones_are_differences() {
        let found = verdicts("time,a,b\n0,1,2\n", "time,c,b,b (error)\n0,1,2,0.5\n", &ComparisonSettings::default());
        let expected = [("time", Verdict::Same), ("a", Verdict::OnlyInFirst), ("b", Verdict::Same), ("c", Verdict::OnlyInSecond)];
        assert_eq!(found, expected.map(|(name, verdict)| (name.to_owned(), verdict)));
        let some = ComparisonSettings { variables: vec!["b".into()], ..ComparisonSettings::default() };
        assert_eq!(verdicts("time,a,b\n0,1,2\n", "time,c,b\n0,1,2\n", &some).len(), 2);
    }

    #[test]
    fn another_length_is_a_difference_and_another_grid_is_not() {
        let exact = ComparisonSettings::default();
        let (first, shorter) = ("time,a\n0,0\n1,1\n2,2\n", "time,a\n0,0\n1,1\n");
        assert_eq!(verdicts(first, shorter, &exact)[0].1, Verdict::Different);
        assert_eq!(verdicts(first, "time,a\n", &exact)[0].1, Verdict::Different);
        let finer = "time,a\n0,0\n0.5,0.5\n1,1\n1.5,1.5\n2,2\n";
        let found = compare(&read(first), &read(finer), &exact);
        assert!(found.is_equal());
        assert_eq!((found.pairing, found.rows), (Pairing::Interpolated { coarser: 0, n_rows: 3 }, [3, 5]));
    }
}
