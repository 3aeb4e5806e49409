//! Reads Parquet, as [`crate::Parquet`] and other programs write it: one table, without compression or with gzip, with
//! `time` as its first column.

use std::{fs::File, io::Read};

use bytes::Bytes;
use lotka_message::limits::{TABLE_TEXT_BYTES, TABLE_VALUES};
use parquet::{
    column::reader::{ColumnReader, ColumnReaderImpl},
    data_type::{ByteArray, DataType},
    errors::ParquetError,
    file::{reader::FileReader, serialized_reader::SerializedFileReader},
};

use super::{
    ResultColumn, Results, ResultsError, ResultsProblem, Values,
    caught::caught,
    table::check_times,
    values::Growing,
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
    /// Their description as JSON, if [`ParquetTable`](crate::ParquetTable) wrote the file: units, descriptions and types by name,
    /// under the key `columns`.
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
    /// The column has fewer values than the table has rows.
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
    let descriptor = file.metadata().file_metadata().schema_descr().column(index);
    // Lists have several values in a row.
    if descriptor.max_rep_level() > 0 {
        return Err(Unread::Type);
    }
    let mut all: Option<Growing> = None;
    for group in 0..file.num_row_groups() {
        let left = rows - all.as_ref().map_or(0, Growing::len);
        let reader = file.get_row_group(group)?.get_column_reader(index)?;
        let values = chunk(reader, &Chunk { left, present: descriptor.max_def_level() })?;
        match &mut all {
            None => all = Some(values),
            Some(all) => all.extend(values).then_some(()).ok_or(Unread::Type)?,
        }
    }
    Ok(all.map(Growing::finish))
}

/// What is known of the values of a column in one group.
struct Chunk {
    /// Number of rows that are left for them.
    left: usize,
    /// Level of a value that is not missing.
    present: i16,
}

/// Returns the values of a column in one group.
fn chunk(reader: ColumnReader, chunk: &Chunk) -> Result<Growing, Unread> {
    fn of<T: DataType>(
        reader: ColumnReaderImpl<T>,
        chunk: &Chunk,
        convert: impl Fn(Vec<T::T>) -> Values,
    ) -> Result<Growing, Unread> {
        values(reader, chunk, &T::T::default()).map(|(values, missing)| Growing::of(convert(values), missing))
    }
    match reader {
        ColumnReader::DoubleColumnReader(reader) => of(reader, chunk, Values::Real),
        ColumnReader::FloatColumnReader(reader) => {
            of(reader, chunk, |values| Values::Real(values.into_iter().map(f64::from).collect()))
        }
        ColumnReader::Int32ColumnReader(reader) => {
            of(reader, chunk, |values| Values::Integer(values.into_iter().map(i64::from).collect()))
        }
        ColumnReader::Int64ColumnReader(reader) => of(reader, chunk, Values::Integer),
        ColumnReader::BoolColumnReader(reader) => of(reader, chunk, Values::Boolean),
        ColumnReader::ByteArrayColumnReader(reader) => texts(&values(reader, chunk, &ByteArray::from(""))?.0),
        _ => Err(Unread::Type),
    }
}

fn texts(texts: &[ByteArray]) -> Result<Growing, Unread> {
    // A file that repeats the same long text in all rows is short.
    if texts.iter().map(ByteArray::len).fold(0, usize::saturating_add) > TABLE_TEXT_BYTES {
        return Err(Unread::TooLong);
    }
    let texts = texts.iter().map(|text| String::from_utf8_lossy(text.data()).into_owned());
    Ok(Growing::of(Values::Text(texts.collect()), Vec::new()))
}

/// Returns all values, one per record and no more than the remaining rows, and the rows of the missing ones, which have a
/// placeholder.
fn values<T: DataType>(
    mut reader: ColumnReaderImpl<T>,
    chunk: &Chunk,
    placeholder: &T::T,
) -> Result<(Vec<T::T>, Vec<usize>), Unread> {
    let (mut all, mut missing) = (Vec::new(), Vec::new());
    loop {
        let (mut values, mut levels) = (Vec::new(), Vec::new());
        let (records, read, _) = reader.read_records(BATCH, Some(&mut levels), None, &mut values)?;
        if records == 0 {
            return Ok((all, missing));
        }
        if all.len() + records > chunk.left {
            return Err(Unread::Surplus);
        }
        if records == read {
            all.append(&mut values);
            continue;
        }
        let mut present = values.into_iter();
        for level in levels {
            let value = if level == chunk.present { present.next() } else { None };
            if value.is_none() {
                missing.push(all.len());
            }
            all.push(value.unwrap_or_else(|| placeholder.clone()));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{io::Cursor, sync::Arc};

    use parquet::{
        data_type::{BoolType, ByteArrayType, DoubleType, Int64Type},
        file::writer::{SerializedColumnWriter, SerializedFileWriter},
        schema::parser::parse_message_type,
    };

    use super::*;

    /// Writes some values of a column, and at which of three rows they are.
    type Write<'a> = &'a dyn Fn(&mut SerializedColumnWriter<'_>, &[i16]);

    /// A file with a time of three rows and another column, whose levels say which of its values are there.
    fn file(kind: &str, levels: &[&[i16]], write: Write<'_>) -> Vec<u8> {
        let schema = format!("message rows {{ required double time; {kind} x; }}");
        let mut out = Cursor::new(Vec::new());
        let schema = Arc::new(parse_message_type(&schema).unwrap());
        let mut file = SerializedFileWriter::new(&mut out, schema, Arc::default()).unwrap();
        for levels in levels {
            let mut group = file.next_row_group().unwrap();
            let mut time = group.next_column().unwrap().unwrap();
            time.typed::<DoubleType>().write_batch(&vec![1.0; levels.len()], None, None).unwrap();
            time.close().unwrap();
            let mut column = group.next_column().unwrap().unwrap();
            write(&mut column, levels);
            column.close().unwrap();
            group.close().unwrap();
        }
        file.close().unwrap();
        out.into_inner()
    }

    fn column(bytes: Vec<u8>) -> String {
        read(Cursor::new(bytes)).map_or_else(|error| error.to_string(), |results| format!("{:?}", results.columns()[0].values))
    }

    #[test]
    fn nulls_are_missing_values() {
        let reals: Write<'_> = &|column, levels| {
            let present = levels.iter().filter(|level| **level == 1).count();
            column.typed::<DoubleType>().write_batch(&[1.5, 2.5][..present], Some(levels), None).unwrap();
        };
        assert_eq!(column(file("optional double", &[&[1, 0, 1]], reals)), "Real([1.5, NaN, 2.5])");
        assert_eq!(column(file("optional double", &[&[0], &[1, 0]], reals)), "Real([NaN, 1.5, NaN])");
        assert_eq!(column(file("optional double", &[&[0, 0], &[0]], reals)), "Real([NaN, NaN, NaN])");
        assert_eq!(column(file("optional double", &[&[1, 1]], reals)), "Real([1.5, 2.5])");
    }

    #[test]
    fn nulls_make_whole_numbers_and_booleans_numbers_and_texts_empty() {
        let levels: &[&[i16]] = &[&[1, 0, 1]];
        let bytes = file("optional int64", levels, &|column, levels| {
            column.typed::<Int64Type>().write_batch(&[3, 4], Some(levels), None).unwrap();
        });
        assert_eq!(column(bytes), "Real([3.0, NaN, 4.0])");
        let bytes = file("optional boolean", levels, &|column, levels| {
            column.typed::<BoolType>().write_batch(&[false, true], Some(levels), None).unwrap();
        });
        assert_eq!(column(bytes), "Real([0.0, NaN, 1.0])");
        let bytes = file("optional binary", levels, &|column, levels| {
            let texts = ["a", "b"].map(ByteArray::from);
            column.typed::<ByteArrayType>().write_batch(&texts, Some(levels), None).unwrap();
        });
        assert_eq!(column(bytes), "Text([\"a\", \"\", \"b\"])");
    }

    #[test]
    fn lists_are_no_values() {
        let bytes = file("repeated double", &[&[1, 1, 1]], &|column, levels| {
            column.typed::<DoubleType>().write_batch(&[1.0, 2.0, 3.0], Some(levels), Some(&[0, 0, 0])).unwrap();
        });
        assert!(column(bytes).contains("unsupported type"), "lists have a message");
    }
}
