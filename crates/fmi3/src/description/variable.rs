//! Variables.

use fmi_xml::{debug_order, elements, names, variants};
use lotka_instance::description::{Initial, IntegerType, Variability};

use super::numbers::{Floating, Hex, List, Plain, REFERENCES, Whole};
use super::{Annotation, ClockAttributes};

elements! {
    /// A variable, which may be an array. Absent optional attributes are `None`; the methods return the effective values.
    #[derive(Debug, Clone, PartialEq, Default)]
    pub struct Variable {
        name: String = "name" checked,
        /// Unique among the variables of all types.
        value_reference: u32 = "valueReference" required,
        description: Option<String> = "description" spare,
        declared_causality: Option<Causality> = "causality" matters,
        declared_variability: Option<Variability> = "variability" matters,
        can_handle_multiple_set_per_time_instant: Option<bool> = "canHandleMultipleSetPerTimeInstant" spare,
        /// Value references of the clocks that activate it; `None` if absent.
        clocks: Option<Vec<u32>> = "clocks" matters by REFERENCES,
        intermediate_update: Option<bool> = "intermediateUpdate" spare,
        /// Value reference of the variable that holds its previous value.
        previous: Option<u32> = "previous" spare,
        declared_initial: Option<Initial> = "initial" matters,
        kind: VariableKind,
        /// The dimensions of an array, outermost first; empty for a scalar.
        dimensions: Vec<Dimension>,
        aliases: Vec<Alias>,
        annotations: Vec<Annotation>,
    }
}

/// The size of one dimension of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dimension {
    /// Fixed (`start`).
    Fixed(u64),
    /// The value of a structural parameter or a constant, by value reference.
    Variable(u32),
}

elements! {
    /// Another name of a variable.
    #[derive(Debug, Clone, PartialEq, Eq, Default)]
    pub struct Alias {
        name: String = "name" key,
        description: Option<String> = "description" spare,
        /// Of floating-point numbers only.
        display_unit: Option<String> = "displayUnit" spare,
    }
}

debug_order! { FloatVariable: declared_type quantity unit display_unit relative_quantity unbounded min max nominal start
derivative reinit }

variants! {
    /// The type of a variable, with the attributes of that type.
    #[derive(Debug, Clone, PartialEq)]
    pub enum VariableKind {
        Float64(FloatVariable by Floating(false)) = ["Float64"];
        Float32(FloatVariable by Floating(true)) = ["Float32"];
        Integer<of: IntegerType>(IntegerVariable by *of) = [
            "Int8" (IntegerType::Int8), "UInt8" (IntegerType::UInt8),
            "Int16" (IntegerType::Int16), "UInt16" (IntegerType::UInt16),
            "Int32" (IntegerType::Int32), "UInt32" (IntegerType::UInt32),
            "Int64" (IntegerType::Int64), "UInt64" (IntegerType::UInt64)
        ];
        Boolean(BooleanVariable) = ["Boolean"];
        String(StringVariable) = ["String"];
        Binary(BinaryVariable) = ["Binary"];
        Enumeration(EnumerationVariable) = ["Enumeration"];
        Clock(ClockVariable) = ["Clock"];
    }
}

elements! {
    /// Attributes of a Float64 or Float32 variable. Numbers of a Float32 are those that it can represent.
    #[derive(Clone, PartialEq, Default)]
    pub struct FloatVariable by float: Floating {
        declared_type: Option<String> = "declaredType" spare,
        quantity: Option<String> = "quantity" spare,
        unit: Option<String> = "unit" spare,
        display_unit: Option<String> = "displayUnit" spare,
        relative_quantity: Option<bool> = "relativeQuantity" matters,
        unbounded: Option<bool> = "unbounded" spare,
        /// Value reference of the variable whose time derivative this is.
        derivative: Option<u32> = "derivative" spare,
        /// Model exchange only.
        reinit: Option<bool> = "reinit" spare,
        min: Option<f64> = "min" spare by float,
        max: Option<f64> = "max" spare by float,
        nominal: Option<f64> = "nominal" spare by float,
        /// One value per element, row by row; one value alone is that of all elements. `None` if absent.
        start: Option<Vec<f64>> = "start" matters by List(float),
    }

    /// Attributes of an integer variable. All numbers lie in the range of its type.
    #[derive(Debug, Clone, PartialEq, Eq, Default)]
    pub struct IntegerVariable by of: IntegerType {
        declared_type: Option<String> = "declaredType" spare,
        quantity: Option<String> = "quantity" spare,
        min: Option<i128> = "min" spare by Whole(of),
        max: Option<i128> = "max" spare by Whole(of),
        /// As for [`FloatVariable::start`].
        start: Option<Vec<i128>> = "start" matters by List(Whole(of)),
    }

    /// Attributes of a Boolean variable.
    #[derive(Debug, Clone, PartialEq, Eq, Default)]
    pub struct BooleanVariable {
        declared_type: Option<String> = "declaredType" spare,
        /// As for [`FloatVariable::start`].
        start: Option<Vec<bool>> = "start" matters by List(Plain),
    }

    /// Attributes of a String variable.
    #[derive(Debug, Clone, PartialEq, Eq, Default)]
    pub struct StringVariable {
        declared_type: Option<String> = "declaredType" spare,
        /// The `Start` elements; empty if there are none.
        start: Vec<String>,
    }

    /// Attributes of a Binary variable.
    #[derive(Debug, Clone, PartialEq, Eq, Default)]
    pub struct BinaryVariable {
        declared_type: Option<String> = "declaredType" spare,
        mime_type: Option<String> = "mimeType" spare,
        /// \[byte\]
        max_size: Option<u64> = "maxSize" spare,
        /// The `Start` elements; empty if there are none.
        start: Vec<Vec<u8>>,
    }

    /// Attributes of an Enumeration variable.
    #[derive(Debug, Clone, PartialEq, Eq, Default)]
    pub struct EnumerationVariable {
        declared_type: String = "declaredType" checked,
        quantity: Option<String> = "quantity" spare,
        min: Option<i64> = "min" spare,
        max: Option<i64> = "max" spare,
        /// As for [`FloatVariable::start`].
        start: Option<Vec<i64>> = "start" matters by List(Plain),
    }

    /// Attributes of a Clock variable.
    #[derive(Debug, Clone, PartialEq, Default)]
    pub struct ClockVariable {
        declared_type: Option<String> = "declaredType" spare,
        clock: ClockAttributes | part,
    }
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

elements! {
    /// A `Dimension` as in the file.
    #[derive(Default)]
    pub(super) struct RawDimension {
        start: Option<u64> = "start" matters,
        value_reference: Option<u32> = "valueReference" matters,
    }

    /// A `Start` of a String variable.
    #[derive(Default)]
    pub(super) struct StartText {
        value: Option<String> = "value" matters,
    }

    /// A `Start` of a Binary variable.
    #[derive(Default)]
    pub(super) struct StartBytes {
        value: Option<Vec<u8>> = "value" matters by Hex,
    }
}

names! {
    Causality: "parameter, calculatedParameter, input, output, local, independent or structuralParameter" {
        Parameter = "parameter",
        CalculatedParameter = "calculatedParameter",
        Input = "input",
        Output = "output",
        Local = "local",
        Independent = "independent",
        StructuralParameter = "structuralParameter",
    }
}

/// A Float64 variable without attributes.
impl Default for VariableKind {
    fn default() -> Self {
        Self::Float64(FloatVariable::default())
    }
}

impl VariableKind {
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
