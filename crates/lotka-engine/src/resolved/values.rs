//! Values by type.

/// A value of the type of its variable.
#[derive(Debug, Clone, PartialEq)]
pub enum TypedValue {
    /// A Real.
    Real(f64),
    /// An integer of any width, or an item of an enumeration.
    Integer(i128),
    /// A Boolean.
    Boolean(bool),
    /// A String.
    Text(String),
    /// Bytes.
    Binary(Vec<u8>),
}

impl TypedValue {
    /// Returns the value as a number; booleans are 0 and 1. `None` for a String and for bytes.
    #[must_use]
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Self::Real(value) => Some(*value),
            Self::Integer(value) => Some(*value as f64),
            Self::Boolean(value) => Some(f64::from(u8::from(*value))),
            Self::Text(_) | Self::Binary(_) => None,
        }
    }
}
