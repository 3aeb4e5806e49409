//! Values in the form of a system file.

use std::fmt;

use toml_writer::{ToTomlKey, ToTomlValue, TomlStringBuilder};

use crate::StartValue;

/// A value of TOML.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Item {
    Text(String),
    Real(f64),
    Integer(i64),
    Boolean(bool),
    List(Vec<Self>),
    Table(Vec<(String, Self)>),
}

impl Item {
    /// A table of the existing entries.
    pub(super) fn table(entries: impl IntoIterator<Item = Option<(&'static str, Self)>>) -> Self {
        Self::Table(entries.into_iter().flatten().map(|(key, item)| (key.to_owned(), item)).collect())
    }
}

impl From<&str> for Item {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<&StartValue> for Item {
    fn from(value: &StartValue) -> Self {
        match value {
            StartValue::Real(value) => Self::Real(*value),
            StartValue::Integer(value) => Self::Integer(*value),
            StartValue::Boolean(value) => Self::Boolean(*value),
            StartValue::Text(text) => Self::Text(text.clone()),
            StartValue::Unparsed(text) => {
                let whole = text.parse().map(Self::Integer).ok();
                let list = || crate::toml::list(text).as_ref().map(Self::from);
                let real = || text.parse().ok().filter(|value: &f64| value.is_finite()).map(Self::Real);
                let other = || text.parse().map(Self::Boolean).ok();
                whole.or_else(real).or_else(other).or_else(list).unwrap_or_else(|| Self::Text(text.clone()))
            }
            StartValue::List(values) => Self::List(values.iter().map(Self::from).collect()),
        }
    }
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // A text of several lines is written in one line, because tables are.
            Self::Text(text) if text.contains('\n') => f.write_str(&TomlStringBuilder::new(text).as_basic().to_toml_value()),
            Self::Text(text) => f.write_str(&text.to_toml_value()),
            // TOML has it in small letters only.
            Self::Real(value) if value.is_nan() => f.write_str("nan"),
            Self::Real(value) => f.write_str(zmij::Buffer::new().format(*value)),
            Self::Integer(value) => value.fmt(f),
            Self::Boolean(value) => value.fmt(f),
            Self::List(items) => {
                let items: Vec<_> = items.iter().map(ToString::to_string).collect();
                write!(f, "[{}]", items.join(", "))
            }
            Self::Table(entries) => {
                let entries: Vec<_> = entries.iter().map(|(key, item)| format!("{} = {item}", key.to_toml_key())).collect();
                if entries.is_empty() { f.write_str("{}") } else { write!(f, "{{ {} }}", entries.join(", ")) }
            }
        }
    }
}
