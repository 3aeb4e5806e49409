//! What was found, as lines for people and as JSON.

use std::path::Path;

use lotka::{
    Finding, Warning,
    description::{Problem, Severity},
};
use serde_json::{Value, json};

/// What was found in an FMU, file by file, or about a system.
pub(super) struct Findings {
    list: Vec<Finding>,
    is_fmu: bool,
}

impl Findings {
    pub fn of_fmu(list: Vec<Finding>) -> Self {
        Self { list, is_fmu: true }
    }

    /// Problems that make a system unusable are errors of their own, so these are all warnings.
    pub fn of_system(warnings: &[Warning]) -> Self {
        let finding = |warning: &Warning| {
            let message = warning.to_string();
            Finding {
                file: None,
                problem: Problem { severity: Severity::Warning, rule: "system", line: 0, column: 0, message, remedy: None },
            }
        };
        Self { list: warnings.iter().map(finding).collect(), is_fmu: false }
    }

    /// Makes warnings errors.
    pub fn be_strict(&mut self) {
        for finding in self.list.iter_mut().filter(|finding| finding.problem.severity == Severity::Warning) {
            finding.problem.severity = Severity::Error;
        }
    }

    pub fn count(&self, severity: Severity) -> usize {
        self.list.iter().filter(|finding| finding.problem.severity == severity).count()
    }

    /// `no problems`, `can be used, 1 warning, 2 notes`, `cannot be used: 1 error`.
    pub fn summary(&self) -> String {
        let counted = |severity: Severity| match self.count(severity) {
            0 => None,
            1 => Some(format!("1 {}", severity.name())),
            count => Some(format!("{count} {}s", severity.name())),
        };
        let counts: Vec<_> = [Severity::Error, Severity::Warning, Severity::Note].into_iter().filter_map(counted).collect();
        match (self.count(Severity::Error), counts.join(", ")) {
            (0, counts) if counts.is_empty() => "no problems".to_owned(),
            (0, counts) => format!("can be used, {counts}"),
            (_, counts) => format!("cannot be used: {counts}"),
        }
    }

    /// A text for each finding, with its severity: of an FMU with place, rule and help; of a system as other problems of systems are told.
    pub fn lines(&self, path: &Path) -> Vec<(Severity, String)> {
        let line = |finding: &Finding| match self.is_fmu {
            true => finding.to_string(),
            false => format!("{}: {}: {}", finding.problem.severity.name(), path.display(), finding.problem.message),
        };
        self.list.iter().map(|finding| (finding.problem.severity, line(finding))).collect()
    }

    pub fn json(&self, path: &Path) -> Value {
        json!({
            "path": path,
            "usable": self.count(Severity::Error) == 0,
            "errors": self.count(Severity::Error),
            "warnings": self.count(Severity::Warning),
            "notes": self.count(Severity::Note),
            "findings": self.list.iter().map(finding).collect::<Vec<_>>(),
        })
    }
}

/// Line and column are null where there are none, and the file where it is the archive or the system.
fn finding(Finding { file, problem }: &Finding) -> Value {
    let place = |number: u32| (number > 0).then_some(number);
    json!({
        "rule": problem.rule,
        "severity": problem.severity.name(),
        "file": file,
        "line": place(problem.line),
        "column": place(problem.column),
        "message": problem.message,
        "remedy": problem.remedy,
    })
}
