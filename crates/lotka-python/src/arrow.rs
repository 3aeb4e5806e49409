//! Rows for pandas, polars, pyarrow and others, through the C data interface of Arrow.

use std::{collections::HashMap, sync::Arc};

use arrow_array::{
    ArrayRef, BinaryArray, BooleanArray, Float64Array, Int32Array, Int64Array, RecordBatch, RecordBatchIterator, StringArray,
    UInt64Array, ffi::FFI_ArrowSchema, ffi_stream::FFI_ArrowArrayStream,
};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use lotka::{Column, ERROR_BARS, Memory, ValueType, instance::description::IntegerType};

/// The columns: the time, then each variable, followed by its estimated errors if there are any. Metadata have the unit, the
/// description, the type of FMI, and the items of an enumeration.
fn fields(memory: &Memory) -> Vec<Field> {
    let time = Field::new("time", DataType::Float64, false).with_metadata(HashMap::from([("unit".to_owned(), "s".to_owned())]));
    let of_column = |column: &Column| {
        let values = Field::new(&column.name, data_type(column), false).with_metadata(metadata(column));
        let unit: HashMap<_, _> = column.unit.iter().map(|unit| ("unit".to_owned(), unit.clone())).collect();
        let errors = Field::new(format!("{}{ERROR_BARS}", column.name), DataType::Float64, false).with_metadata(unit);
        let errors = memory.error_estimates(&column.name).map(|_| errors);
        std::iter::once(values).chain(errors).collect::<Vec<_>>()
    };
    std::iter::once(time).chain(memory.columns().iter().flat_map(of_column)).collect()
}

fn data_type(column: &Column) -> DataType {
    match column.value_type {
        ValueType::Real => DataType::Float64,
        ValueType::Integer => match column.integers {
            IntegerType::UInt64 => DataType::UInt64,
            IntegerType::Int64 | IntegerType::UInt32 => DataType::Int64,
            _ => DataType::Int32,
        },
        ValueType::Boolean => DataType::Boolean,
        ValueType::Text => DataType::Utf8,
        ValueType::Binary => DataType::Binary,
    }
}

/// Integers as an array of the type of their column, whose range makes the conversion exact.
fn integers(column: &Column, values: &[i128]) -> ArrayRef {
    match data_type(column) {
        DataType::UInt64 => Arc::new(UInt64Array::from_iter_values(values.iter().map(|&value| value as u64))),
        DataType::Int64 => Arc::new(Int64Array::from_iter_values(values.iter().map(|&value| value as i64))),
        _ => Arc::new(Int32Array::from_iter_values(values.iter().map(|&value| value as i32))),
    }
}

fn metadata(column: &Column) -> HashMap<String, String> {
    let items = column.items.iter().map(|item| format!("{} {}", item.value, item.name)).collect::<Vec<_>>().join("\n");
    let entries = [
        ("type", Some(column.type_name().to_owned())),
        ("unit", column.unit.clone()),
        ("description", column.description.clone()),
        ("items", (!items.is_empty()).then_some(items)),
    ];
    entries.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect()
}

fn arrays(memory: &Memory) -> Vec<ArrayRef> {
    let of_column = |column: &Column| {
        let numbers = memory.real(&column.name).unwrap_or_default();
        let values: ArrayRef = match column.value_type {
            ValueType::Real => Arc::new(Float64Array::from(numbers.to_vec())),
            ValueType::Integer => integers(column, memory.integer(&column.name).unwrap_or_default()),
            ValueType::Boolean => Arc::new(BooleanArray::from_iter(numbers.iter().map(|&number| Some(number != 0.0)))),
            ValueType::Text => Arc::new(StringArray::from_iter_values(memory.text(&column.name).unwrap_or_default())),
            ValueType::Binary => Arc::new(BinaryArray::from_iter_values(memory.binary(&column.name).unwrap_or_default())),
        };
        let errors = memory.error_estimates(&column.name);
        let errors = errors.map(|errors| Arc::new(Float64Array::from(errors.to_vec())) as ArrayRef);
        std::iter::once(values).chain(errors).collect::<Vec<_>>()
    };
    let time: ArrayRef = Arc::new(Float64Array::from(memory.time().to_vec()));
    std::iter::once(time).chain(memory.columns().iter().flat_map(of_column)).collect()
}

/// The schema alone.
pub(crate) fn schema(memory: &Memory) -> Result<FFI_ArrowSchema, ArrowError> {
    FFI_ArrowSchema::try_from(&Schema::new(fields(memory)))
}

/// A stream of one batch.
pub(crate) fn stream(memory: &Memory) -> Result<FFI_ArrowArrayStream, ArrowError> {
    let schema = Arc::new(Schema::new(fields(memory)));
    let batch = RecordBatch::try_new(schema.clone(), arrays(memory))?;
    Ok(FFI_ArrowArrayStream::new(Box::new(RecordBatchIterator::new([Ok(batch)], schema))))
}
