//! Values by type.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{BinaryRef, BooleanRef, CallResult, Instance, IntegerRef, RealRef, StringRef};

/// A value of the type of its variable.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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

    /// Sets the variable with this value reference.
    ///
    /// # Errors
    /// The instance refuses it.
    pub fn set(&self, instance: &mut dyn Instance, reference: u32) -> CallResult<()> {
        match self {
            Self::Real(value) => instance.set_real(&[RealRef(reference)], &[*value]),
            Self::Integer(value) => instance.set_integer(&[IntegerRef(reference)], &[*value]),
            Self::Boolean(value) => instance.set_boolean(&[BooleanRef(reference)], &[*value]),
            Self::Text(value) => instance.set_string(&[StringRef(reference)], &[value]),
            Self::Binary(value) => instance.set_binary(&[BinaryRef(reference)], &[value]),
        }
    }
}

/// The value as in a message; texts are in backticks.
impl fmt::Display for TypedValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Real(value) => value.fmt(f),
            Self::Integer(value) => value.fmt(f),
            Self::Boolean(value) => value.fmt(f),
            Self::Text(text) => write!(f, "`{text}`"),
            Self::Binary(bytes) => write!(f, "{} bytes", bytes.len()),
        }
    }
}
