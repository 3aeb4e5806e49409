//! Rows in memory as plain data, for other processes.

use serde::{Deserialize, Serialize};

use super::{Column, EnumerationItem, LocatedEvent, Memory, ValueType};

/// The fields of [`Memory`].
#[derive(Serialize, Deserialize)]
pub(super) struct Stored {
    columns: Vec<StoredColumn>,
    time: Vec<f64>,
    numbers: Vec<Vec<f64>>,
    texts: Vec<Vec<String>>,
    errors: Vec<Vec<f64>>,
    events: Vec<LocatedEvent>,
}

/// The fields of [`Column`], whose own form is that of a manifest.
#[derive(Serialize, Deserialize)]
struct StoredColumn {
    name: String,
    unit: Option<String>,
    value_type: ValueType,
    description: Option<String>,
    items: Vec<(i32, String)>,
    is_constant: bool,
    fmu: String,
}

impl From<Column> for StoredColumn {
    fn from(column: Column) -> Self {
        let Column { name, unit, value_type, description, items, is_constant, fmu } = column;
        let items = items.into_iter().map(|item| (item.value, item.name)).collect();
        Self { name, unit, value_type, description, items, is_constant, fmu }
    }
}

impl From<StoredColumn> for Column {
    fn from(column: StoredColumn) -> Self {
        let StoredColumn { name, unit, value_type, description, items, is_constant, fmu } = column;
        let items = items.into_iter().map(|(value, name)| EnumerationItem { value, name }).collect();
        Self { name, unit, value_type, description, items, is_constant, fmu }
    }
}

impl From<Memory> for Stored {
    fn from(memory: Memory) -> Self {
        let columns = memory.columns.into_iter().map(Into::into).collect();
        let Memory { time, numbers, texts, errors, events, .. } = memory;
        Self { columns, time, numbers, texts, errors, events }
    }
}

/// Rows that do not fit the columns, as damaged bytes may have them, are left out.
impl From<Stored> for Memory {
    fn from(stored: Stored) -> Self {
        let Stored { columns, time, numbers, texts, errors, events } = stored;
        let empty = Self::with_columns(columns.into_iter().map(Into::into).collect());
        let has_all = |index: usize, column: &Column| match column.value_type {
            ValueType::Text => texts.get(index).is_some_and(|texts| texts.len() == time.len()),
            _ => numbers.get(index).is_some_and(|numbers| numbers.len() == time.len()),
        };
        let has_errors =
            errors.len() == empty.columns.len() && errors.iter().all(|errors| errors.is_empty() || errors.len() == time.len());
        let has_lists = [numbers.len(), texts.len()] == [empty.columns.len(); 2];
        let fits = has_lists && has_errors && empty.columns.iter().enumerate().all(|(index, column)| has_all(index, column));
        if fits { Self { time, numbers, texts, errors, events, ..empty } } else { empty }
    }
}
