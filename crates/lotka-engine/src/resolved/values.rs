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
