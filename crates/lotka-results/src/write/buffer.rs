//! Buffered rows, column by column.

use std::{iter, ops::Range};

use lotka_plan::column::{Column, IntegerType, ValueType};
use lotka_run::record::Value;

use crate::hash_of;

/// Number of values at which a group is written; the last group is written at the end.
const GROUP: usize = 1 << 20;

/// Size of the texts at which a group is written \[byte\], and the number of rows between two checks.
const TEXT_BYTES: usize = 1 << 26;
const BETWEEN: usize = 1 << 8;

/// Buffered values of one column.
#[derive(Debug)]
pub(crate) enum Buffer {
    Reals(Vec<f64>),
    Integers(Vec<i32>),
    /// Integers of more than 31 bits; those without sign have the bits of 64 bits without sign.
    WideIntegers(Vec<i64>),
    Booleans(Vec<bool>),
    Texts(Texts),
}

/// Texts, one after the other.
#[derive(Debug, Default)]
pub(crate) struct Texts {
    pub(crate) text: String,
    /// Where each of them ends.
    ends: Vec<usize>,
}

impl Texts {
    fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.ends.push(self.text.len());
    }

    /// Returns where the texts are.
    pub(crate) fn ranges(&self) -> impl Iterator<Item = Range<usize>> {
        iter::once(0).chain(self.ends.iter().copied()).zip(&self.ends).map(|(begin, &end)| begin..end)
    }

    fn truncate(&mut self, rows: usize) {
        self.ends.truncate(rows);
        self.text.truncate(self.ends.last().copied().unwrap_or(0));
    }
}

impl Buffer {
    fn of(column: &Column) -> Self {
        match column.value_type {
            ValueType::Real => Self::Reals(Vec::new()),
            ValueType::Integer if is_wide(column) => Self::WideIntegers(Vec::new()),
            ValueType::Integer => Self::Integers(Vec::new()),
            ValueType::Boolean => Self::Booleans(Vec::new()),
            ValueType::Text | ValueType::Binary => Self::Texts(Texts::default()),
        }
    }

    fn push(&mut self, value: Value<'_>) {
        match (self, value) {
            (Self::Reals(values), Value::Real(value)) => values.push(value),
            // The range of the type of the column makes both conversions exact.
            (Self::Integers(values), Value::Integer(value)) => values.push(value as i32),
            (Self::WideIntegers(values), Value::Integer(value)) => values.push(value as i64),
            (Self::Booleans(values), Value::Boolean(value)) => values.push(value),
            (Self::Texts(values), Value::Text(value)) => values.push(value),
            (Self::Texts(values), Value::Binary(value)) => values.push(&hash_of(value)),
            // A column has values of its type only.
            _ => {}
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
pub(crate) fn is_wide(column: &Column) -> bool {
    matches!(column.integers, IntegerType::UInt32 | IntegerType::Int64 | IntegerType::UInt64)
}

/// Buffered rows.
#[derive(Debug, Default)]
pub struct Buffered {
    pub(crate) columns: Vec<Buffer>,
    rows: usize,
}

impl Buffered {
    pub(super) fn new(columns: &[Column]) -> Self {
        Self { columns: columns.iter().map(Buffer::of).collect(), rows: 0 }
    }

    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// Returns whether there are as many values as a group has. Long texts fill it earlier.
    #[inline]
    pub(super) fn is_full(&self) -> bool {
        let has_long_texts = || {
            let bytes = self.columns.iter().map(|column| if let Buffer::Texts(texts) = column { texts.text.len() } else { 0 });
            bytes.sum::<usize>() >= TEXT_BYTES
        };
        self.rows * self.columns.len() >= GROUP || self.rows.is_multiple_of(BETWEEN) && has_long_texts()
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
}
