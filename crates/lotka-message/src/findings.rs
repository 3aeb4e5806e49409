//! Collection of the problems of a file.

use std::ops::Range;

use crate::{Code, Problem, Problems, Severity, SourceFile, Warning};

/// So many similar warnings are listed one by one.
const FEW: usize = 3;

/// Problems that have been found so far.
#[derive(Debug, Clone, Default)]
pub struct Findings(Vec<Problem>);

impl Findings {
    /// Adds an error at this byte range of the file, with a suggestion.
    pub fn error(
        &mut self,
        code: Code,
        span: &Option<Range<usize>>,
        message: impl Into<String>,
        help: impl Into<Option<String>>,
    ) {
        self.add(code, Severity::Error, span, message.into(), help.into());
    }

    /// Adds a warning at this byte range of the file, with a suggestion.
    pub fn warning(
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

    /// Returns whether the value of this key was rejected, so that the key does not count as missing.
    #[must_use]
    pub fn has_refused(&self, key: &str) -> bool {
        self.0.iter().any(|problem| problem.code == Code::WrongType && problem.message.contains(&format!(" for `{key}`, found ")))
    }

    /// Makes one warning of all that have this code, if there are more than a few: the first one, which says how many `others`
    /// there are.
    pub fn abridge(&mut self, code: Code, others: &str) {
        let is_one = |problem: &Problem| problem.code == code && problem.severity == Severity::Warning;
        let count = self.0.iter().filter(|problem| is_one(problem)).count();
        let Some(first) = self.0.iter().position(is_one).filter(|_| count > FEW) else { return };
        let mut index = 0;
        self.0.retain(|problem| {
            index += 1;
            index - 1 <= first || !is_one(problem)
        });
        let message = &mut self.0[first].message;
        message.push_str(&format!("; {} {others}", count - 1));
    }

    /// Returns the number of problems.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there are no problems.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds the problems of another collection for the same file.
    pub fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// Adds the problems of another file.
    pub fn add_of(&mut self, file: &SourceFile, other: Self) {
        self.0
            .extend(other.0.into_iter().map(|problem| Problem { file: problem.file.or_else(|| Some(file.clone())), ..problem }));
    }

    /// Returns all problems in the order of the file, followed by those of other files.
    #[must_use]
    pub fn problems(mut self, file: Option<&SourceFile>) -> Problems {
        let place = |problem: &Problem| problem.span.as_ref().map_or(usize::MAX, |span| span.start);
        self.0.sort_by_key(|problem| (problem.file.as_ref().map(|file| file.path.clone()), place(problem)));
        Problems { file: file.cloned(), list: self.0 }
    }

    /// Returns the number of errors.
    #[must_use]
    pub fn n_errors(&self) -> usize {
        self.0.iter().filter(|problem| problem.severity == Severity::Error).count()
    }

    /// Returns `value` with the warnings.
    ///
    /// # Errors
    /// All problems, if at least one of them is an error.
    pub fn finish<T>(self, value: T, file: Option<&SourceFile>) -> Result<(T, Vec<Warning>), Problems> {
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
