//! What reading and checking a description reports.

use std::fmt;

use super::ModelDescription;

/// How [`ModelDescription::read`] treats broken rules that do not matter to a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Strictness {
    /// They are warnings; values that make no sense are left out.
    #[default]
    Lenient,
    /// They are errors.
    Strict,
}

/// How bad a [`Problem`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Nothing is broken, but users of the FMU should know.
    Note,
    /// It breaks the standard, but can be used.
    Warning,
    /// It cannot be used.
    Error,
}

impl Severity {
    /// The word for it: note, warning or error.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// One broken rule, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Whether the description can still be used.
    pub severity: Severity,
    /// Short name of the rule, as in `duplicate-name`: one of [`RULES`](super::RULES), or of those that others add.
    pub rule: &'static str,
    /// Line, counted from 1; 0 when the description was built in memory.
    pub line: u32,
    /// Column in characters, counted from 1; 0 when the description was built in memory.
    pub column: u32,
    /// What is wrong.
    pub message: String,
    /// What to do instead; there always is for what this crate reports.
    pub remedy: Option<String>,
}

/// All problems of a description that cannot be used, warnings among them, in the order of the file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Problems(pub Vec<Problem>);

/// A description that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// The description.
    pub description: ModelDescription,
    /// Rules it breaks without harm to a run, in the order of the file. None after a strict reading.
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
