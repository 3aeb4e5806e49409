//! Type definitions.

use lotka_instance::description::IntegerType;

use super::Annotation;

/// A named type that variables refer to with `declaredType`.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs, reason = "attributes of the standard")]
pub struct TypeDefinition {
    pub name: String,
    pub description: Option<String>,
    pub kind: TypeKind,
    pub annotations: Vec<Annotation>,
}

/// Attributes of a [`TypeDefinition`]; `None` if absent.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs, reason = "attributes of the standard")]
pub enum TypeKind {
    Float {
        /// Whether it is Float32.
        is_single: bool,
        quantity: Option<String>,
        unit: Option<String>,
        display_unit: Option<String>,
        relative_quantity: Option<bool>,
        unbounded: Option<bool>,
        min: Option<f64>,
        max: Option<f64>,
        nominal: Option<f64>,
    },
    Integer {
        of: IntegerType,
        quantity: Option<String>,
        min: Option<i128>,
        max: Option<i128>,
    },
    Boolean,
    String,
    Binary {
        mime_type: Option<String>,
        max_size: Option<u64>,
    },
    Enumeration {
        quantity: Option<String>,
        min: Option<i64>,
        max: Option<i64>,
        items: Vec<EnumerationItem>,
    },
    Clock(ClockAttributes),
}

/// One item of an enumeration type.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[allow(missing_docs, reason = "attributes of the standard")]
pub struct EnumerationItem {
    pub name: String,
    pub value: i64,
    pub description: Option<String>,
    pub annotations: Vec<Annotation>,
}

/// Attributes of clocks, of types and of variables.
#[derive(Debug, Clone, PartialEq, Default)]
#[allow(missing_docs, reason = "attributes of the standard in snake case")]
pub struct ClockAttributes {
    pub can_be_deactivated: Option<bool>,
    pub priority: Option<u32>,
    pub interval_variability: Option<IntervalVariability>,
    /// \[s\]
    pub interval_decimal: Option<f64>,
    /// \[s\]
    pub shift_decimal: Option<f64>,
    pub supports_fraction: Option<bool>,
    pub resolution: Option<u64>,
    pub interval_counter: Option<u64>,
    pub shift_counter: Option<u64>,
}

/// `intervalVariability`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "names of the standard")]
pub enum IntervalVariability {
    Constant,
    Fixed,
    Tunable,
    Changing,
    Countdown,
    Triggered,
}

impl TypeKind {
    /// Returns the element name, such as `Float64Type`.
    #[must_use]
    pub fn element_name(&self) -> &'static str {
        match self {
            Self::Float { is_single: false, .. } => "Float64Type",
            Self::Float { is_single: true, .. } => "Float32Type",
            Self::Integer { of, .. } => match of {
                IntegerType::Int8 => "Int8Type",
                IntegerType::UInt8 => "UInt8Type",
                IntegerType::Int16 => "Int16Type",
                IntegerType::UInt16 => "UInt16Type",
                IntegerType::Int32 => "Int32Type",
                IntegerType::UInt32 => "UInt32Type",
                IntegerType::Int64 => "Int64Type",
                IntegerType::UInt64 => "UInt64Type",
            },
            Self::Boolean => "BooleanType",
            Self::String => "StringType",
            Self::Binary { .. } => "BinaryType",
            Self::Enumeration { .. } => "EnumerationType",
            Self::Clock(_) => "ClockType",
        }
    }

    /// Returns the items of an enumeration; empty for other types.
    #[must_use]
    pub fn items(&self) -> &[EnumerationItem] {
        match self {
            Self::Enumeration { items, .. } => items,
            _ => &[],
        }
    }
}
