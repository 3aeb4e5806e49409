//! Warnings.

use std::fmt;

use crate::{Code, Problems};

/// A warning that goes with a system or a run.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Warning {
    /// What kind of warning.
    pub code: Code,
    /// What, where and what to do.
    pub text: String,
    /// The problem of the system file that it tells of, if it does. A checkpoint does not keep it.
    #[serde(skip)]
    pub problem: Option<Box<Problems>>,
}

impl Warning {
    /// A warning that is not about a place in a file.
    pub fn new(code: Code, text: impl Into<String>) -> Self {
        Self { code, text: text.into(), problem: None }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
