//! Records of a study in Parquet files, to which a later process can add.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

use lotka_instance::TypedValue;
use lotka_message::{Code, Coded};
use lotka_plan::column::{Column, ValueType};
use lotka_results::{ParquetTable, ResultColumn, Results, ResultsError, ResultsProblem, Values};
use lotka_run::record::Value;
use lotka_system::Sampling;
use sha2::{Digest as _, Sha256};

use super::{RunRecord, Shard, Sweep};
use crate::checkpoint::Origin;

/// The parts of the note in a file: before the hash, before the number of runs, and before the shard.
const NOTE: &str = "study ";
const RUNS: &str = ", runs ";
const SHARD: &str = ", shard ";

/// Writes the records of a shard as a Parquet file, and the rows of its runs, if the study keeps them, as a second one:
/// `NAME-rows.parquet`, with the columns `run`, `time` and the recorded variables.
///
/// The files are complete after each [`SweepTable::flush`]. [`SweepTable::resume`] adds to files that an interrupted process
/// left.
#[derive(Debug)]
pub struct SweepTable {
    records: ParquetTable<File>,
    rows: Option<ParquetTable<File>>,
    done: usize,
}

/// The reason why records cannot be read, written or joined.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SweepTableError {
    /// A file cannot be written.
    #[error("{}: {reason}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: io::Error,
    },
    /// A file cannot be read.
    #[error("cannot read {}: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: io::Error,
    },
    /// A file does not contain records.
    #[error("{reason}")]
    Read {
        /// The file, and why.
        reason: Box<ResultsError>,
    },
    /// A file contains something else.
    #[error("{} has no records of a study; pass files that `lotka sweep` has written", path.display())]
    NoRecords {
        /// The file.
        path: PathBuf,
    },
    /// Files contain records of different studies.
    #[error(
        "{} and {} are not shards of one sweep: the study, its inputs or the number of shards differ; pass the files of one sweep",
        first.display(), path.display()
    )]
    Mixed {
        /// The file.
        path: PathBuf,
        /// The first file.
        first: PathBuf,
    },
    /// The records are those of another study or shard.
    #[error(
        "{} has the records of another study, shard or system: an input has changed since; pass --force to make all runs again",
        path.display()
    )]
    Other {
        /// The file.
        path: PathBuf,
    },
}

impl Coded for SweepTableError {
    fn code(&self) -> Code {
        match self {
            Self::File { .. } => Code::UnwritableFile,
            Self::Unreadable { .. } => Code::UnreadableFile,
            Self::Read { reason, .. } => reason.code(),
            Self::NoRecords { .. } => Code::WrongKindOfFile,
            Self::Mixed { .. } | Self::Other { .. } => Code::SweepChanged,
        }
    }
}

impl SweepTable {
    /// Begins new files, which replace existing ones.
    ///
    /// # Errors
    /// A file cannot be written, or a file of the study cannot be read.
    pub fn create(sweep: &Sweep, path: &Path, shard: Shard) -> Result<Self, SweepTableError> {
        let note = note(sweep, shard)?;
        let (columns, row_columns) = (sweep.columns(), row_columns(sweep));
        let records = ParquetTable::with_note(create(path)?, columns, note.clone());
        let rows = match row_columns {
            Some(columns) => Some(ParquetTable::with_note(create(&Self::rows_path(path))?, columns, note)),
            None => None,
        };
        Ok(Self { records, rows, done: 0 })
    }

    /// Adds to the files that an interrupted process left, if there are any.
    ///
    /// # Errors
    /// The records are those of another study or shard, or of a system that has changed; a file cannot be read or written.
    pub fn resume(sweep: &Sweep, path: &Path, shard: Shard) -> Result<Self, SweepTableError> {
        if !path.exists() {
            return Self::create(sweep, path, shard);
        }
        let note = note(sweep, shard)?;
        let records = known(path, &note)?;
        let done = records.first().map_or(0, |run| run.values.len());
        let rows = match row_columns(sweep) {
            Some(columns) => Some((columns, known(&Self::rows_path(path), &note)?)),
            None => None,
        };
        let records = again(path, sweep.columns(), note.clone(), &records, done)?;
        let rows = match rows {
            Some((columns, known)) => {
                // Rows are written before their records.
                let last = done.checked_sub(1).map(|position| shard.run(position) as f64);
                let is_done = |row: usize| known[0].values.number(row) <= last;
                let count = (0..known.first().map_or(0, |run| run.values.len())).take_while(|row| is_done(*row)).count();
                Some(again(&Self::rows_path(path), columns, note, &known, count)?)
            }
            None => None,
        };
        Ok(Self { records, rows, done })
    }

    /// Returns the file of the rows beside that of the records.
    #[must_use]
    pub fn rows_path(path: &Path) -> PathBuf {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        path.with_file_name(format!("{stem}-rows.parquet"))
    }

    /// Returns the number of runs of the shard whose records were there already: the position at which to continue.
    #[must_use]
    pub fn done(&self) -> usize {
        self.done
    }

    /// Adds a record; they must come in the order of the runs.
    pub fn add(&mut self, record: &RunRecord) {
        if let (Some(table), Some(rows)) = (&mut self.rows, &record.rows) {
            let run = Value::Integer(record.run as i128);
            for (row, time) in rows.time().iter().enumerate() {
                let values = rows.columns().iter().map(|column| match column.value_type {
                    ValueType::Text => {
                        Value::Text(rows.text(&column.name).and_then(|texts| texts.get(row)).map_or("", String::as_str))
                    }
                    ValueType::Integer => {
                        Value::Integer(rows.integer(&column.name).and_then(|values| values.get(row)).copied().unwrap_or(0))
                    }
                    ValueType::Binary => {
                        Value::Binary(rows.binary(&column.name).and_then(|values| values.get(row)).map_or(&[], Vec::as_slice))
                    }
                    value_type => number(value_type, rows.real(&column.name).and_then(|numbers| numbers.get(row)).copied()),
                });
                table.push([run, Value::Real(*time)].into_iter().chain(values));
            }
        }
        self.records.push(record.values.iter().map(value));
    }

    /// Writes the records so far: the files are complete then.
    pub fn flush(&mut self) {
        self.rows.iter_mut().for_each(ParquetTable::flush);
        self.records.flush();
    }

    /// Writes the records so far if they are enough for a group of the file: an eighth of the records in it.
    pub fn flush_if_worthwhile(&mut self) {
        // Rows are written before their records.
        if self.records.is_worthwhile() {
            self.flush();
        }
    }

    /// Returns whether a write has failed.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        self.records.error().is_some() || self.rows.as_ref().is_some_and(|rows| rows.error().is_some())
    }

    /// Writes the remaining records.
    ///
    /// # Errors
    /// The first error of writing.
    pub fn finish(self) -> io::Result<()> {
        let rows = self.rows.map_or(Ok(()), ParquetTable::finish);
        self.records.finish().and(rows)
    }
}

/// The columns of the file of the rows.
fn row_columns(sweep: &Sweep) -> Option<Vec<Column>> {
    let recorded = sweep.row_columns();
    let mut time = Column::new("time", ValueType::Real);
    time.unit = Some("s".to_owned());
    (!recorded.is_empty()).then(|| [Column::new("run", ValueType::Integer), time].into_iter().chain(recorded).collect())
}

fn create(path: &Path) -> Result<File, SweepTableError> {
    File::create(path).map_err(|reason| SweepTableError::File { path: path.to_owned(), reason })
}

/// What identifies the records: a hash of the study and of all inputs of its system, and the shard.
fn note(sweep: &Sweep, shard: Shard) -> Result<String, SweepTableError> {
    let fail = |(path, reason)| SweepTableError::Unreadable { path, reason };
    let mut hasher = Sha256::new();
    let models = &sweep.models;
    hasher.update(Origin::new(sweep.system.description(), models).map_err(fail)?.digest());
    match &sweep.description.file {
        Some(file) => hasher.update(file.text.as_bytes()),
        None => hasher.update(format!("{:?}", sweep.description)),
    }
    if let Sampling::Table(table) = &sweep.description.sampling {
        let path = sweep.base.join(&table.value);
        hasher.update(fs::read(&path).map_err(|reason| fail((path, reason)))?);
    }
    let hash: String = hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    let (number, of) = shard.numbers();
    Ok(format!("{NOTE}{hash}{RUNS}{}{SHARD}{number}/{of}", sweep.n_runs()))
}

/// What the note in a file of records, or of the rows of its runs, says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Noted<'a> {
    /// A hash of the study and its inputs.
    pub(super) study: &'a str,
    /// Number of runs of the study.
    pub(super) runs: usize,
    pub(super) shard: Shard,
}

impl<'a> Noted<'a> {
    /// Reads a note; `None` if it is that of another file.
    pub(super) fn of(note: &'a str) -> Option<Self> {
        let (study, rest) = note.strip_prefix(NOTE)?.split_once(RUNS)?;
        let (runs, shard) = rest.split_once(SHARD)?;
        let (number, of) = shard.split_once('/')?;
        Some(Self { study, runs: runs.parse().ok()?, shard: Shard::new(number.parse().ok()?, of.parse().ok()?)? })
    }
}

/// Reads a file of records.
pub(super) fn read(path: &Path) -> Result<Results, SweepTableError> {
    Results::open_any(path).map_err(|error| match error.problem {
        ResultsProblem::Io(reason) => SweepTableError::Unreadable { path: path.to_owned(), reason },
        _ => SweepTableError::Read { reason: Box::new(error) },
    })
}

/// The columns of a file that has this note.
fn known(path: &Path, note: &str) -> Result<Vec<ResultColumn>, SweepTableError> {
    let contents = read(path)?;
    if contents.note() == Some(note) {
        Ok(contents.into_columns())
    } else {
        Err(SweepTableError::Other { path: path.to_owned() })
    }
}

/// A file with the first rows of a former one, which it replaces once it is complete.
fn again(
    path: &Path,
    columns: Vec<Column>,
    note: String,
    known: &[ResultColumn],
    rows: usize,
) -> Result<ParquetTable<File>, SweepTableError> {
    let fail = |reason| SweepTableError::File { path: path.to_owned(), reason };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let temporary = tempfile::Builder::new().prefix(".lotka-sweep").tempfile_in(folder).map_err(fail)?;
    let types: Vec<_> = columns.iter().map(|column| column.value_type).collect();
    let mut table = ParquetTable::with_note(temporary.reopen().map_err(fail)?, columns, note);
    for row in 0..rows {
        table.push(types.iter().zip(known).map(|(value_type, column)| match &column.values {
            Values::Text(texts) => Value::Text(&texts[row]),
            Values::Integer(integers) if *value_type == ValueType::Integer => Value::Integer(integers[row].into()),
            values => number(*value_type, values.number(row)),
        }));
    }
    table.flush();
    if let Some(error) = table.error() {
        return Err(fail(io::Error::new(error.kind(), error.to_string())));
    }
    temporary.persist(path).map_err(|error| fail(error.error))?;
    Ok(table)
}

fn number(value_type: ValueType, number: Option<f64>) -> Value<'static> {
    match (value_type, number) {
        (ValueType::Real, number) => Value::Real(number.unwrap_or(f64::NAN)),
        (ValueType::Integer, number) => Value::Integer(number.unwrap_or(0.0) as i128),
        (ValueType::Boolean, number) => Value::Boolean(number.unwrap_or(0.0) != 0.0),
        (ValueType::Text | ValueType::Binary, _) => Value::Text(""),
    }
}

fn value(value: &TypedValue) -> Value<'_> {
    match value {
        TypedValue::Real(value) => Value::Real(*value),
        TypedValue::Integer(value) => Value::Integer(*value),
        TypedValue::Boolean(value) => Value::Boolean(*value),
        TypedValue::Text(text) => Value::Text(text),
        TypedValue::Binary(bytes) => Value::Binary(bytes),
    }
}
