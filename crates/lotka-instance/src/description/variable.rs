//! Variables.

use crate::TypedValue;

/// A variable of a model. Attributes from a type definition are included in its own.
#[derive(Debug, Clone, PartialEq)]
pub struct Variable {
    /// Name, unique in its model.
    pub name: String,
    /// Identifies the variable to instances; several variables of one type may share it. In FMI 3.0, the elements of an array
    /// have references of their own, which no variable of the FMU has; the first one has that of the array.
    pub value_reference: u32,
    /// Short description.
    pub description: Option<String>,
    /// Its role.
    pub causality: Causality,
    /// When its value may change.
    pub variability: Variability,
    /// How its start value is determined; `None` for inputs and the independent variable.
    pub initial: Option<Initial>,
    /// Whether it determines sizes of arrays, so that it must be set before all others.
    pub is_structural: bool,
    /// Type, with its attributes.
    pub kind: VariableKind,
}

/// The type of a variable, with its attributes.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs, reason = "names of the standards")]
pub enum VariableKind {
    Real(RealKind),
    Integer(IntegerKind),
    Boolean(BooleanKind),
    String(TextKind),
    Binary(BinaryKind),
    Enumeration(EnumerationKind),
}

/// Attributes of a Real variable.
#[derive(Debug, Clone, PartialEq, Default)]
#[allow(missing_docs, reason = "attributes of the standards")]
pub struct RealKind {
    pub quantity: Option<String>,
    pub unit: Option<String>,
    pub min: Option<f64>,
    pub max: Option<f64>,
    pub nominal: Option<f64>,
    pub start: Option<f64>,
    /// Whether offsets of units are ignored, for example for a difference of temperatures.
    pub is_relative: bool,
    /// Whether the model rounds its values to single precision.
    pub is_single: bool,
    /// Index of the variable whose time derivative this is.
    pub derivative: Option<usize>,
}

/// Attributes of an integer variable.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[allow(missing_docs, reason = "attributes of the standards")]
pub struct IntegerKind {
    /// The values that it can have.
    pub width: IntegerType,
    pub quantity: Option<String>,
    pub min: Option<i128>,
    pub max: Option<i128>,
    pub start: Option<i128>,
}

/// The type of an integer variable, which determines the values that it can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize)]
#[allow(missing_docs, reason = "names of the standard")]
pub enum IntegerType {
    Int8,
    UInt8,
    Int16,
    UInt16,
    /// The only type of FMI 2.0.
    #[default]
    Int32,
    UInt32,
    Int64,
    UInt64,
}

/// Attributes of a Boolean variable.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[allow(missing_docs, reason = "attributes of the standards")]
pub struct BooleanKind {
    pub start: Option<bool>,
}

/// Attributes of a String variable.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[allow(missing_docs, reason = "attributes of the standards")]
pub struct TextKind {
    pub start: Option<String>,
}

/// Attributes of a Binary variable.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[allow(missing_docs, reason = "attributes of the standards")]
pub struct BinaryKind {
    pub mime_type: Option<String>,
    /// \[byte\]
    pub max_size: Option<u64>,
    pub start: Option<Vec<u8>>,
}

/// Attributes of an Enumeration variable.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[allow(missing_docs, reason = "attributes of the standards")]
pub struct EnumerationKind {
    /// Name of its [`EnumerationType`](super::EnumerationType).
    pub declared_type: String,
    pub quantity: Option<String>,
    pub min: Option<i128>,
    pub max: Option<i128>,
    pub start: Option<i128>,
}

/// `causality`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "names of the standard")]
pub enum Causality {
    Parameter,
    CalculatedParameter,
    Input,
    Output,
    Local,
    Independent,
}

/// `variability`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "names of the standard")]
pub enum Variability {
    Constant,
    Fixed,
    Tunable,
    Discrete,
    Continuous,
}

/// `initial`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "names of the standard")]
pub enum Initial {
    Exact,
    Approx,
    Calculated,
}

impl Causality {
    /// All values.
    pub const ALL: &'static [Self] =
        &[Self::Parameter, Self::CalculatedParameter, Self::Input, Self::Output, Self::Local, Self::Independent];

    /// Returns the name in the standards.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Parameter => "parameter",
            Self::CalculatedParameter => "calculatedParameter",
            Self::Input => "input",
            Self::Output => "output",
            Self::Local => "local",
            Self::Independent => "independent",
        }
    }
}

impl Variability {
    /// All values.
    pub const ALL: &'static [Self] = &[Self::Constant, Self::Fixed, Self::Tunable, Self::Discrete, Self::Continuous];

    /// Returns the name in the standards.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Constant => "constant",
            Self::Fixed => "fixed",
            Self::Tunable => "tunable",
            Self::Discrete => "discrete",
            Self::Continuous => "continuous",
        }
    }
}

impl Initial {
    /// All values.
    pub const ALL: &'static [Self] = &[Self::Exact, Self::Approx, Self::Calculated];

    /// Returns the name in the standards.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Approx => "approx",
            Self::Calculated => "calculated",
        }
    }
}

impl IntegerType {
    /// All types, in the order of FMI 3.0.
    pub const ALL: [Self; 8] =
        [Self::Int8, Self::UInt8, Self::Int16, Self::UInt16, Self::Int32, Self::UInt32, Self::Int64, Self::UInt64];

    /// Returns the name in FMI 3.0, such as `UInt8`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Int8 => "Int8",
            Self::UInt8 => "UInt8",
            Self::Int16 => "Int16",
            Self::UInt16 => "UInt16",
            Self::Int32 => "Int32",
            Self::UInt32 => "UInt32",
            Self::Int64 => "Int64",
            Self::UInt64 => "UInt64",
        }
    }

    /// Returns the smallest and the largest value.
    ///
    /// ```
    /// use lotka::instance::description::IntegerType;
    ///
    /// assert_eq!(IntegerType::UInt8.range(), (0, 255));
    /// ```
    #[must_use]
    pub const fn range(self) -> (i128, i128) {
        match self {
            Self::Int8 => (i8::MIN as i128, i8::MAX as i128),
            Self::UInt8 => (0, u8::MAX as i128),
            Self::Int16 => (i16::MIN as i128, i16::MAX as i128),
            Self::UInt16 => (0, u16::MAX as i128),
            Self::Int32 => (i32::MIN as i128, i32::MAX as i128),
            Self::UInt32 => (0, u32::MAX as i128),
            Self::Int64 => (i64::MIN as i128, i64::MAX as i128),
            Self::UInt64 => (0, u64::MAX as i128),
        }
    }
}

impl VariableKind {
    /// Returns Real, Integer, Boolean, String, Binary or Enumeration.
    #[must_use]
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Real(_) => "Real",
            Self::Integer(_) => "Integer",
            Self::Boolean(_) => "Boolean",
            Self::String(_) => "String",
            Self::Binary(_) => "Binary",
            Self::Enumeration(_) => "Enumeration",
        }
    }
}

impl VariableKind {
    /// Returns the start value.
    #[must_use]
    pub fn start(&self) -> Option<TypedValue> {
        match self {
            Self::Real(real) => real.start.map(TypedValue::Real),
            Self::Integer(integer) => integer.start.map(TypedValue::Integer),
            Self::Enumeration(enumeration) => enumeration.start.map(TypedValue::Integer),
            Self::Boolean(boolean) => boolean.start.map(TypedValue::Boolean),
            Self::String(text) => text.start.clone().map(TypedValue::Text),
            Self::Binary(binary) => binary.start.clone().map(TypedValue::Binary),
        }
    }

    /// Sets the start value; one of another type is ignored.
    pub(crate) fn set_start(&mut self, start: &TypedValue) {
        match (self, start) {
            (Self::Real(real), TypedValue::Real(start)) => real.start = Some(*start),
            (Self::Integer(IntegerKind { start: own, .. }), TypedValue::Integer(start))
            | (Self::Enumeration(EnumerationKind { start: own, .. }), TypedValue::Integer(start)) => *own = Some(*start),
            (Self::Boolean(boolean), TypedValue::Boolean(start)) => boolean.start = Some(*start),
            (Self::String(text), TypedValue::Text(start)) => text.start = Some(start.clone()),
            (Self::Binary(binary), TypedValue::Binary(start)) => binary.start = Some(start.clone()),
            _ => {}
        }
    }
}

impl Variable {
    /// Creates a continuous scalar without a description; a parameter is fixed, and `initial` is the default of FMI 2.0 (2.0.5,
    /// section 2.2.7).
    #[must_use]
    pub fn new(name: impl Into<String>, value_reference: u32, causality: Causality, kind: VariableKind) -> Self {
        let variability = if causality == Causality::Parameter { Variability::Fixed } else { Variability::Continuous };
        let initial = match causality {
            Causality::Input | Causality::Independent => None,
            Causality::Parameter => Some(Initial::Exact),
            _ => Some(Initial::Calculated),
        };
        let (name, description, is_structural) = (name.into(), None, false);
        Self { name, value_reference, description, causality, variability, initial, is_structural, kind }
    }

    /// Whether a start value may be set before initialization: for inputs, and for variables that are not constant with initial
    /// exact or approx.
    #[must_use]
    pub fn start_is_settable(&self) -> bool {
        self.variability != Variability::Constant
            && (self.causality == Causality::Input || matches!(self.initial, Some(Initial::Exact | Initial::Approx)))
    }

    /// Returns the unit of a Real variable.
    #[must_use]
    pub fn unit(&self) -> Option<&str> {
        match &self.kind {
            VariableKind::Real(real) => real.unit.as_deref(),
            _ => None,
        }
    }

    /// Returns the physical quantity of a Real variable.
    #[must_use]
    pub fn quantity(&self) -> Option<&str> {
        match &self.kind {
            VariableKind::Real(real) => real.quantity.as_deref(),
            _ => None,
        }
    }

    /// Returns the nominal value of a Real variable.
    #[must_use]
    pub fn nominal(&self) -> Option<f64> {
        match &self.kind {
            VariableKind::Real(real) => real.nominal,
            _ => None,
        }
    }

    /// Returns whether the model rounds its values to single precision.
    #[must_use]
    pub fn is_single(&self) -> bool {
        matches!(&self.kind, VariableKind::Real(real) if real.is_single)
    }

    /// Returns the smallest and the largest value of a number.
    #[must_use]
    pub fn range(&self) -> [Option<f64>; 2] {
        match &self.kind {
            VariableKind::Real(real) => [real.min, real.max],
            VariableKind::Integer(IntegerKind { min, max, .. }) | VariableKind::Enumeration(EnumerationKind { min, max, .. }) => {
                [*min, *max].map(|bound| bound.map(|bound| bound as f64))
            }
            VariableKind::Boolean(_) | VariableKind::String(_) | VariableKind::Binary(_) => [None; 2],
        }
    }
}
