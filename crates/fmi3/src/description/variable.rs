//! Variables.

use lotka_instance::description::{Initial, IntegerType, Variability};

use super::{Annotation, ClockAttributes};

/// A variable, which may be an array. Absent optional attributes are `None`; the methods return the effective values.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs, reason = "attributes of the standard")]
pub struct Variable {
    pub name: String,
    /// Unique among the variables of all types.
    pub value_reference: u32,
    pub description: Option<String>,
    pub declared_causality: Option<Causality>,
    pub declared_variability: Option<Variability>,
    pub can_handle_multiple_set_per_time_instant: Option<bool>,
    /// Value references of the clocks that activate it; `None` if absent.
    pub clocks: Option<Vec<u32>>,
    pub intermediate_update: Option<bool>,
    /// Value reference of the variable that holds its previous value.
    pub previous: Option<u32>,
    pub declared_initial: Option<Initial>,
    pub kind: VariableKind,
    /// The dimensions of an array, outermost first; empty for a scalar.
    pub dimensions: Vec<Dimension>,
    pub aliases: Vec<Alias>,
    pub annotations: Vec<Annotation>,
}

/// The size of one dimension of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dimension {
    /// Fixed (`start`).
    Fixed(u64),
    /// The value of a structural parameter or a constant, by value reference.
    Variable(u32),
}

/// Another name of a variable.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[allow(missing_docs, reason = "attributes of the standard")]
pub struct Alias {
    pub name: String,
    pub description: Option<String>,
    /// Of floating-point numbers only.
    pub display_unit: Option<String>,
}

/// The type of a variable, with the attributes of that type.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs, reason = "names of the standard")]
pub enum VariableKind {
    Float64(FloatVariable),
    Float32(FloatVariable),
    Integer(IntegerType, IntegerVariable),
    Boolean(BooleanVariable),
    String(StringVariable),
    Binary(BinaryVariable),
    Enumeration(EnumerationVariable),
    Clock(ClockVariable),
}

/// Attributes of a Float64 or Float32 variable. Numbers of a Float32 are those that it can represent.
#[derive(Debug, Clone, PartialEq, Default)]
#[allow(missing_docs, reason = "attributes of the standard")]
pub struct FloatVariable {
    pub declared_type: Option<String>,
    pub quantity: Option<String>,
    pub unit: Option<String>,
    pub display_unit: Option<String>,
    pub relative_quantity: Option<bool>,
    pub unbounded: Option<bool>,
    pub min: Option<f64>,
    pub max: Option<f64>,
    pub nominal: Option<f64>,
    /// One value per element, row by row; one value alone is that of all elements. `None` if absent.
    pub start: Option<Vec<f64>>,
    /// Value reference of the variable whose time derivative this is.
    pub derivative: Option<u32>,
    /// Model exchange only.
    pub reinit: Option<bool>,
}

/// Attributes of an integer variable. All numbers lie in the range of its type.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[allow(missing_docs, reason = "attributes of the standard")]
pub struct IntegerVariable {
    pub declared_type: Option<String>,
    pub quantity: Option<String>,
    pub min: Option<i128>,
    pub max: Option<i128>,
    /// As for [`FloatVariable::start`].
    pub start: Option<Vec<i128>>,
}

/// Attributes of a Boolean variable.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[allow(missing_docs, reason = "attributes of the standard")]
pub struct BooleanVariable {
    pub declared_type: Option<String>,
    /// As for [`FloatVariable::start`].
    pub start: Option<Vec<bool>>,
}

/// Attributes of a String variable.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[allow(missing_docs, reason = "attributes of the standard")]
pub struct StringVariable {
    pub declared_type: Option<String>,
    /// The `Start` elements; empty if there are none.
    pub start: Vec<String>,
}

/// Attributes of a Binary variable.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[allow(missing_docs, reason = "attributes of the standard")]
pub struct BinaryVariable {
    pub declared_type: Option<String>,
    pub mime_type: Option<String>,
    /// \[byte\]
    pub max_size: Option<u64>,
    /// The `Start` elements; empty if there are none.
    pub start: Vec<Vec<u8>>,
}

/// Attributes of an Enumeration variable.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[allow(missing_docs, reason = "attributes of the standard")]
pub struct EnumerationVariable {
    pub declared_type: String,
    pub quantity: Option<String>,
    pub min: Option<i64>,
    pub max: Option<i64>,
    /// As for [`FloatVariable::start`].
    pub start: Option<Vec<i64>>,
}

/// Attributes of a Clock variable.
#[derive(Debug, Clone, PartialEq, Default)]
#[allow(missing_docs, reason = "attributes of the standard")]
pub struct ClockVariable {
    pub declared_type: Option<String>,
    pub clock: ClockAttributes,
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
    StructuralParameter,
}

impl VariableKind {
    /// Returns the element name, such as `Float64`.
    #[must_use]
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Float64(_) => "Float64",
            Self::Float32(_) => "Float32",
            Self::Integer(of, _) => of.name(),
            Self::Boolean(_) => "Boolean",
            Self::String(_) => "String",
            Self::Binary(_) => "Binary",
            Self::Enumeration(_) => "Enumeration",
            Self::Clock(_) => "Clock",
        }
    }

    /// Returns whether the variable has a start value.
    #[must_use]
    pub fn has_start(&self) -> bool {
        match self {
            Self::Float64(v) | Self::Float32(v) => v.start.is_some(),
            Self::Integer(_, v) => v.start.is_some(),
            Self::Boolean(v) => v.start.is_some(),
            Self::String(v) => !v.start.is_empty(),
            Self::Binary(v) => !v.start.is_empty(),
            Self::Enumeration(v) => v.start.is_some(),
            Self::Clock(_) => false,
        }
    }
}

impl Variable {
    /// Returns the causality; local by default.
    #[must_use]
    pub fn causality(&self) -> Causality {
        self.declared_causality.unwrap_or(Causality::Local)
    }

    /// Returns the variability. The default is fixed for parameters, continuous for other floating-point numbers, and discrete
    /// for all others (FMI 3.0.2, section 2.4.7.4).
    #[must_use]
    pub fn variability(&self) -> Variability {
        self.declared_variability.unwrap_or(match (self.causality(), &self.kind) {
            (Causality::Parameter | Causality::CalculatedParameter | Causality::StructuralParameter, _) => Variability::Fixed,
            (_, VariableKind::Float64(_) | VariableKind::Float32(_)) => Variability::Continuous,
            _ => Variability::Discrete,
        })
    }

    /// Returns `initial` as declared, or the default of the standard's table for causality and variability. `None` for the
    /// independent variable and for inputs, which always begin with their start value (FMI 3.0.2, section 2.4.7.5).
    #[must_use]
    pub fn initial(&self) -> Option<Initial> {
        use Causality as Ca;
        let default = match (self.causality(), self.variability()) {
            (Ca::Input | Ca::Independent, _) => return None,
            (Ca::Parameter | Ca::StructuralParameter, _) | (_, Variability::Constant) => Initial::Exact,
            _ => Initial::Calculated,
        };
        Some(self.declared_initial.unwrap_or(default))
    }
}
