//! Reads Parquet, as [`crate::Parquet`] and other programs write it: one table, without compression or with gzip, with
//! `time` as its first column.

use bytes::Bytes;
use lotka_message::limits::TABLE_TEXT_BYTES;
use parquet::{
    basic::ConvertedType,
    column::reader::{ColumnReader, ColumnReaderImpl},
    data_type::{ByteArray, DataType},
    errors::ParquetError,
    file::{reader::FileReader, serialized_reader::SerializedFileReader},
};

use crate::{
    Format, Parquet, Request, Results, ResultsError, ResultsProblem, Values, Wanted,
    assembly::{Outline, heads},
    caught::caught,
    values::Growing,
    write::{ABOUT, NOTE},
};

/// Number of records per read.
const BATCH: usize = 1 << 16;

pub(crate) const FORMAT: Format = Format {
    name: "parquet",
    extensions: &["parquet", "pq"],
    about: "Columns with types and units, for pandas, polars and DuckDB; compressed",
    kind: "a Parquet file",
    is_text: false,
    is_resumable: false,
    has_texts: true,
    is_in: |begin| begin.starts_with(b"PAR1"),
    read: |source, request| {
        let bytes = source.bytes().map_err(|error| vec![error])?;
        caught(|| table(bytes, request)).unwrap_or_else(|words| {
            Err(vec![ResultsProblem::Parquet(ParquetError::General(format!("it is damaged: {words}"))).into()])
        })
    },
    write: Some(|target, options| Ok(Box::new(Parquet::with(target.file()?, options)))),
};

fn table(bytes: Vec<u8>, request: &Request<'_>) -> Result<Results, Vec<ResultsError>> {
    let fail = |error| vec![ResultsProblem::Parquet(error).into()];
    let file = SerializedFileReader::new(Bytes::from(bytes)).map_err(fail)?;
    let metadata = file.metadata().file_metadata();
    let value_of = |key: &str| {
        let pairs = metadata.key_value_metadata()?;
        pairs.iter().find(|pair| pair.key == key)?.value.clone()
    };
    let (about, note) = (value_of(ABOUT), value_of(NOTE));
    let names = metadata.schema_descr().columns().iter().map(|column| column.path().parts().join("."));
    let heads = heads(names, about.as_deref());
    let rows = usize::try_from(metadata.num_rows()).unwrap_or(usize::MAX);
    Outline { heads, rows, about, note }.table(request, |index, wanted| column(&file, index, rows, wanted))
}

/// Returns the values of a column in all groups, one for each row.
fn column(file: &SerializedFileReader<Bytes>, index: usize, rows: usize, wanted: Wanted) -> Result<Values, ResultsProblem> {
    let descriptor = file.metadata().file_metadata().schema_descr().column(index);
    // Lists have several values in a row.
    if descriptor.max_rep_level() > 0 {
        return Err(ResultsProblem::ColumnType);
    }
    let is_unsigned = matches!(descriptor.converted_type(), ConvertedType::UINT_32 | ConvertedType::UINT_64);
    let mut all: Option<Growing> = None;
    for group in 0..file.num_row_groups() {
        let left = rows - all.as_ref().map_or(0, Growing::len);
        let reader = file.get_row_group(group)?.get_column_reader(index)?;
        let values = chunk(reader, &Chunk { left, present: descriptor.max_def_level(), is_unsigned })?;
        match &mut all {
            None => all = Some(values),
            Some(all) => all.extend(values).then_some(()).ok_or(ResultsProblem::ColumnType)?,
        }
    }
    let all = all.map(|all| if is_unsigned { all.unsigned(wanted) } else { all });
    // In a table without rows, columns have no type.
    Ok(all.map_or_else(|| Values::Text(Vec::new()), Growing::finish))
}

/// What is known of the values of a column in one group.
struct Chunk {
    /// Number of rows that are left for them.
    left: usize,
    /// Level of a value that is not missing.
    present: i16,
    /// Whether whole numbers have no sign.
    is_unsigned: bool,
}

/// Returns the values of a column in one group.
fn chunk(reader: ColumnReader, chunk: &Chunk) -> Result<Growing, ResultsProblem> {
    fn of<T: DataType>(
        reader: ColumnReaderImpl<T>,
        chunk: &Chunk,
        convert: impl Fn(Vec<T::T>) -> Values,
    ) -> Result<Growing, ResultsProblem> {
        values(reader, chunk, &T::T::default()).map(|(values, missing)| Growing::of(convert(values), missing))
    }
    match reader {
        ColumnReader::DoubleColumnReader(reader) => of(reader, chunk, Values::Real),
        ColumnReader::FloatColumnReader(reader) => {
            of(reader, chunk, |values| Values::Real(values.into_iter().map(f64::from).collect()))
        }
        ColumnReader::Int32ColumnReader(reader) => {
            let widened = |value: i32| if chunk.is_unsigned { i64::from(value as u32) } else { value.into() };
            of(reader, chunk, |values| Values::Integer(values.into_iter().map(widened).collect()))
        }
        ColumnReader::Int64ColumnReader(reader) => of(reader, chunk, Values::Integer),
        ColumnReader::BoolColumnReader(reader) => of(reader, chunk, Values::Boolean),
        ColumnReader::ByteArrayColumnReader(reader) => texts(&values(reader, chunk, &ByteArray::from(""))?.0),
        _ => Err(ResultsProblem::ColumnType),
    }
}

fn texts(texts: &[ByteArray]) -> Result<Growing, ResultsProblem> {
    // A file that repeats the same long text in all rows is short.
    if texts.iter().map(ByteArray::len).fold(0, usize::saturating_add) > TABLE_TEXT_BYTES {
        return Err(ResultsProblem::TextTooLong { limit: TABLE_TEXT_BYTES });
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
) -> Result<(Vec<T::T>, Vec<usize>), ResultsProblem> {
    let (mut all, mut missing) = (Vec::new(), Vec::new());
    loop {
        let (mut values, mut levels) = (Vec::new(), Vec::new());
        let (records, read, _) = reader.read_records(BATCH, Some(&mut levels), None, &mut values)?;
        if records == 0 {
            return Ok((all, missing));
        }
        if all.len() + records > chunk.left {
            return Err(ResultsProblem::SurplusValues);
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
        Results::read(Cursor::new(bytes))
            .map_or_else(|error| error.to_string(), |results| format!("{:?}", results.columns()[0].values))
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
