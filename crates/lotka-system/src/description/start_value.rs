//! Start values.

use lotka_instance::TypedValue;
use serde::Serialize;

use crate::{Located, hex};

/// Start value of one variable.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct StartSetting {
    /// The variable.
    pub variable: Located<String>,
    /// Its value.
    pub value: Located<StartValue>,
    /// Unit of the value, default that of the variable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<Located<String>>,
    /// The value is ignored, with a warning, if the variable does not exist.
    #[serde(skip)]
    pub is_optional: bool,
}

impl StartSetting {
    /// Creates a start value in the unit of its variable.
    pub fn new(variable: impl Into<Located<String>>, value: impl Into<Located<StartValue>>) -> Self {
        Self { variable: variable.into(), value: value.into(), unit: None, is_optional: false }
    }
}

/// Start value as written; the variable determines its type.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum StartValue {
    /// A number with a decimal point or exponent.
    Real(f64),
    /// A whole number.
    Integer(i64),
    /// true or false.
    Boolean(bool),
    /// A text.
    Text(String),
    /// Characters from a command line, parsed as the type of the variable.
    Unparsed(String),
    /// The values of the elements of an array, row by row. Those of several dimensions may be lists of rows.
    List(Vec<Self>),
}

impl From<f64> for StartValue {
    fn from(value: f64) -> Self {
        Self::Real(value)
    }
}

impl From<i32> for StartValue {
    fn from(value: i32) -> Self {
        Self::Integer(value.into())
    }
}

impl From<i64> for StartValue {
    fn from(value: i64) -> Self {
        Self::Integer(value)
    }
}

impl From<bool> for StartValue {
    fn from(value: bool) -> Self {
        Self::Boolean(value)
    }
}

/// The elements of an array; nested lists are its rows.
impl<T: Into<Self>> From<Vec<T>> for StartValue {
    fn from(values: Vec<T>) -> Self {
        Self::List(values.into_iter().map(Into::into).collect())
    }
}

/// The elements of an array; nested arrays are its rows.
impl<T: Into<Self>, const N: usize> From<[T; N]> for StartValue {
    fn from(values: [T; N]) -> Self {
        Self::List(values.into_iter().map(Into::into).collect())
    }
}

/// Characters, which the type of the variable interprets.
impl From<&str> for StartValue {
    fn from(value: &str) -> Self {
        Self::Unparsed(value.to_owned())
    }
}

impl StartValue {
    /// Returns the value as a file has it: text without quotes.
    #[must_use]
    pub fn plain(&self) -> String {
        match self {
            Self::Text(text) | Self::Unparsed(text) => text.clone(),
            value => value.to_string(),
        }
    }
}

/// Number of values of a list in a message.
const MOST_SHOWN: usize = 4;

impl std::fmt::Display for StartValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Real(value) => value.fmt(f),
            Self::Integer(value) => value.fmt(f),
            Self::Boolean(value) => value.fmt(f),
            Self::Text(text) | Self::Unparsed(text) => write!(f, "`{text}`"),
            Self::List(values) => {
                let shown: Vec<_> = values.iter().take(MOST_SHOWN).map(ToString::to_string).collect();
                let rest = if values.len() > MOST_SHOWN { ", …" } else { "" };
                write!(f, "[{}{rest}]", shown.join(", "))
            }
        }
    }
}

impl From<&TypedValue> for StartValue {
    fn from(value: &TypedValue) -> Self {
        match value {
            TypedValue::Real(value) => Self::Real(*value),
            // Larger numbers without sign have no other form in a file.
            TypedValue::Integer(value) => i64::try_from(*value).map_or_else(|_| Self::Text(value.to_string()), Self::Integer),
            TypedValue::Boolean(value) => Self::Boolean(*value),
            TypedValue::Text(value) => Self::Text(value.clone()),
            TypedValue::Binary(value) => Self::Text(hex::text(value)),
        }
    }
}
