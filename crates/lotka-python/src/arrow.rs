//! Rows for pandas, polars, pyarrow and others, through the C data interface of Arrow.

use std::{collections::HashMap, sync::Arc};

use arrow_array::{
    ArrayRef, BinaryArray, BooleanArray, Float64Array, Int32Array, Int64Array, RecordBatch, RecordBatchIterator, StringArray,
    UInt64Array, ffi::FFI_ArrowSchema, ffi_stream::FFI_ArrowArrayStream,
};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use lotka::{Column, ERROR_BARS, Memory, ValueType, arrow_field};

/// The columns: the time, then each variable, followed by its estimated errors if there are any. Metadata have the unit, the
/// description, the type of FMI, and the items of an enumeration.
fn fields(memory: &Memory) -> Vec<Field> {
    let time = Field::new("time", DataType::Float64, false).with_metadata(HashMap::from([("unit".to_owned(), "s".to_owned())]));
    let of_column = |column: &Column| {
        let values = field(column);
        let unit: HashMap<_, _> = column.unit.iter().map(|unit| ("unit".to_owned(), unit.clone())).collect();
        let errors = Field::new(format!("{}{ERROR_BARS}", column.name), DataType::Float64, false).with_metadata(unit);
        let errors = memory.error_estimates(&column.name).map(|_| errors);
        std::iter::once(values).chain(errors).collect::<Vec<_>>()
    };
    std::iter::once(time).chain(memory.columns().iter().flat_map(of_column)).collect()
}

/// Binary variables are bytes here; in files, results show their hash.
fn field(column: &Column) -> Field {
    let field = arrow_field(column);
    if column.value_type == ValueType::Binary { field.with_data_type(DataType::Binary) } else { field }
}

/// Integers as an array of the type of their column, whose range makes the conversion exact.
fn integers(column: &Column, values: &[i128]) -> ArrayRef {
    match arrow_field(column).data_type() {
        DataType::UInt64 => Arc::new(UInt64Array::from_iter_values(values.iter().map(|&value| value as u64))),
        DataType::Int64 => Arc::new(Int64Array::from_iter_values(values.iter().map(|&value| value as i64))),
        _ => Arc::new(Int32Array::from_iter_values(values.iter().map(|&value| value as i32))),
    }
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
