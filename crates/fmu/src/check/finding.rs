//! Broken rules, with the files of the archive that break them.

use std::fmt;

use fmi2::description::{Problem, Severity};

/// A broken rule, with the file of the archive that breaks it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The entry of the archive; `None` for the archive itself.
    pub file: Option<String>,
    /// Rule, severity (`fmi2::description::Severity`), line and column (0 if there are none), the problem, and the remedy.
    pub problem: Problem,
}

impl Finding {
    /// Creates a finding without a line.
    pub fn new(file: Option<&str>, severity: Severity, rule: &'static str, message: String, remedy: &str) -> Self {
        let problem = Problem { severity, rule, line: 0, column: 0, message, remedy: Some(remedy.to_owned()) };
        Self { file: file.map(str::to_owned), problem }
    }
}

/// Prints `modelDescription.xml:17:5: warning: … [rule]`, and `  help: …` on a separate line. The archive itself is called
/// `archive`.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Problem { severity, rule, line, column, message, remedy } = &self.problem;
        f.write_str(self.file.as_deref().unwrap_or("archive"))?;
        if *line > 0 {
            write!(f, ":{line}:{column}")?;
        }
        write!(f, ": {}: {message} [{rule}]", severity.name())?;
        remedy.as_ref().map_or(Ok(()), |remedy| write!(f, "\n  help: {remedy}"))
    }
}

/// The findings so far.
#[derive(Default)]
pub(super) struct Findings(pub(super) Vec<Finding>);

impl Findings {
    pub(super) fn error(&mut self, file: Option<&str>, rule: &'static str, message: String, remedy: &str) {
        self.0.push(Finding::new(file, Severity::Error, rule, message, remedy));
    }

    pub(super) fn warning(&mut self, file: Option<&str>, rule: &'static str, message: String, remedy: &str) {
        self.0.push(Finding::new(file, Severity::Warning, rule, message, remedy));
    }

    pub(super) fn note(&mut self, file: Option<&str>, rule: &'static str, message: String, remedy: &str) {
        self.0.push(Finding::new(file, Severity::Note, rule, message, remedy));
    }
}
