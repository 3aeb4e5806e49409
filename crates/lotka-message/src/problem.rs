//! Problems of a system, all reported at once, each with its place.

use std::{fmt, ops::Range, path::PathBuf, sync::Arc};

use crate::Code;

/// First span that is not a place in the file. Code that changes a description from a file can number its own changes from here
/// on. The spans of problems then show which of the changes they are about.
pub const PLACES_OUTSIDE: usize = usize::MAX / 2;

/// The file that a description was read from, for messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    /// Path as the user gave it.
    pub path: PathBuf,
    /// Content of the file.
    pub text: Arc<str>,
}

/// Severity of a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// The run continues.
    Warning,
    /// The system cannot run.
    Error,
}

/// One problem of a system description.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Kind of the problem.
    pub code: Code,
    /// Severity of the problem.
    pub severity: Severity,
    /// File of the problem, if it differs from that of [`Problems`].
    pub file: Option<SourceFile>,
    /// Byte range in the file.
    pub span: Option<Range<usize>>,
    /// What is wrong, and where.
    pub message: String,
    /// Suggested fix.
    pub help: Option<String>,
}

/// All problems of a description, with the file that contains them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problems {
    /// The file, if there is one.
    pub file: Option<SourceFile>,
    /// The problems; those with a place are in the order of the file.
    pub list: Vec<Problem>,
}

impl Problem {
    /// Returns line and column of this problem in `text`, both from 1.
    #[must_use]
    pub fn position(&self, text: &str) -> Option<(usize, usize)> {
        let before = text.get(..self.span.as_ref()?.start)?;
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        Some((before.matches('\n').count() + 1, before[line_start..].chars().count() + 1))
    }
}

impl Problems {
    /// Returns the code of the first error.
    #[must_use]
    pub fn code(&self) -> Code {
        let error = self.list.iter().find(|problem| problem.severity == Severity::Error);
        error.or(self.list.first()).map_or(Code::InternalError, |problem| problem.code)
    }

    /// Returns `file:line:column: message; help` for one problem. The message of a warning begins with `warning: `.
    #[must_use]
    pub fn line(&self, problem: &Problem) -> String {
        self.marked(problem, if problem.severity == Severity::Warning { "warning: " } else { "" })
    }

    /// Returns the file that a problem is in.
    #[must_use]
    pub fn file_of<'a>(&'a self, problem: &'a Problem) -> Option<&'a SourceFile> {
        problem.file.as_ref().or(self.file.as_ref())
    }

    pub(crate) fn marked(&self, problem: &Problem, mark: &str) -> String {
        let mut text = String::new();
        if let Some(file) = self.file_of(problem) {
            text += &file.path.display().to_string();
            if let Some((line, column)) = problem.position(&file.text) {
                text += &format!(":{line}:{column}");
            }
            text += ": ";
        }
        text += mark;
        text += &problem.message;
        if let Some(help) = &problem.help {
            text += "; ";
            text += help;
        }
        text
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, problem) in self.list.iter().enumerate() {
            write!(f, "{}{}", if n == 0 { "" } else { "\n" }, self.line(problem))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_lines_and_characters_from_one() {
        let problem = |start| Problem {
            code: Code::Syntax,
            severity: Severity::Error,
            file: None,
            span: Some(start..start),
            message: String::new(),
            help: None,
        };
        let text = "é = 1\nab = 2\n";
        assert_eq!(problem(0).position(text), Some((1, 1)));
        assert_eq!(problem(2).position(text), Some((1, 2)));
        assert_eq!(problem(8).position(text), Some((2, 2)));
    }
}
