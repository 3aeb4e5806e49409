//! Rows in memory as plain data, for other processes.

use lotka_plan::column::{Column, StoredColumn, ValueType};
use serde::{Deserialize, Serialize};

use super::{LocatedEvent, Memory};

/// The fields of [`Memory`].
#[derive(Serialize, Deserialize)]
pub(super) struct Stored {
    columns: Vec<StoredColumn>,
    time: Vec<f64>,
    numbers: Vec<Vec<f64>>,
    integers: Vec<Vec<i128>>,
    texts: Vec<Vec<String>>,
    binaries: Vec<Vec<Vec<u8>>>,
    errors: Vec<Vec<f64>>,
    events: Vec<LocatedEvent>,
}

impl From<Memory> for Stored {
    fn from(memory: Memory) -> Self {
        let columns = memory.columns.into_iter().map(Into::into).collect();
        let Memory { time, numbers, integers, texts, binaries, errors, events, .. } = memory;
        Self { columns, time, numbers, integers, texts, binaries, errors, events }
    }
}

/// Rows that do not fit the columns, as damaged bytes may have them, are left out.
impl From<Stored> for Memory {
    fn from(stored: Stored) -> Self {
        let Stored { columns, time, numbers, integers, texts, binaries, errors, events } = stored;
        let empty = Self::with_columns(columns.into_iter().map(Into::into).collect());
        let is_long = |length: Option<usize>| length == Some(time.len());
        let has_all = |index: usize, column: &Column| match column.value_type {
            ValueType::Text => is_long(texts.get(index).map(Vec::len)),
            ValueType::Binary => is_long(binaries.get(index).map(Vec::len)),
            ValueType::Integer => is_long(integers.get(index).map(Vec::len)) && is_long(numbers.get(index).map(Vec::len)),
            ValueType::Real | ValueType::Boolean => is_long(numbers.get(index).map(Vec::len)),
        };
        let has_errors =
            errors.len() == empty.columns.len() && errors.iter().all(|errors| errors.is_empty() || errors.len() == time.len());
        let has_lists = [numbers.len(), integers.len(), texts.len(), binaries.len()] == [empty.columns.len(); 4];
        let fits = has_lists && has_errors && empty.columns.iter().enumerate().all(|(index, column)| has_all(index, column));
        if fits { Self { time, numbers, integers, texts, binaries, errors, events, ..empty } } else { empty }
    }
}
