//! Type definitions.

use fmi_xml::{elements, kinds, names};
use lotka_instance::description::IntegerType;

use super::Annotation;
use super::numbers::{Floating, Whole};

elements! {
    /// A named type that variables refer to with `declaredType`.
    #[derive(Debug, Clone, PartialEq)]
    pub struct TypeDefinition {
        name: String = "name" key,
        description: Option<String> = "description" spare,
        kind: TypeKind,
        annotations: Vec<Annotation>,
    }
}

kinds! {
    /// Attributes of a [`TypeDefinition`]; `None` if absent.
    #[derive(Debug, Clone, PartialEq)]
    pub enum TypeKind {
        Float ["Float64Type" (is_single: false), "Float32Type" (is_single: true)] {
            /// Whether it is Float32.
            is_single: bool,
            quantity: Option<String> = "quantity" spare,
            unit: Option<String> = "unit" spare,
            display_unit: Option<String> = "displayUnit" spare,
            relative_quantity: Option<bool> = "relativeQuantity" matters,
            unbounded: Option<bool> = "unbounded" spare,
            min: Option<f64> = "min" spare by Floating(*is_single),
            max: Option<f64> = "max" spare by Floating(*is_single),
            nominal: Option<f64> = "nominal" spare by Floating(*is_single),
        }
        Integer [
            "Int8Type" (of: IntegerType::Int8), "UInt8Type" (of: IntegerType::UInt8),
            "Int16Type" (of: IntegerType::Int16), "UInt16Type" (of: IntegerType::UInt16),
            "Int32Type" (of: IntegerType::Int32), "UInt32Type" (of: IntegerType::UInt32),
            "Int64Type" (of: IntegerType::Int64), "UInt64Type" (of: IntegerType::UInt64)
        ] {
            of: IntegerType,
            quantity: Option<String> = "quantity" spare,
            min: Option<i128> = "min" spare by Whole(*of),
            max: Option<i128> = "max" spare by Whole(*of),
        }
        Boolean ["BooleanType"] {}
        String ["StringType"] {}
        Binary ["BinaryType"] {
            mime_type: Option<String> = "mimeType" spare,
            max_size: Option<u64> = "maxSize" spare,
        }
        Enumeration ["EnumerationType"] {
            quantity: Option<String> = "quantity" spare,
            min: Option<i64> = "min" spare,
            max: Option<i64> = "max" spare,
            items: Vec<EnumerationItem>,
        }
        Clock ["ClockType"] {
            clock: ClockAttributes | part,
        }
    }
}

elements! {
    /// One item of an enumeration type.
    #[derive(Debug, Clone, PartialEq, Eq, Default)]
    pub struct EnumerationItem {
        name: String = "name" key,
        value: i64 = "value" key,
        description: Option<String> = "description" spare,
        annotations: Vec<Annotation>,
    }

    /// Attributes of clocks, of types and of variables.
    #[derive(Debug, Clone, PartialEq, Default)]
    pub struct ClockAttributes {
        can_be_deactivated: Option<bool> = "canBeDeactivated" spare,
        priority: Option<u32> = "priority" spare,
        interval_variability: Option<IntervalVariability> = "intervalVariability" matters,
        /// \[s\]
        interval_decimal: Option<f64> = "intervalDecimal" matters,
        /// \[s\]
        shift_decimal: Option<f64> = "shiftDecimal" matters,
        supports_fraction: Option<bool> = "supportsFraction" spare,
        resolution: Option<u64> = "resolution" matters,
        interval_counter: Option<u64> = "intervalCounter" matters,
        shift_counter: Option<u64> = "shiftCounter" matters,
    }
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

names! {
    IntervalVariability: "constant, fixed, tunable, changing, countdown or triggered" {
        Constant = "constant",
        Fixed = "fixed",
        Tunable = "tunable",
        Changing = "changing",
        Countdown = "countdown",
        Triggered = "triggered",
    }
}

impl TypeKind {
    /// Returns the items of an enumeration; empty for other types.
    #[must_use]
    pub fn items(&self) -> &[EnumerationItem] {
        match self {
            Self::Enumeration { items, .. } => items,
            _ => &[],
        }
    }
}
