//! The records of a study, read from files.

use std::path::{Path, PathBuf};

use lotka_results::{ResultColumn, Results, Values};

use super::{
    SweepTableError,
    table::{Noted, read},
};

/// The records of a study, from the files of one or more of its shards, in the order of their runs.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct SweepRecords {
    /// The columns, as in [`Sweep::columns`](super::Sweep::columns).
    pub columns: Vec<ResultColumn>,
    /// Their description as JSON ([`Results::about`]).
    pub about: Option<String>,
    /// The shards that have no file: their numbers, from 1, and the number of shards.
    pub missing: (Vec<usize>, usize),
    /// Number of runs of the study, if known.
    pub n_runs: Option<usize>,
}

/// The column after those of the parameters. The rows of runs, in a file with the same note, do not have it.
const STATUS: &str = "status";

impl SweepRecords {
    /// Makes records of columns as in [`Sweep::columns`](super::Sweep::columns), which must have equal lengths.
    #[must_use]
    pub fn new(columns: Vec<ResultColumn>, about: Option<String>) -> Self {
        Self { columns, about, missing: (Vec::new(), 1), n_runs: None }
    }

    /// Returns whether a file contains records.
    #[must_use]
    pub fn is_in(path: &Path) -> bool {
        Results::open_head(path, false).is_ok_and(|head| head.note().is_some_and(|note| Noted::of(note).is_some()))
    }

    /// Reads the records of a study, one file per shard.
    ///
    /// # Errors
    /// A file cannot be read or has no records, or the files are those of different studies.
    pub fn read(paths: &[PathBuf]) -> Result<Self, SweepTableError> {
        let mut joined: Option<(String, Self)> = None;
        for path in paths {
            let contents = read(path)?;
            let has_status = contents.columns().iter().any(|column| column.name == STATUS);
            let noted = contents.note().and_then(Noted::of).filter(|_| has_status);
            let Noted { study, runs, shard } = noted.ok_or_else(|| SweepTableError::NoRecords { path: path.clone() })?;
            let (number, of) = shard.numbers();
            match &mut joined {
                None => {
                    let missing = ((1..=of).filter(|other| *other != number).collect(), of);
                    joined = Some((
                        study.to_owned(),
                        Self {
                            about: contents.about().map(str::to_owned),
                            columns: contents.into_columns(),
                            missing,
                            n_runs: Some(runs),
                        },
                    ));
                }
                Some((first, records)) if first == study && records.missing.1 == of => {
                    // A repeated shard has the same records.
                    if let Some(place) = records.missing.0.iter().position(|missing| *missing == number) {
                        records.missing.0.remove(place);
                        if !records.append(contents.into_columns()) {
                            return Err(SweepTableError::Mixed { path: path.clone(), first: paths[0].clone() });
                        }
                    }
                }
                Some(_) => return Err(SweepTableError::Mixed { path: path.clone(), first: paths[0].clone() }),
            }
        }
        let (_, mut records) = joined.ok_or_else(|| SweepTableError::NoRecords { path: PathBuf::new() })?;
        records.sort();
        Ok(records)
    }

    /// Returns the numbers of the runs.
    #[must_use]
    pub fn runs(&self) -> Vec<usize> {
        let numbers = self.columns.first().map(|column| &column.values).into_iter();
        numbers.flat_map(|values| (0..values.len()).filter_map(|row| values.number(row))).map(|run| run as usize).collect()
    }

    /// Returns the number of parameters: their columns follow that of the runs, and the column `status` follows them.
    #[must_use]
    pub fn n_parameters(&self) -> usize {
        self.columns.iter().skip(1).take_while(|column| column.name != STATUS).count()
    }

    /// Adds the runs of another shard. Returns `false` if its columns are others.
    fn append(&mut self, others: Vec<ResultColumn>) -> bool {
        self.columns.len() == others.len()
            && self
                .columns
                .iter_mut()
                .zip(others)
                .all(|(column, other)| column.name == other.name && column.values.extend(other.values))
    }

    fn sort(&mut self) {
        let runs = self.runs();
        let mut order: Vec<usize> = (0..runs.len()).collect();
        order.sort_by_key(|&row| runs[row]);
        for column in &mut self.columns {
            match &mut column.values {
                Values::Real(values) => *values = order.iter().map(|&row| values[row]).collect(),
                Values::Integer(values) => *values = order.iter().map(|&row| values[row]).collect(),
                Values::Boolean(values) => *values = order.iter().map(|&row| values[row]).collect(),
                Values::Text(values) => *values = order.iter().map(|&row| std::mem::take(&mut values[row])).collect(),
            }
        }
    }
}
