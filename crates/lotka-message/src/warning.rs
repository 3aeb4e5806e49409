//! Warnings.

use std::fmt;

use crate::{Code, Problems};

/// A warning about a system or a run.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Warning {
    /// Kind of the warning.
    pub code: Code,
    /// What is wrong, where, and what to do.
    pub text: String,
    /// The problem in the system file that the warning is about, if there is one. Checkpoints do not store it.
    #[serde(skip)]
    pub problem: Option<Box<Problems>>,
}

impl Warning {
    /// Creates a warning that is not about a place in a file.
    pub fn new(code: Code, text: impl Into<String>) -> Self {
        Self { code, text: text.into(), problem: None }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
