//! Buffered rows, column by column, and their schema.

use std::sync::Arc;

use lotka_plan::column::{Column, IntegerType, ValueType};
use lotka_run::record::Value;
use parquet::{
    basic::{LogicalType, Repetition, Type as PhysicalType},
    column::writer::ColumnWriter,
    data_type::ByteArray,
    errors::{ParquetError, Result},
    file::writer::SerializedFileWriter,
    schema::types::{Type, TypePtr},
};
use serde_json::{Map, Value as Json, json};

use crate::hash_of;

/// Buffered values of one column.
#[derive(Debug)]
enum Values {
    Reals(Vec<f64>),
    Integers(Vec<i32>),
    /// Integers of more than 31 bits; those without sign have the bits of 64 bits without sign.
    WideIntegers(Vec<i64>),
    Booleans(Vec<bool>),
    Texts(Vec<ByteArray>),
}

impl Values {
    fn of(column: &Column) -> Self {
        match column.value_type {
            ValueType::Real => Self::Reals(Vec::new()),
            ValueType::Integer if is_wide(column) => Self::WideIntegers(Vec::new()),
            ValueType::Integer => Self::Integers(Vec::new()),
            ValueType::Boolean => Self::Booleans(Vec::new()),
            ValueType::Text | ValueType::Binary => Self::Texts(Vec::new()),
        }
    }

    fn push(&mut self, value: Value<'_>) {
        match (self, value) {
            (Self::Reals(values), Value::Real(value)) => values.push(value),
            // The range of the type of the column makes both conversions exact.
            (Self::Integers(values), Value::Integer(value)) => values.push(value as i32),
            (Self::WideIntegers(values), Value::Integer(value)) => values.push(value as i64),
            (Self::Booleans(values), Value::Boolean(value)) => values.push(value),
            (Self::Texts(values), Value::Text(value)) => values.push(value.into()),
            (Self::Texts(values), Value::Binary(value)) => values.push(hash_of(value).as_str().into()),
            // A column has values of its type only.
            _ => {}
        }
    }

    fn write(&self, column: &mut ColumnWriter<'_>) -> Result<usize> {
        match (self, column) {
            (Self::Reals(values), ColumnWriter::DoubleColumnWriter(writer)) => writer.write_batch(values, None, None),
            (Self::Integers(values), ColumnWriter::Int32ColumnWriter(writer)) => writer.write_batch(values, None, None),
            (Self::WideIntegers(values), ColumnWriter::Int64ColumnWriter(writer)) => writer.write_batch(values, None, None),
            (Self::Booleans(values), ColumnWriter::BoolColumnWriter(writer)) => writer.write_batch(values, None, None),
            (Self::Texts(values), ColumnWriter::ByteArrayColumnWriter(writer)) => writer.write_batch(values, None, None),
            _ => Err(other_type()),
        }
    }

    fn truncate(&mut self, rows: usize) {
        match self {
            Self::Reals(values) => values.truncate(rows),
            Self::Integers(values) => values.truncate(rows),
            Self::WideIntegers(values) => values.truncate(rows),
            Self::Booleans(values) => values.truncate(rows),
            Self::Texts(values) => values.truncate(rows),
        }
    }
}

/// Whether 32 bits with a sign do not hold all integers of a column.
fn is_wide(column: &Column) -> bool {
    matches!(column.integers, IntegerType::UInt32 | IntegerType::Int64 | IntegerType::UInt64)
}

/// Buffered rows.
#[derive(Debug, Default)]
pub(super) struct Table {
    columns: Vec<Values>,
    rows: usize,
}

impl Table {
    pub(super) fn new(columns: &[Column]) -> Self {
        Self { columns: columns.iter().map(Values::of).collect(), rows: 0 }
    }

    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the number of values in a row.
    pub(super) fn width(&self) -> usize {
        self.columns.len()
    }

    #[inline]
    pub(super) fn push<'v>(&mut self, values: impl IntoIterator<Item = Value<'v>>) {
        self.columns.iter_mut().zip(values).for_each(|(column, value)| column.push(value));
        self.rows += 1;
    }

    pub(super) fn clear(&mut self) {
        self.truncate(0);
    }

    /// Drops all but the first rows.
    pub(super) fn truncate(&mut self, rows: usize) {
        self.columns.iter_mut().for_each(|values| values.truncate(rows));
        self.rows = self.rows.min(rows);
    }

    /// Writes all rows as one group.
    pub(super) fn write(&self, file: &mut SerializedFileWriter<Vec<u8>>) -> Result<()> {
        let mut group = file.next_row_group()?;
        for values in &self.columns {
            let Some(mut column) = group.next_column()? else { break };
            values.write(column.untyped())?;
            column.close()?;
        }
        group.close().map(drop)
    }
}

/// Cannot happen, because the schema has the same columns.
fn other_type() -> ParquetError {
    ParquetError::General("a column has another type than its values".to_owned())
}

/// Returns the schema: the columns by name, without missing values.
pub(super) fn schema(columns: &[Column]) -> Result<TypePtr> {
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

/// Returns the properties of the columns by name. All keys are texts, so the result can always be serialized as JSON.
pub(super) fn describe(columns: &[Column]) -> Json {
    let about = |column: &Column| (column.name.clone(), serde_json::to_value(column).unwrap_or_default());
    json!({ "version": env!("CARGO_PKG_VERSION"), "columns": columns.iter().map(about).collect::<Map<_, _>>() })
}
