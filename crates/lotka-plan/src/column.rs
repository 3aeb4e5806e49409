//! Recorded variables: the columns of results.

use std::collections::BTreeMap;

use lotka_instance::description::{Causality, Variability, Variable};
use serde::{Deserialize, Serialize, Serializer, ser::SerializeStruct};

pub use lotka_instance::description::IntegerType;

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

/// The properties of a column without its name and its values: `type`, `unit`, `description`, `constant`, `fmu`, `items` (names
/// by number).
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

/// Returns whether a variable keeps its value after initialization. Tunable parameters do, because Lotka never sets them during a
/// run.
#[must_use]
pub fn is_constant(variable: &Variable) -> bool {
    let is_parameter = matches!(variable.causality, Causality::Parameter | Causality::CalculatedParameter);
    is_parameter || matches!(variable.variability, Variability::Constant | Variability::Fixed)
}

/// The fields of [`Column`], whose own form is that of a manifest.
#[derive(Serialize, Deserialize)]
pub struct StoredColumn {
    name: String,
    unit: Option<String>,
    value_type: ValueType,
    description: Option<String>,
    items: Vec<(i128, String)>,
    integers: IntegerType,
    is_constant: bool,
    fmu: String,
}

impl From<Column> for StoredColumn {
    fn from(column: Column) -> Self {
        let Column { name, unit, value_type, description, items, integers, is_constant, fmu } = column;
        let items = items.into_iter().map(|item| (item.value, item.name)).collect();
        Self { name, unit, value_type, description, items, integers, is_constant, fmu }
    }
}

impl From<StoredColumn> for Column {
    fn from(column: StoredColumn) -> Self {
        let StoredColumn { name, unit, value_type, description, items, integers, is_constant, fmu } = column;
        let items = items.into_iter().map(|(value, name)| EnumerationItem { value, name }).collect();
        Self { name, unit, value_type, description, items, integers, is_constant, fmu }
    }
}
