//! The reason why two FMUs do not get along in one process.

use std::fmt;

/// Why two FMUs with different contents do not get along in one process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Clash {
    /// Both bring a library with this name; the second FMU would use that of the first.
    Library(String),
    /// Both use this interpreter, which has one set of modules per process.
    Interpreter(&'static str),
    /// Both have this model identifier: they are versions of one model, with the same names for whatever they share.
    ModelIdentifier(String),
}

impl fmt::Display for Clash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Library(name) => {
                write!(f, "both bring a library `{name}` with different contents, and a process loads only one of them")
            }
            Self::Interpreter(name) => {
                write!(f, "both use {name}, and a process has only one interpreter with one set of modules")
            }
            Self::ModelIdentifier(name) => write!(f, "both have the model identifier `{name}` with different contents"),
        }
    }
}
