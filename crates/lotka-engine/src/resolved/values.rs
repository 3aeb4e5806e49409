//! Values by type.

/// A value of the type of its variable.
#[derive(Debug, Clone, PartialEq)]
pub enum TypedValue {
    /// A Real.
    Real(f64),
    /// An Integer, or an item of an enumeration.
    Integer(i32),
    /// A Boolean.
    Boolean(bool),
    /// A String.
    Text(String),
}

impl TypedValue {
    /// Returns the value as a number; booleans are 0 and 1. `None` for a String.
    #[must_use]
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Self::Real(value) => Some(*value),
            Self::Integer(value) => Some(f64::from(*value)),
            Self::Boolean(value) => Some(f64::from(u8::from(*value))),
            Self::Text(_) => None,
        }
    }
}
