//! Reads Parquet, as [`crate::Parquet`] and other programs write it: one table, without compression or with gzip, with
//! `time` as its first column.

use std::{fs::File, io::Read};

use bytes::Bytes;
use lotka_message::limits::{TABLE_TEXT_BYTES, TABLE_VALUES};
use parquet::{
    column::reader::{ColumnReader, ColumnReaderImpl},
    data_type::DataType,
    errors::ParquetError,
    file::{reader::FileReader, serialized_reader::SerializedFileReader},
};

use super::{
    ResultColumn, Results, ResultsError, ResultsProblem, Values,
    caught::caught,
    mat::check_times,
    write::{ABOUT, NOTE},
};

/// Number of records per read.
const BATCH: usize = 1 << 16;

/// Reads the results of a run.
pub(super) fn read(source: impl Read) -> Result<Results, ResultsError> {
    let mut columns = read_columns(source, |first| first.eq_ignore_ascii_case("time"))?.columns.into_iter();
    let time = columns.next().map_or_else(|| Values::Real(Vec::new()), |column| real(column.values));
    let Values::Real(time) = time else { return Err(at("time", Unread::Type)) };
    check_times(&time)?;
    Ok(Results { time, columns: columns.collect(), unfinished: None })
}

/// The content of a Parquet file.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ParquetContents {
    /// The columns.
    pub columns: Vec<ResultColumn>,
    /// Their description as JSON, if [`ParquetTable`](crate::ParquetTable) wrote the file: units, descriptions and types by name, under the key `columns`.
    pub about: Option<String>,
    /// Its note ([`ParquetTable::with_note`](crate::ParquetTable::with_note)).
    pub note: Option<String>,
}

/// Reads the columns of any table in a Parquet file, without compression or with gzip.
///
/// # Errors
/// The file is no such table, is damaged, or is too large.
pub fn read_parquet(source: impl Read) -> Result<ParquetContents, ResultsError> {
    read_columns(source, |_| true)
}

/// Reads the note of a Parquet file ([`ParquetTable::with_note`](crate::ParquetTable::with_note)) without its columns.
///
/// # Errors
/// The file cannot be read, or is damaged.
pub fn read_parquet_note(file: File) -> Result<Option<String>, ResultsError> {
    let read = || {
        SerializedFileReader::new(file).map(|file| value_of(&file, NOTE)).map_err(|error| ResultsProblem::Parquet(error).into())
    };
    caught(read).unwrap_or_else(damaged)
}

/// The value of a key of the metadata.
fn value_of(file: &impl FileReader, key: &str) -> Option<String> {
    let pairs = file.metadata().file_metadata().key_value_metadata()?;
    pairs.iter().find(|pair| pair.key == key)?.value.clone()
}

fn damaged<T>(words: String) -> Result<T, ResultsError> {
    Err(ResultsProblem::Parquet(ParquetError::General(format!("it is damaged: {words}"))).into())
}

/// Reads all columns if the first one has the right name. The crate `parquet` panics on some damaged files.
fn read_columns(mut source: impl Read, is_first: impl Fn(&str) -> bool) -> Result<ParquetContents, ResultsError> {
    let mut bytes = Vec::new();
    source.read_to_end(&mut bytes).map_err(ResultsProblem::Io)?;
    caught(|| table(bytes, is_first)).unwrap_or_else(damaged)
}

fn table(bytes: Vec<u8>, is_first: impl Fn(&str) -> bool) -> Result<ParquetContents, ResultsError> {
    let file = SerializedFileReader::new(Bytes::from(bytes)).map_err(ResultsProblem::Parquet)?;
    let about = file.metadata().file_metadata();
    let names: Vec<_> = about.schema_descr().columns().iter().map(|column| column.path().parts().join(".")).collect();
    let first = names.first().cloned().unwrap_or_default();
    if !is_first(&first) {
        return Err(ResultsProblem::NoTime { found: first }.into());
    }
    let rows = usize::try_from(about.num_rows()).unwrap_or(usize::MAX);
    if rows.saturating_mul(names.len()) > TABLE_VALUES {
        return Err(ResultsProblem::TooLarge { limit: TABLE_VALUES }.into());
    }
    let column = |index: usize| column(&file, index, rows).map_err(|error| at(&names[index], error));
    let mut columns = Vec::new();
    for (index, name) in names.iter().enumerate() {
        // In a table without rows, columns have no type.
        let empty = if index == 0 { Values::Real(Vec::new()) } else { Values::Text(Vec::new()) };
        let values = column(index)?.unwrap_or(empty);
        if values.len() != columns.first().map_or(values.len(), |first: &ResultColumn| first.values.len()) {
            return Err(at(name, Unread::Missing));
        }
        columns.push(ResultColumn { name: name.clone(), values });
    }
    Ok(ParquetContents { columns, about: value_of(&file, ABOUT), note: value_of(&file, NOTE) })
}

/// The reason why a column is not read.
enum Unread {
    /// Results have no columns of its type.
    Type,
    /// Values are missing.
    Missing,
    /// The column has more values than the table has rows.
    Surplus,
    /// The texts of the column are too long.
    TooLong,
    Parquet(ParquetError),
}

impl From<ParquetError> for Unread {
    fn from(error: ParquetError) -> Self {
        Self::Parquet(error)
    }
}

fn at(column: &str, problem: Unread) -> ResultsError {
    let problem = match problem {
        Unread::Type => ResultsProblem::ColumnType,
        Unread::Missing => ResultsProblem::MissingValues,
        Unread::Surplus => ResultsProblem::SurplusValues,
        Unread::TooLong => ResultsProblem::TextTooLong { limit: TABLE_TEXT_BYTES },
        Unread::Parquet(error) => ResultsProblem::Parquet(error),
    };
    ResultsError { column: Some(column.to_owned()), ..problem.into() }
}

fn real(values: Values) -> Values {
    match values {
        Values::Integer(values) => Values::Real(values.into_iter().map(|value| value as f64).collect()),
        other => other,
    }
}

/// Returns the values of a column in all groups, one for each row; `None` if there are no groups.
fn column(file: &SerializedFileReader<Bytes>, index: usize, rows: usize) -> Result<Option<Values>, Unread> {
    let mut all: Option<Values> = None;
    for group in 0..file.num_row_groups() {
        let left = rows - all.as_ref().map_or(0, Values::len);
        let values = chunk(file.get_row_group(group)?.get_column_reader(index)?, left)?;
        match (&mut all, values) {
            (None, values) => all = Some(values),
            (Some(Values::Real(all)), Values::Real(values)) => all.extend(values),
            (Some(Values::Integer(all)), Values::Integer(values)) => all.extend(values),
            (Some(Values::Boolean(all)), Values::Boolean(values)) => all.extend(values),
            (Some(Values::Text(all)), Values::Text(values)) => all.extend(values),
            _ => return Err(Unread::Type),
        }
    }
    Ok(all)
}

/// Returns the values of a column in one group.
fn chunk(reader: ColumnReader, left: usize) -> Result<Values, Unread> {
    Ok(match reader {
        ColumnReader::DoubleColumnReader(reader) => Values::Real(values(reader, left)?),
        ColumnReader::FloatColumnReader(reader) => Values::Real(values(reader, left)?.into_iter().map(f64::from).collect()),
        ColumnReader::Int32ColumnReader(reader) => Values::Integer(values(reader, left)?.into_iter().map(i64::from).collect()),
        ColumnReader::Int64ColumnReader(reader) => Values::Integer(values(reader, left)?),
        ColumnReader::BoolColumnReader(reader) => Values::Boolean(values(reader, left)?),
        ColumnReader::ByteArrayColumnReader(reader) => {
            // A file that repeats the same long text in all rows is short.
            let texts = values(reader, left)?;
            if texts.iter().map(|text| text.len()).fold(0, usize::saturating_add) > TABLE_TEXT_BYTES {
                return Err(Unread::TooLong);
            }
            let texts = texts.iter().map(|text| String::from_utf8_lossy(text.data()).into_owned());
            Values::Text(texts.collect())
        }
        _ => return Err(Unread::Type),
    })
}

/// Returns all values: one per record, and no more than the remaining rows.
fn values<T: DataType>(mut reader: ColumnReaderImpl<T>, left: usize) -> Result<Vec<T::T>, Unread> {
    let (mut values, mut levels, mut repetitions) = (Vec::new(), Vec::new(), Vec::new());
    loop {
        let (records, read, _) = reader.read_records(BATCH, Some(&mut levels), Some(&mut repetitions), &mut values)?;
        if records != read {
            return Err(Unread::Missing);
        }
        if values.len() > left {
            return Err(Unread::Surplus);
        }
        if records == 0 {
            return Ok(values);
        }
        levels.clear();
        repetitions.clear();
    }
}
