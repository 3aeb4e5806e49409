//! Rows and their columns.

use std::collections::BTreeMap;

pub use lotka_instance::description::IntegerType;
use serde::{Deserialize, Serialize, Serializer, ser::SerializeStruct};

use crate::{algorithm::Signals, graph::ColumnSource};

/// A recorded variable.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Column {
    /// `instance.variable`.
    pub name: String,
    /// Unit, if the variable has one.
    pub unit: Option<String>,
    /// Type.
    pub value_type: ValueType,
    /// Description of the variable in its FMU.
    pub description: Option<String>,
    /// The items of an enumeration; empty for other types.
    pub items: Vec<EnumerationItem>,
    /// The values that an integer can have; those of 32 bits for other types.
    pub integers: IntegerType,
    /// Whether the value is the same in all rows: a parameter, or another variable that is fixed after initialization.
    pub is_constant: bool,
    /// Model name of the FMU.
    pub fmu: String,
}

/// An item of an enumeration.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct EnumerationItem {
    /// The number that represents it in the rows.
    pub value: i128,
    /// Its name.
    pub name: String,
}

/// Type of a recorded variable; enumerations are recorded as integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "they say what they are")]
pub enum ValueType {
    Real,
    Integer,
    Boolean,
    Text,
    /// Bytes; results show their hash.
    Binary,
}

impl ValueType {
    /// Whether values are numbers; booleans are 0 and 1.
    #[must_use]
    pub fn is_number(self) -> bool {
        matches!(self, Self::Real | Self::Integer | Self::Boolean)
    }
}

/// A recorded value.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(missing_docs, reason = "they say what they are")]
pub enum Value<'a> {
    Real(f64),
    Integer(i128),
    Boolean(bool),
    Text(&'a str),
    Binary(&'a [u8]),
}

impl Column {
    /// Creates a column with a name and a type only.
    pub fn new(name: impl Into<String>, value_type: ValueType) -> Self {
        Self {
            name: name.into(),
            unit: None,
            value_type,
            description: None,
            items: Vec::new(),
            integers: IntegerType::default(),
            is_constant: false,
            fmu: String::new(),
        }
    }

    /// Returns the type as named by FMI.
    #[must_use]
    pub fn type_name(&self) -> &'static str {
        match self.value_type {
            ValueType::Real => "Real",
            ValueType::Integer if !self.items.is_empty() => "Enumeration",
            ValueType::Integer => "Integer",
            ValueType::Boolean => "Boolean",
            ValueType::Text => "String",
            ValueType::Binary => "Binary",
        }
    }

    /// Whether the error of its values is estimated in a run with `tolerance`: it is Real and not constant.
    #[must_use]
    pub fn can_have_error(&self) -> bool {
        self.value_type == ValueType::Real && !self.is_constant
    }
}

/// The properties of a column without its name and its values: `type`, `unit`, `description`, `constant`, `fmu`, `items` (names by number).
impl Serialize for Column {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let items: BTreeMap<_, _> = self.items.iter().map(|item| (item.value, &item.name)).collect();
        let mut about = serializer.serialize_struct("Column", 6)?;
        about.serialize_field("type", self.type_name())?;
        about.serialize_field("unit", &self.unit)?;
        about.serialize_field("description", &self.description)?;
        about.serialize_field("constant", &self.is_constant)?;
        about.serialize_field("fmu", &(!self.fmu.is_empty()).then_some(&self.fmu))?;
        about.serialize_field("items", &(!items.is_empty()).then_some(items))?;
        about.end()
    }
}

/// One row of results: the values of all columns at one time.
#[derive(Debug, Clone, Copy)]
pub struct Row<'a> {
    /// Time \[s\].
    pub time: f64,
    pub(crate) signals: &'a Signals,
    pub(crate) sources: &'a [ColumnSource],
    pub(crate) estimates: &'a [f64],
}

impl<'a> Row<'a> {
    /// A row at `time` of those of the `signals` that the `sources` name, with estimated absolute errors of the columns; empty if unknown.
    #[doc(hidden)]
    #[must_use]
    pub fn new(time: f64, signals: &'a Signals, sources: &'a [ColumnSource], estimates: &'a [f64]) -> Self {
        Self { time, signals, sources, estimates }
    }

    /// Returns estimates of the absolute errors of the values, in the order of the columns, in a run with `tolerance`; empty in other runs.
    /// Not a number for columns that are not Real.
    #[must_use]
    pub fn error_estimates(self) -> &'a [f64] {
        self.estimates
    }

    /// Returns the values, in the order of the columns.
    #[inline]
    #[must_use]
    pub fn values(self) -> impl ExactSizeIterator<Item = Value<'a>> {
        let signals = self.signals;
        self.sources.iter().map(move |source| match *source {
            ColumnSource::Real(index) => Value::Real(signals.reals[index]),
            ColumnSource::Integer(index) => Value::Integer(signals.integers[index]),
            ColumnSource::Boolean(index) => Value::Boolean(signals.booleans[index]),
            ColumnSource::Text(index) => Value::Text(&signals.texts[index]),
            ColumnSource::Binary(index) => Value::Binary(&signals.binaries[index]),
            ColumnSource::RowReal(index) => Value::Real(signals.at_row.reals[index]),
            ColumnSource::RowInteger(index) => Value::Integer(signals.at_row.integers[index]),
            ColumnSource::RowBoolean(index) => Value::Boolean(signals.at_row.booleans[index]),
            ColumnSource::RowText(index) => Value::Text(&signals.at_row.texts[index]),
            ColumnSource::RowBinary(index) => Value::Binary(&signals.at_row.binaries[index]),
        })
    }
}
