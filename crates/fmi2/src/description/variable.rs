//! Variables.

use fmi_xml::{elements, variants};
use lotka_instance::description::{Causality, Initial, Variability};

use super::Annotation;

elements! {
    /// A `ScalarVariable`. Absent optional attributes are `None`; the methods return the effective values.
    #[derive(Debug, Clone, PartialEq, Default)]
    pub struct ScalarVariable {
        name: String = "name" checked,
        value_reference: u32 = "valueReference" required,
        description: Option<String> = "description" spare,
        declared_causality: Option<Causality> = "causality" matters,
        declared_variability: Option<Variability> = "variability" matters,
        declared_initial: Option<Initial> = "initial" matters,
        /// Model exchange only.
        can_handle_multiple_set_per_time_instant: Option<bool> = "canHandleMultipleSetPerTimeInstant" spare,
        kind: VariableKind,
        annotations: Vec<Annotation>,
    }

    /// Attributes of a Real variable.
    #[derive(Debug, Clone, PartialEq, Default)]
    pub struct RealVariable {
        declared_type: Option<String> = "declaredType" spare,
        quantity: Option<String> = "quantity" spare,
        unit: Option<String> = "unit" spare,
        display_unit: Option<String> = "displayUnit" spare,
        relative_quantity: Option<bool> = "relativeQuantity" matters,
        min: Option<f64> = "min" spare,
        max: Option<f64> = "max" spare,
        nominal: Option<f64> = "nominal" spare,
        unbounded: Option<bool> = "unbounded" spare,
        start: Option<f64> = "start" matters,
        /// 1-based index of the variable whose time derivative this is.
        derivative: Option<u32> = "derivative" spare,
        /// Model exchange only.
        reinit: Option<bool> = "reinit" spare,
    }

    /// Attributes of an Integer variable.
    #[derive(Debug, Clone, PartialEq, Eq, Default)]
    pub struct IntegerVariable {
        declared_type: Option<String> = "declaredType" spare,
        quantity: Option<String> = "quantity" spare,
        min: Option<i32> = "min" spare,
        max: Option<i32> = "max" spare,
        start: Option<i32> = "start" matters,
    }

    /// Attributes of a Boolean variable.
    #[derive(Debug, Clone, PartialEq, Eq, Default)]
    pub struct BooleanVariable {
        declared_type: Option<String> = "declaredType" spare,
        start: Option<bool> = "start" matters,
    }

    /// Attributes of a String variable.
    #[derive(Debug, Clone, PartialEq, Eq, Default)]
    pub struct StringVariable {
        declared_type: Option<String> = "declaredType" spare,
        start: Option<String> = "start" matters,
    }

    /// Attributes of an Enumeration variable.
    #[derive(Debug, Clone, PartialEq, Eq, Default)]
    pub struct EnumerationVariable {
        declared_type: String = "declaredType" checked,
        quantity: Option<String> = "quantity" spare,
        min: Option<i32> = "min" spare,
        max: Option<i32> = "max" spare,
        start: Option<i32> = "start" matters,
    }
}

variants! {
    /// The type of a variable, with the attributes of that type.
    #[derive(Debug, Clone, PartialEq)]
    pub enum VariableKind {
        Real(RealVariable) = ["Real"];
        Integer(IntegerVariable) = ["Integer"];
        Boolean(BooleanVariable) = ["Boolean"];
        String(StringVariable) = ["String"];
        Enumeration(EnumerationVariable) = ["Enumeration"];
    }
}

/// A Real variable without attributes.
impl Default for VariableKind {
    fn default() -> Self {
        Self::Real(RealVariable::default())
    }
}

impl VariableKind {
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
