//! What is wrong with a system, all of it at once, each with its place.

use std::{fmt, ops::Range};

use super::SourceFile;
use crate::Code;

/// Spans from here on are no places in the file. Who changes a description that came from a file can count its own places from here, to know
/// from the problems which of its changes they are about.
pub const PLACES_OUTSIDE: usize = usize::MAX / 2;

/// How bad a problem is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// The run goes on.
    Warning,
    /// The system cannot run.
    Error,
}

/// One problem of a system description.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// What kind of problem.
    pub code: Code,
    /// How bad.
    pub severity: Severity,
    /// The file, if it is not that of all problems.
    pub file: Option<SourceFile>,
    /// Byte range in the file.
    pub span: Option<Range<usize>>,
    /// What and where.
    pub message: String,
    /// What to do instead.
    pub help: Option<String>,
}

/// All problems of a description, with the file they were found in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problems {
    /// The file, if there is one.
    pub file: Option<SourceFile>,
    /// The problems, in the order of the file as far as they have a place.
    pub list: Vec<Problem>,
}

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

impl Problem {
    /// Line and column, both from 1, of this problem in `text`.
    #[must_use]
    pub fn position(&self, text: &str) -> Option<(usize, usize)> {
        let before = text.get(..self.span.as_ref()?.start)?;
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        Some((before.matches('\n').count() + 1, before[line_start..].chars().count() + 1))
    }
}

impl Problems {
    /// The code of the first error.
    pub(crate) fn code(&self) -> Code {
        let error = self.list.iter().find(|problem| problem.severity == Severity::Error);
        error.or(self.list.first()).map_or(Code::InternalError, |problem| problem.code)
    }

    /// `file:line:column: message; help` of one problem; `warning: ` stands before the message of a warning.
    #[must_use]
    pub fn line(&self, problem: &Problem) -> String {
        self.marked(problem, if problem.severity == Severity::Warning { "warning: " } else { "" })
    }

    /// The file that a problem is in.
    #[must_use]
    pub fn file_of<'a>(&'a self, problem: &'a Problem) -> Option<&'a SourceFile> {
        problem.file.as_ref().or(self.file.as_ref())
    }

    fn marked(&self, problem: &Problem, mark: &str) -> String {
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

/// Problems as they are found.
#[derive(Debug, Clone, Default)]
pub(crate) struct Findings(Vec<Problem>);

impl Findings {
    pub(crate) fn error(
        &mut self,
        code: Code,
        span: &Option<Range<usize>>,
        message: impl Into<String>,
        help: impl Into<Option<String>>,
    ) {
        self.add(code, Severity::Error, span, message.into(), help.into());
    }

    pub(crate) fn warning(
        &mut self,
        code: Code,
        span: &Option<Range<usize>>,
        message: impl Into<String>,
        help: impl Into<Option<String>>,
    ) {
        self.add(code, Severity::Warning, span, message.into(), help.into());
    }

    fn add(&mut self, code: Code, severity: Severity, span: &Option<Range<usize>>, message: String, help: Option<String>) {
        self.0.push(Problem { code, severity, file: None, span: span.clone(), message, help });
    }

    /// Whether the value of this key was refused: then it is not missing.
    pub(crate) fn has_refused(&self, key: &str) -> bool {
        self.0.iter().any(|problem| problem.code == Code::WrongType && problem.message.starts_with(&format!("`{key}` is ")))
    }

    /// How many there are so far.
    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds what was found in the same file.
    pub(crate) fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// Adds what was found in another file.
    pub(crate) fn add_of(&mut self, file: &SourceFile, other: Self) {
        self.0
            .extend(other.0.into_iter().map(|problem| Problem { file: problem.file.or_else(|| Some(file.clone())), ..problem }));
    }

    /// All problems, in the order of the file; those of other files follow.
    pub(crate) fn problems(mut self, file: Option<&SourceFile>) -> Problems {
        let place = |problem: &Problem| problem.span.as_ref().map_or(usize::MAX, |span| span.start);
        self.0.sort_by_key(|problem| (problem.file.as_ref().map(|file| file.path.clone()), place(problem)));
        Problems { file: file.cloned(), list: self.0 }
    }

    /// How many errors there are.
    pub(crate) fn n_errors(&self) -> usize {
        self.0.iter().filter(|problem| problem.severity == Severity::Error).count()
    }

    /// `value` with the warnings, or all problems if one of them is an error.
    pub(crate) fn finish<T>(self, value: T, file: Option<&SourceFile>) -> Result<(T, Vec<Warning>), Problems> {
        let problems = self.problems(file);
        if problems.list.iter().any(|problem| problem.severity == Severity::Error) {
            return Err(problems);
        }
        let warning = |problem: &Problem| Warning {
            code: problem.code,
            text: problems.marked(problem, ""),
            problem: Some(Box::new(Problems { file: problems.file.clone(), list: vec![problem.clone()] })),
        };
        Ok((value, problems.list.iter().map(warning).collect()))
    }
}

/// `did you mean ...` for the valid name nearest to `wrong`, or the list of valid names when none is near.
pub(crate) fn nearest<'a>(wrong: &str, valid: impl Iterator<Item = &'a str> + Clone) -> Option<String> {
    let best = valid.clone().map(|name| (strsim::damerau_levenshtein(wrong, name), name)).min();
    match best {
        Some((distance, name)) if is_near(distance, name, wrong) => Some(format!("did you mean `{name}`?")),
        Some(_) => {
            let names: Vec<_> = valid.take(12).map(|name| format!("`{name}`")).collect();
            Some(format!("there are {}", names.join(", ")))
        }
        None => None,
    }
}

/// Near is a slip of the pen: a third of the letters may differ, or one, but not all.
fn is_near(distance: usize, name: &str, wrong: &str) -> bool {
    let length = name.chars().count().max(wrong.chars().count());
    distance <= (1 + length / 3).min(length - 1)
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

    #[test]
    fn the_nearest_name_is_offered_and_else_the_list() {
        let names = ["prey", "predator"];
        assert_eq!(nearest("pray", names.iter().copied()), Some("did you mean `prey`?".into()));
        assert_eq!(nearest("x", names.iter().copied()), Some("there are `prey`, `predator`".into()));
        assert_eq!(nearest("z", ["a", "b"].into_iter()), Some("there are `a`, `b`".into()));
        assert_eq!(nearest("x", std::iter::empty()), None);
    }
}
