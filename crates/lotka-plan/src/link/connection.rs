//! Connections between instances.

use lotka_instance::description::{Variable, VariableKind};

/// A variable: its instance, and its index in the model description.
pub type VariableIndex = (usize, usize);

/// The type of values exchanged over a connection; enumerations are exchanged as integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SignalType {
    /// Real numbers.
    Real,
    /// Integers.
    Integer,
    /// Booleans.
    Boolean,
    /// Strings.
    Text,
    /// Bytes.
    Binary,
}

/// One connected input.
#[derive(Debug, Clone, PartialEq)]
pub struct Link {
    /// Index of the instance.
    pub instance: usize,
    /// Index of the variable in its model.
    pub variable: usize,
    /// Its type.
    pub signal: SignalType,
    /// The summands of the input.
    pub sources: Vec<LinkSource>,
}

impl Link {
    /// Returns its input.
    #[must_use]
    pub fn input(&self) -> VariableIndex {
        (self.instance, self.variable)
    }
}

/// One summand; `factor` and `offset` include the conversion of units.
#[derive(Debug, Clone, PartialEq)]
pub struct LinkSource {
    /// Index of the instance.
    pub instance: usize,
    /// Index of the variable in its model.
    pub variable: usize,
    /// Its type.
    pub signal: SignalType,
    /// Factor.
    pub factor: f64,
    /// Offset.
    pub offset: f64,
    /// Degree of its signal, if it differs from that of the algorithm.
    pub degree: Option<usize>,
    /// Whole numbers (booleans as 0 and 1) to be replaced by others.
    pub map: Vec<(i128, i128)>,
    /// The conversion of units, if they differ.
    pub conversion: Option<UnitConversion>,
}

impl LinkSource {
    /// Returns its output.
    #[must_use]
    pub fn output(&self) -> VariableIndex {
        (self.instance, self.variable)
    }
}

/// Conversion of the values of a connection because the units of its ends differ: `input = factor * output + offset`, in addition
/// to the factor and offset of the connection itself.
#[derive(Debug, Clone, PartialEq)]
pub struct UnitConversion {
    /// The input, `instance.variable`.
    pub input: String,
    /// The output, `instance.variable`.
    pub output: String,
    /// Unit of the output.
    pub from: String,
    /// Unit of the input.
    pub to: String,
    /// Factor.
    pub factor: f64,
    /// Offset, in the unit of the input.
    pub offset: f64,
}

/// Returns the signal type of a variable.
#[must_use]
pub fn signal_type(variable: &Variable) -> SignalType {
    match variable.kind {
        VariableKind::Real(_) => SignalType::Real,
        VariableKind::Integer(_) | VariableKind::Enumeration(_) => SignalType::Integer,
        VariableKind::Boolean(_) => SignalType::Boolean,
        VariableKind::String(_) => SignalType::Text,
        VariableKind::Binary(_) => SignalType::Binary,
    }
}
