//! Problems that reading and checking a description reports.

use std::fmt;

/// How a reader treats broken rules that do not affect a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Strictness {
    /// Reports them as warnings and leaves out invalid values.
    #[default]
    Lenient,
    /// Reports them as errors.
    Strict,
}

/// Severity of a [`Problem`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// No rule is broken, but users of the FMU should know about the finding.
    Note,
    /// The description breaks the standard, but can be used.
    Warning,
    /// The description cannot be used.
    Error,
}

impl Severity {
    /// Returns the name: note, warning or error.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// A broken rule and its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Severity: whether the description can still be used.
    pub severity: Severity,
    /// Short name of the rule, such as `duplicate-name`.
    pub rule: &'static str,
    /// Line, starting at 1; 0 if the description was built in memory.
    pub line: u32,
    /// Column in characters, starting at 1; 0 if the description was built in memory.
    pub column: u32,
    /// What is wrong.
    pub message: String,
    /// Suggested correction; always present for problems that the reader of a description reports.
    pub remedy: Option<String>,
}

/// All problems of an unusable description, warnings included, in file order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Problems(pub Vec<Problem>);

/// The result of a successful read.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading<D> {
    /// The description.
    pub description: D,
    /// Broken rules that do not affect a run, in file order. Empty after a strict read.
    pub warnings: Vec<Problem>,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "{}:{}: ", self.line, self.column)?;
        }
        f.write_str(&self.message)?;
        self.remedy.as_ref().map_or(Ok(()), |remedy| write!(f, "; {remedy}"))
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            problem.fmt(f)?;
        }
        Ok(())
    }
}

impl std::error::Error for Problems {}
