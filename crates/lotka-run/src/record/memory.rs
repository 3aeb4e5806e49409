//! Results in memory.

use std::collections::HashMap;

use lotka_plan::column::{Column, ValueType};
use serde::{Deserialize, Serialize};

use super::{Notification, Observer, Value, stored::Stored};

/// Stores all rows, column by column; for a run from a checkpoint, those after the checkpoint.
///
/// Real, Integer and Boolean columns are read as numbers with [`Memory::real`], String columns with [`Memory::text`].
/// [`Memory::integer`] has integers of 64 bits exactly, and [`Memory::binary`] has bytes. Rows can be sent to another observer
/// later ([`Memory::send_to`]), and serialized for another process.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(from = "Stored", into = "Stored")]
pub struct Memory {
    pub(super) columns: Vec<Column>,
    /// Index of each column by its name.
    pub(super) positions: HashMap<String, usize>,
    pub(super) time: Vec<f64>,
    pub(super) numbers: Vec<Vec<f64>>,
    pub(super) integers: Vec<Vec<i128>>,
    pub(super) texts: Vec<Vec<String>>,
    pub(super) binaries: Vec<Vec<Vec<u8>>>,
    pub(super) errors: Vec<Vec<f64>>,
    pub(super) events: Vec<LocatedEvent>,
}

/// An event of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct LocatedEvent {
    /// Its time \[s\].
    pub time: f64,
    /// Description of the event.
    pub what: String,
    /// Index of the row just before it; the next row has the values after it.
    pub row: usize,
}

impl Memory {
    /// Creates an empty table.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets everything, as at the beginning of a run.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Returns the times of the rows \[s\].
    #[must_use]
    pub fn time(&self) -> &[f64] {
        &self.time
    }

    /// Returns the events at which steps ended.
    #[must_use]
    pub fn events(&self) -> &[LocatedEvent] {
        &self.events
    }

    /// Returns the columns, without the time.
    #[must_use]
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Returns the values of the column `instance.variable` as numbers; booleans are 0 and 1, and integers of 64 bits are
    /// rounded. `None` if there is no such column or it holds text or bytes.
    #[must_use]
    pub fn real(&self, name: &str) -> Option<&[f64]> {
        let index = self.position(name)?;
        self.columns[index].value_type.is_number().then_some(self.numbers[index].as_slice())
    }

    /// Returns the values of the Integer column `instance.variable`, exactly.
    #[must_use]
    pub fn integer(&self, name: &str) -> Option<&[i128]> {
        let index = self.position(name)?;
        (self.columns[index].value_type == ValueType::Integer).then_some(self.integers[index].as_slice())
    }

    /// Returns the values of the Binary column `instance.variable`.
    #[must_use]
    pub fn binary(&self, name: &str) -> Option<&[Vec<u8>]> {
        let index = self.position(name)?;
        (self.columns[index].value_type == ValueType::Binary).then_some(self.binaries[index].as_slice())
    }

    /// Returns the values of the String column `instance.variable`.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&[String]> {
        let index = self.position(name)?;
        (self.columns[index].value_type == ValueType::Text).then_some(self.texts[index].as_slice())
    }

    /// Returns estimates of the absolute errors of the column `instance.variable`, in a run with `tolerance`. `None` in other
    /// runs, and if there is no such column or its errors are not estimated.
    pub fn error_estimates(&self, name: &str) -> Option<&[f64]> {
        let index = self.position(name)?;
        self.errors.get(index).filter(|errors| !errors.is_empty()).map(Vec::as_slice)
    }

    /// Forgets everything after the first rows.
    fn withdraw(&mut self, rows: usize) {
        self.time.truncate(rows);
        self.numbers.iter_mut().chain(&mut self.errors).for_each(|values| values.truncate(rows));
        self.integers.iter_mut().for_each(|values| values.truncate(rows));
        self.texts.iter_mut().for_each(|values| values.truncate(rows));
        self.binaries.iter_mut().for_each(|values| values.truncate(rows));
        self.events.retain(|event| event.row < rows);
    }

    /// An empty table with these columns.
    pub(super) fn with_columns(columns: Vec<Column>) -> Self {
        Self {
            positions: columns.iter().enumerate().rev().map(|(index, column)| (column.name.clone(), index)).collect(),
            time: Vec::new(),
            numbers: vec![Vec::new(); columns.len()],
            integers: vec![Vec::new(); columns.len()],
            texts: vec![Vec::new(); columns.len()],
            binaries: vec![Vec::new(); columns.len()],
            errors: vec![Vec::new(); columns.len()],
            events: Vec::new(),
            columns,
        }
    }

    fn position(&self, name: &str) -> Option<usize> {
        self.positions.get(name).copied()
    }
}

impl Observer for Memory {
    fn observe(&mut self, notification: &Notification<'_>) {
        match notification {
            Notification::Started { columns, .. } | Notification::Resumed { columns, .. } => {
                *self = Self::with_columns(columns.to_vec());
            }
            Notification::Returned { rows, .. } => self.withdraw(*rows as usize),
            Notification::EventLocated { time, what } => {
                self.events.push(LocatedEvent { time: *time, what: (*what).to_owned(), row: self.time.len() });
            }
            Notification::Row(row) => {
                self.time.push(row.time);
                let estimated = self.errors.iter_mut().zip(&self.columns).zip(row.error_estimates());
                estimated.filter(|((_, column), _)| column.can_have_error()).for_each(|((errors, _), error)| errors.push(*error));
                for (index, value) in row.values().enumerate() {
                    match value {
                        Value::Real(value) => self.numbers[index].push(value),
                        Value::Integer(value) => {
                            self.integers[index].push(value);
                            self.numbers[index].push(value as f64);
                        }
                        Value::Boolean(value) => self.numbers[index].push(f64::from(u8::from(value))),
                        Value::Text(value) => self.texts[index].push(value.to_owned()),
                        Value::Binary(value) => self.binaries[index].push(value.to_owned()),
                    }
                }
            }
            _ => {}
        }
    }

    fn wants_steps(&self) -> bool {
        false
    }
}
