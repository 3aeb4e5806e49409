//! Writes Parquet.

use std::{io, sync::Arc};

use bytes::Bytes;
use lotka_plan::column::{Column, IntegerType, ValueType};
use parquet::{
    basic::{Compression, Encoding, GzipLevel, LogicalType, Repetition, Type as PhysicalType},
    column::writer::ColumnWriter,
    data_type::ByteArray,
    errors::{ParquetError, Result},
    file::{
        metadata::{FileMetaData, KeyValue, ParquetMetaData, ParquetMetaDataWriter},
        properties::{EnabledStatistics, WriterProperties},
        writer::SerializedFileWriter,
    },
    schema::types::{ColumnPath, SchemaDescPtr, Type, TypePtr},
};

use super::{
    buffer::{Buffer, Buffered, is_wide},
    grouped::{ABOUT, Encoder, GroupedTable, NOTE},
    rows::GroupedRows,
};

/// Level of the compression: higher ones save nothing.
const LEVEL: u32 = 6;

/// Writes the rows of a run as Parquet, compressed with gzip: Real as `DOUBLE`, Integer and Enumeration as `INT32`, Boolean as
/// `BOOLEAN`, String as UTF-8 text.
///
/// ```
/// use lotka::{Parquet, Results, System, Values};
/// # use fmu_sdk::{description, functions};
/// # let prey = lotka::Fmu::from_functions(description::<models::Prey>(), functions::<models::Prey>());
///
/// let mut file = std::io::Cursor::new(Vec::new());
/// let mut parquet = Parquet::new(&mut file);
/// System::new().instance_of("prey", &prey).stop(1.0).step(0.5).build()?.run(&mut [&mut parquet])?;
/// parquet.finish()?;
/// file.set_position(0);
/// let results = Results::read(file)?;
/// assert_eq!(results.time(), [0.0, 0.5, 1.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Parquet<W> = GroupedRows<W, ParquetEncoder>;

/// Writes any table as Parquet.
///
/// ```
/// use lotka_plan::column::{Column, ValueType};
/// use lotka_results::{ParquetTable, Results, Values};
/// use lotka_run::record::Value;
///
/// let mut file = std::io::Cursor::new(Vec::new());
/// let mut table = ParquetTable::new(&mut file, vec![Column::new("time", ValueType::Real), Column::new("x", ValueType::Real)]);
/// table.push([Value::Real(0.0), Value::Real(0.5)]);
/// table.finish()?;
/// file.set_position(0);
/// assert_eq!(Results::read(file)?.values("x"), Some(&Values::Real(vec![0.5])));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type ParquetTable<W> = GroupedTable<W, ParquetEncoder>;

/// Creates groups in memory.
#[derive(Debug)]
pub struct ParquetEncoder {
    groups: SerializedFileWriter<Vec<u8>>,
    schema: SchemaDescPtr,
    about: Vec<KeyValue>,
}

impl ParquetEncoder {
    /// Returns the bytes since the last call.
    fn taken(&mut self) -> Result<Vec<u8>> {
        self.groups.flush()?;
        Ok(std::mem::take(self.groups.inner_mut()))
    }
}

impl Encoder for ParquetEncoder {
    const KIND: &'static str = "a Parquet file";

    fn begin(columns: &[Column], about: String, note: Option<&str>) -> io::Result<(Self, Vec<u8>)> {
        let groups = SerializedFileWriter::new(Vec::new(), schema(columns)?, Arc::new(properties(columns)?))?;
        let pairs = [(ABOUT, Some(about)), (NOTE, note.map(str::to_owned))];
        let about = pairs.into_iter().filter_map(|(key, value)| Some(KeyValue::new(key.to_owned(), value?))).collect();
        let mut encoder = Self { schema: Arc::new(groups.schema_descr().clone()), groups, about };
        let begin = encoder.taken()?;
        Ok((encoder, begin))
    }

    fn group(&mut self, rows: &Buffered, _: u64) -> io::Result<Vec<u8>> {
        let mut group = self.groups.next_row_group()?;
        for values in &rows.columns {
            let Some(mut column) = group.next_column()? else { break };
            write(values, column.untyped())?;
            column.close()?;
        }
        group.close()?;
        Ok(self.taken()?)
    }

    fn end(&self) -> io::Result<Vec<u8>> {
        let groups = self.groups.flushed_row_groups().to_vec();
        let rows = groups.iter().map(|group| group.num_rows()).sum();
        let creator = format!("lotka version {}", env!("CARGO_PKG_VERSION"));
        let file = FileMetaData::new(1, rows, Some(creator), Some(self.about.clone()), self.schema.clone(), None);
        let mut end = Vec::new();
        ParquetMetaDataWriter::new(&mut end, &ParquetMetaData::new(file, groups)).finish()?;
        Ok(end)
    }
}

fn write(values: &Buffer, column: &mut ColumnWriter<'_>) -> Result<usize> {
    match (values, column) {
        (Buffer::Reals(values), ColumnWriter::DoubleColumnWriter(writer)) => writer.write_batch(values, None, None),
        (Buffer::Integers(values), ColumnWriter::Int32ColumnWriter(writer)) => writer.write_batch(values, None, None),
        (Buffer::WideIntegers(values), ColumnWriter::Int64ColumnWriter(writer)) => writer.write_batch(values, None, None),
        (Buffer::Booleans(values), ColumnWriter::BoolColumnWriter(writer)) => writer.write_batch(values, None, None),
        (Buffer::Texts(values), ColumnWriter::ByteArrayColumnWriter(writer)) => {
            let all = Bytes::copy_from_slice(values.text.as_bytes());
            let texts: Vec<ByteArray> = values.ranges().map(|range| all.slice(range).into()).collect();
            writer.write_batch(&texts, None, None)
        }
        // Cannot happen, because the schema has the same columns.
        _ => Err(ParquetError::General("a column has another type than its values".to_owned())),
    }
}

/// Returns the schema: the columns by name, without missing values.
fn schema(columns: &[Column]) -> Result<TypePtr> {
    let field = |column: &Column| {
        let (physical, logical) = match column.value_type {
            ValueType::Real => (PhysicalType::DOUBLE, None),
            ValueType::Integer if column.integers == IntegerType::UInt64 => {
                (PhysicalType::INT64, Some(LogicalType::integer(64, false)))
            }
            ValueType::Integer if is_wide(column) => (PhysicalType::INT64, None),
            ValueType::Integer => (PhysicalType::INT32, None),
            ValueType::Boolean => (PhysicalType::BOOLEAN, None),
            ValueType::Text | ValueType::Binary => (PhysicalType::BYTE_ARRAY, Some(LogicalType::String)),
        };
        let of = Type::primitive_type_builder(&column.name, physical).with_logical_type(logical);
        of.with_repetition(Repetition::REQUIRED).build().map(Arc::new)
    };
    let fields = columns.iter().map(field).collect::<Result<_>>()?;
    Type::group_type_builder("rows").with_fields(fields).build().map(Arc::new)
}

/// Returns how the columns are written.
///
/// Neighboring values of a smooth solution share their first bytes and hardly ever a value. The bytes of a Real column are
/// therefore sorted by their significance before they are compressed, and there is no dictionary of its values.
fn properties(columns: &[Column]) -> Result<WriterProperties> {
    // An index of pages would have to be rewritten with every footer, and readers do not need one.
    let common = WriterProperties::builder()
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_offset_index_disabled(true)
        .set_compression(Compression::GZIP(GzipLevel::try_new(LEVEL)?));
    let reals = columns.iter().filter(|column| column.value_type == ValueType::Real);
    let of_reals = reals.fold(common, |properties, column| {
        let path = ColumnPath::new(vec![column.name.clone()]);
        properties.set_column_dictionary_enabled(path.clone(), false).set_column_encoding(path, Encoding::BYTE_STREAM_SPLIT)
    });
    Ok(of_reals.build())
}
