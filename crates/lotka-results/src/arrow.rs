//! Arrow IPC files: written with one record batch per group of rows, read without compression.

use std::{collections::HashMap, io, sync::Arc};

use arrow_array::{
    Array, ArrayRef, BooleanArray, Float64Array, Int32Array, Int64Array, RecordBatch, StringArray, UInt64Array, cast::AsArray,
    types::*,
};
use arrow_buffer::{Buffer as Bytes, OffsetBuffer};
use arrow_ipc::{
    Block, FooterBuilder, MetadataVersion,
    convert::{IpcSchemaEncoder, try_fb_to_schema},
    reader::{FileDecoder, read_footer_length},
    root_as_footer,
    writer::{DictionaryTracker, IpcDataGenerator, IpcWriteContext, IpcWriteOptions, write_message},
};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use flatbuffers::FlatBufferBuilder;
use lotka_message::limits::TABLE_TEXT_BYTES;
use lotka_plan::column::{Column, IntegerType, ValueType};

use crate::{
    Format, Request, Results, ResultsError, ResultsProblem, Values,
    assembly::{Outline, heads},
    caught::caught,
    values::Growing,
    write::{ABOUT, Buffer, Buffered, Encoder, GroupedRows, GroupedTable, NOTE},
};

pub(crate) const FORMAT: Format = Format {
    name: "arrow",
    extensions: &["arrow", "feather"],
    about: "Columns with types and units, as they are in memory, for pandas, polars, DuckDB and pyarrow",
    kind: "an Arrow file",
    is_text: false,
    is_resumable: false,
    has_texts: true,
    is_in: |begin| begin.starts_with(MAGIC),
    read: |source, request| {
        let bytes = source.bytes().map_err(|error| vec![error])?;
        caught(|| read(&Bytes::from_vec(bytes), request)).unwrap_or_else(|words| Err(vec![damaged(words).into()]))
    },
    write: Some(|target, options| Ok(Box::new(Arrow::with(target.file()?, options)))),
};

/// The bytes at the beginning and at the end of a file, and the mark before its footer.
const MAGIC: &[u8] = b"ARROW1";
const END_OF_STREAM: [u8; 8] = [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0];

/// Writes the rows of a run as an Arrow IPC file, without compression: other programs map it into memory. Real is `float64`,
/// Integer and Enumeration `int32`, Boolean `bool`, String `utf8`. Fields have the metadata `type`, `unit`, `description` and
/// `items` (a line with number and name each).
///
/// ```
/// use lotka::{Arrow, Results, System};
/// # use fmu_sdk::{description, functions};
/// # let prey = lotka::Fmu::from_functions(description::<models::Prey>(), functions::<models::Prey>());
///
/// let mut file = std::io::Cursor::new(Vec::new());
/// let mut arrow = Arrow::new(&mut file);
/// System::new().instance_of("prey", &prey).stop(1.0).step(0.5).build()?.run(&mut [&mut arrow])?;
/// arrow.finish()?;
/// file.set_position(0);
/// assert_eq!(Results::read(file)?.time(), [0.0, 0.5, 1.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Arrow<W> = GroupedRows<W, ArrowEncoder>;

/// Writes any table as an Arrow IPC file.
pub type ArrowTable<W> = GroupedTable<W, ArrowEncoder>;

/// Encodes record batches.
#[derive(Debug)]
pub struct ArrowEncoder {
    schema: Arc<Schema>,
    options: IpcWriteOptions,
    dictionaries: DictionaryTracker,
    batches: Vec<Block>,
}

impl Encoder for ArrowEncoder {
    const KIND: &'static str = "an Arrow file";

    fn begin(columns: &[Column], about: String, note: Option<&str>) -> io::Result<(Self, Vec<u8>)> {
        let pairs = [(ABOUT, Some(about)), (NOTE, note.map(str::to_owned))];
        let metadata: HashMap<_, _> = pairs.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect();
        let fields: Vec<_> = columns.iter().map(arrow_field).collect();
        let schema = Arc::new(Schema::new_with_metadata(fields, metadata));
        let options = IpcWriteOptions::try_new(8, false, MetadataVersion::V5).map_err(io::Error::other)?;
        let mut dictionaries = DictionaryTracker::new(true);
        let encoded = IpcDataGenerator::default().schema_to_bytes_with_dictionary_tracker(&schema, &mut dictionaries, &options);
        let mut begin = [MAGIC, &[0, 0]].concat();
        write_message(&mut begin, encoded, &options).map_err(io::Error::other)?;
        Ok((Self { schema, options, dictionaries, batches: Vec::new() }, begin))
    }

    fn group(&mut self, rows: &Buffered, place: u64) -> io::Result<Vec<u8>> {
        let columns = rows.columns.iter().zip(self.schema.fields()).map(|(values, field)| array(values, field.data_type()));
        let batch = columns.collect::<Result<_, _>>().and_then(|columns| RecordBatch::try_new(self.schema.clone(), columns));
        let mut context = IpcWriteContext::default();
        let encode = |batch| IpcDataGenerator::default().encode(&batch, &mut self.dictionaries, &self.options, &mut context);
        let (_, encoded) = batch.and_then(encode).map_err(io::Error::other)?;
        let mut bytes = Vec::with_capacity(encoded.ipc_message.len() + encoded.arrow_data.len() + 64);
        let (head, body) = write_message(&mut bytes, encoded, &self.options).map_err(io::Error::other)?;
        self.batches.push(Block::new(place as i64, head as i32, body as i64));
        Ok(bytes)
    }

    fn end(&self) -> io::Result<Vec<u8>> {
        let mut footer = FlatBufferBuilder::new();
        let (dictionaries, batches) = (footer.create_vector::<Block>(&[]), footer.create_vector(&self.batches));
        let schema = IpcSchemaEncoder::new().schema_to_fb_offset(&mut footer, &self.schema);
        let mut builder = FooterBuilder::new(&mut footer);
        builder.add_version(MetadataVersion::V5);
        builder.add_schema(schema);
        builder.add_dictionaries(dictionaries);
        builder.add_recordBatches(batches);
        let root = builder.finish();
        footer.finish(root, None);
        let footer = footer.finished_data();
        Ok([&END_OF_STREAM, footer, &(footer.len() as i32).to_le_bytes(), MAGIC].concat())
    }
}

/// Returns the field of a column, with type, unit, description and items as metadata.
#[must_use]
pub fn arrow_field(column: &Column) -> Field {
    let data_type = match column.value_type {
        ValueType::Real => DataType::Float64,
        ValueType::Integer => match column.integers {
            IntegerType::UInt64 => DataType::UInt64,
            IntegerType::Int64 | IntegerType::UInt32 => DataType::Int64,
            _ => DataType::Int32,
        },
        ValueType::Boolean => DataType::Boolean,
        ValueType::Text | ValueType::Binary => DataType::Utf8,
    };
    let items = column.items.iter().map(|item| format!("{} {}", item.value, item.name)).collect::<Vec<_>>().join("\n");
    let entries = [
        ("type", Some(column.type_name().to_owned())),
        ("unit", column.unit.clone()),
        ("description", column.description.clone()),
        ("items", (!items.is_empty()).then_some(items)),
    ];
    let metadata: HashMap<_, _> = entries.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect();
    Field::new(&column.name, data_type, false).with_metadata(metadata)
}

fn array(values: &Buffer, data_type: &DataType) -> Result<ArrayRef, ArrowError> {
    Ok(match values {
        Buffer::Reals(values) => Arc::new(Float64Array::from_iter_values(values.iter().copied())),
        Buffer::Integers(values) => Arc::new(Int32Array::from_iter_values(values.iter().copied())),
        Buffer::WideIntegers(values) if *data_type == DataType::UInt64 => {
            Arc::new(UInt64Array::from_iter_values(values.iter().map(|value| *value as u64)))
        }
        Buffer::WideIntegers(values) => Arc::new(Int64Array::from_iter_values(values.iter().copied())),
        Buffer::Booleans(values) => Arc::new(BooleanArray::new(values.as_slice().into(), None)),
        Buffer::Texts(values) => {
            i32::try_from(values.text.len()).map_err(|_| ArrowError::InvalidArgumentError("a text is too long".to_owned()))?;
            let ends = OffsetBuffer::from_lengths(values.ranges().map(|range| range.len()));
            Arc::new(StringArray::try_new(ends, Bytes::from(values.text.as_bytes()), None)?)
        }
    })
}

fn damaged(what: impl ToString) -> ResultsProblem {
    ResultsProblem::Arrow(what.to_string())
}

/// Reads the record batches that the footer of a file names.
fn read(bytes: &Bytes, request: &Request<'_>) -> Result<Results, Vec<ResultsError>> {
    let (schema, batches) = batches(bytes).map_err(|problem| vec![problem.into()])?;
    let value_of = |key: &str| schema.metadata().get(key).cloned();
    let (about, note) = (value_of(ABOUT), value_of(NOTE));
    let mut heads = heads(schema.fields().iter().map(|field| field.name().clone()), about.as_deref());
    for (head, field) in heads.iter_mut().zip(schema.fields()) {
        head.unit = head.unit.take().or_else(|| field.metadata().get("unit").cloned());
    }
    let rows = batches.iter().map(RecordBatch::num_rows).fold(0, usize::saturating_add);
    Outline { heads, rows, about, note }.table(request, |index, wanted| {
        let mut all = Growing::of(Values::Text(Vec::new()), Vec::new());
        for batch in &batches {
            let array = batch.column(index);
            let missing = (0..array.len()).filter(|row| array.is_null(*row)).collect();
            all.extend(Growing::of(values(array)?, missing)).then_some(()).ok_or(ResultsProblem::ColumnType)?;
        }
        let all = if *schema.field(index).data_type() == DataType::UInt64 { all.unsigned(wanted) } else { all };
        Ok(all.finish())
    })
}

fn batches(bytes: &Bytes) -> Result<(Arc<Schema>, Vec<RecordBatch>), ResultsProblem> {
    let no_end = || damaged("it has no end; if its process was killed, write the rows again");
    let (rest, end) = bytes.split_last_chunk::<10>().ok_or_else(no_end)?;
    let length = read_footer_length(*end).map_err(|_| no_end())?;
    let begin = rest.len().checked_sub(length).ok_or_else(no_end)?;
    let footer = root_as_footer(&rest[begin..]).map_err(damaged)?;
    let schema = footer.schema().ok_or_else(no_end).and_then(|schema| try_fb_to_schema(schema).map_err(damaged))?;
    let schema = Arc::new(schema);
    let mut decoder = FileDecoder::new(schema.clone(), footer.version());
    let part = |block: &Block| {
        let [place, head, body] = [block.offset(), block.metaDataLength().into(), block.bodyLength()].map(usize::try_from);
        let (place, length) = (place.ok()?, head.ok()?.checked_add(body.ok()?)?);
        (place.checked_add(length)? <= begin).then(|| bytes.slice_with_length(place, length))
    };
    let outside = || damaged("a record batch is outside of the file");
    for block in footer.dictionaries().iter().flatten() {
        decoder.read_dictionary(block, &part(block).ok_or_else(outside)?).map_err(damaged)?;
    }
    let mut all = Vec::new();
    for block in footer.recordBatches().iter().flatten() {
        all.extend(decoder.read_record_batch(block, &part(block).ok_or_else(outside)?).map_err(damaged)?);
    }
    Ok((schema, all))
}

/// Returns the values of an array; missing ones are any.
fn values(array: &ArrayRef) -> Result<Values, ResultsProblem> {
    macro_rules! numbers {
        ($kind:ident, $type:ty, $into:ty) => {
            Values::$kind(array.as_primitive::<$type>().values().iter().map(|value| *value as $into).collect())
        };
    }
    Ok(match array.data_type() {
        DataType::Float64 => numbers!(Real, Float64Type, f64),
        DataType::Float32 => numbers!(Real, Float32Type, f64),
        DataType::Int8 => numbers!(Integer, Int8Type, i64),
        DataType::Int16 => numbers!(Integer, Int16Type, i64),
        DataType::Int32 => numbers!(Integer, Int32Type, i64),
        DataType::Int64 => numbers!(Integer, Int64Type, i64),
        DataType::UInt8 => numbers!(Integer, UInt8Type, i64),
        DataType::UInt16 => numbers!(Integer, UInt16Type, i64),
        DataType::UInt32 => numbers!(Integer, UInt32Type, i64),
        // The bits of numbers without sign.
        DataType::UInt64 => numbers!(Integer, UInt64Type, i64),
        DataType::Boolean => Values::Boolean(array.as_boolean().iter().map(Option::unwrap_or_default).collect()),
        DataType::Utf8 => texts(array.as_string::<i32>().iter())?,
        DataType::LargeUtf8 => texts(array.as_string::<i64>().iter())?,
        DataType::Utf8View => texts(array.as_string_view().iter())?,
        DataType::Dictionary(..) => {
            let array = array.as_any_dictionary();
            let (keys, Values::Text(items)) = (array.normalized_keys(), values(array.values())?) else {
                return Err(ResultsProblem::ColumnType);
            };
            let item = |row: usize| items.get(keys[row]).filter(|_| array.is_valid(row)).map(String::as_str);
            texts((0..array.len()).map(item))?
        }
        _ => return Err(ResultsProblem::ColumnType),
    })
}

/// A file that repeats the same long text in all rows is short.
fn texts<'a>(texts: impl Iterator<Item = Option<&'a str>> + Clone) -> Result<Values, ResultsProblem> {
    if texts.clone().flatten().map(str::len).fold(0, usize::saturating_add) > TABLE_TEXT_BYTES {
        return Err(ResultsProblem::TextTooLong { limit: TABLE_TEXT_BYTES });
    }
    Ok(Values::Text(texts.map(|text| text.unwrap_or_default().to_owned()).collect()))
}
