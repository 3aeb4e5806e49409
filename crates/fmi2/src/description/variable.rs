//! Variables.

use lotka_instance::description::{Causality, Initial, Variability};

use super::Annotation;

/// A `ScalarVariable`. Absent optional attributes are `None`; the methods return the effective values.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs, reason = "attributes of the standard")]
pub struct ScalarVariable {
    pub name: String,
    pub value_reference: u32,
    pub description: Option<String>,
    pub declared_causality: Option<Causality>,
    pub declared_variability: Option<Variability>,
    pub declared_initial: Option<Initial>,
    /// `canHandleMultipleSetPerTimeInstant`, model exchange only.
    pub can_handle_multiple_set_per_time_instant: Option<bool>,
    pub kind: VariableKind,
    pub annotations: Vec<Annotation>,
}

/// The type of a variable, with the attributes of that type.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs, reason = "names of the standard")]
pub enum VariableKind {
    Real(RealVariable),
    Integer(IntegerVariable),
    Boolean(BooleanVariable),
    String(StringVariable),
    Enumeration(EnumerationVariable),
}

/// Attributes of a Real variable.
#[derive(Debug, Clone, PartialEq, Default)]
#[allow(missing_docs, reason = "attributes of the standard")]
pub struct RealVariable {
    pub declared_type: Option<String>,
    pub quantity: Option<String>,
    pub unit: Option<String>,
    pub display_unit: Option<String>,
    pub relative_quantity: Option<bool>,
    pub min: Option<f64>,
    pub max: Option<f64>,
    pub nominal: Option<f64>,
    pub unbounded: Option<bool>,
    pub start: Option<f64>,
    /// 1-based index of the variable whose time derivative this is.
    pub derivative: Option<u32>,
    /// Model exchange only.
    pub reinit: Option<bool>,
}

/// Attributes of an Integer variable.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[allow(missing_docs, reason = "attributes of the standard")]
pub struct IntegerVariable {
    pub declared_type: Option<String>,
    pub quantity: Option<String>,
    pub min: Option<i32>,
    pub max: Option<i32>,
    pub start: Option<i32>,
}

/// Attributes of a Boolean variable.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[allow(missing_docs, reason = "attributes of the standard")]
pub struct BooleanVariable {
    pub declared_type: Option<String>,
    pub start: Option<bool>,
}

/// Attributes of a String variable.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[allow(missing_docs, reason = "attributes of the standard")]
pub struct StringVariable {
    pub declared_type: Option<String>,
    pub start: Option<String>,
}

/// Attributes of an Enumeration variable.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[allow(missing_docs, reason = "attributes of the standard")]
pub struct EnumerationVariable {
    pub declared_type: String,
    pub quantity: Option<String>,
    pub min: Option<i32>,
    pub max: Option<i32>,
    pub start: Option<i32>,
}

impl VariableKind {
    /// Returns the element name: Real, Integer, Boolean, String or Enumeration.
    #[must_use]
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Real(_) => "Real",
            Self::Integer(_) => "Integer",
            Self::Boolean(_) => "Boolean",
            Self::String(_) => "String",
            Self::Enumeration(_) => "Enumeration",
        }
    }

    /// Returns whether the variable has a start value.
    #[must_use]
    pub fn has_start(&self) -> bool {
        match self {
            Self::Real(v) => v.start.is_some(),
            Self::Integer(v) => v.start.is_some(),
            Self::Boolean(v) => v.start.is_some(),
            Self::String(v) => v.start.is_some(),
            Self::Enumeration(v) => v.start.is_some(),
        }
    }
}

impl ScalarVariable {
    /// Returns the causality; local by default.
    #[must_use]
    pub fn causality(&self) -> Causality {
        self.declared_causality.unwrap_or(Causality::Local)
    }

    /// Returns the variability; continuous by default.
    #[must_use]
    pub fn variability(&self) -> Variability {
        self.declared_variability.unwrap_or(Variability::Continuous)
    }

    /// Returns `initial` as declared, or the default of the standard's table for causality and variability.
    /// `None` for inputs and the independent variable (FMI 2.0.5, section 2.2.7).
    #[must_use]
    pub fn initial(&self) -> Option<Initial> {
        use Causality as Ca;
        use Variability as Va;
        self.declared_initial.or(match (self.causality(), self.variability()) {
            (Ca::Input | Ca::Independent, _) => None,
            (Ca::Parameter, _) | (_, Va::Constant) => Some(Initial::Exact),
            _ => Some(Initial::Calculated),
        })
    }

    /// Returns whether a start value may be set before initialization: the variable is not constant, and is an input or has
    /// `initial` exact or approx.
    #[must_use]
    pub fn start_is_settable(&self) -> bool {
        self.variability() != Variability::Constant
            && (self.causality() == Causality::Input || matches!(self.initial(), Some(Initial::Exact | Initial::Approx)))
    }
}
