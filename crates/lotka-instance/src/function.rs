//! Names of the functions of an instance, extensible to every kind of instance.

use std::{borrow::Cow, fmt};

use serde::{Deserialize, Serialize};

use crate::Status;

/// The name of a called function: one of an FMI standard, or any name defined by another kind of instance.
///
/// ```
/// use lotka::instance::{FunctionName, Status};
///
/// let function = FunctionName::new("fmi2", "DoStep");
/// assert_eq!((function.to_string(), function.status(Status::Error)), ("fmi2DoStep".to_owned(), "fmi2Error".to_owned()));
/// assert_eq!(FunctionName::new("", "step").to_string(), "step");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FunctionName {
    prefix: Cow<'static, str>,
    name: Cow<'static, str>,
}

impl FunctionName {
    /// Creates the name of a function. `prefix` is common to all functions and statuses of its kind of instance.
    #[must_use]
    pub const fn new(prefix: &'static str, name: &'static str) -> Self {
        Self { prefix: Cow::Borrowed(prefix), name: Cow::Borrowed(name) }
    }

    /// Whether it is this function.
    #[must_use]
    pub fn is(&self, prefix: &str, name: &str) -> bool {
        self.prefix == prefix && self.name == name
    }

    /// Returns the name of a status with the prefix of this function.
    #[must_use]
    pub fn status(&self, status: Status) -> String {
        format!("{}{}", self.prefix, status.name())
    }
}

impl fmt::Display for FunctionName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.prefix)?;
        f.write_str(&self.name)
    }
}
