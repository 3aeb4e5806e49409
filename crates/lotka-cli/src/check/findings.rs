//! Findings as lines for people and as JSON.

use std::path::Path;

use lotka::{
    Code, Finding, Problems, Warning,
    fmi2::description::{Problem, Severity},
};
use serde_json::{Value, json};

use crate::{
    console::Console,
    console_flags::Verbosity,
    problems::{Style, render},
    shown::Shown,
};

/// Findings in the files of an FMU, or about a system.
pub(super) struct Findings {
    list: Vec<Finding>,
    /// For a system, the place of each finding in its file, if it has one; empty for an FMU.
    places: Vec<Option<Problems>>,
    is_fmu: bool,
}

impl Findings {
    pub fn of_fmu(list: Vec<Finding>) -> Self {
        Self { list, places: Vec::new(), is_fmu: true }
    }

    /// Converts the warnings of a system, and what is said of its inputs without a source. Problems that make it unusable are
    /// errors of their own.
    pub fn of_system(warnings: &[Warning], unconnected: Vec<String>) -> Self {
        let places = warnings.iter().map(|warning| warning.problem.as_deref().cloned()).collect();
        let rule = Code::UnconnectedInput.as_str();
        let note = |message| Finding {
            file: None,
            problem: Problem { severity: Severity::Note, rule, line: 0, column: 0, message, remedy: None },
        };
        let list = warnings.iter().map(of_warning).chain(unconnected.into_iter().map(note)).collect();
        Self { list, places, is_fmu: false }
    }

    /// Turns warnings into errors.
    pub fn be_strict(&mut self) {
        for finding in self.list.iter_mut().filter(|finding| finding.problem.severity == Severity::Warning) {
            finding.problem.severity = Severity::Error;
        }
    }

    pub fn count(&self, severity: Severity) -> usize {
        self.list.iter().filter(|finding| finding.problem.severity == severity).count()
    }

    /// Formats `no problems`, `can be used, 1 warning, 2 notes`, or `cannot be used: 1 error`.
    pub fn summary(&self) -> String {
        match (self.count(Severity::Error), self.counts()) {
            (0, counts) if counts.is_empty() => "no problems".to_owned(),
            (0, counts) => format!("can be used, {counts}"),
            (_, counts) => format!("cannot be used: {counts}"),
        }
    }

    /// Formats `1 warning, 2 notes`; empty if there are no findings.
    pub fn counts(&self) -> String {
        let counted = |severity: Severity| match self.count(severity) {
            0 => None,
            1 => Some(format!("1 {}", severity.name())),
            count => Some(format!("{count} {}s", severity.name())),
        };
        let counts: Vec<_> = [Severity::Error, Severity::Warning, Severity::Note].into_iter().filter_map(counted).collect();
        counts.join(", ")
    }

    /// Returns the severity and text of each finding: place, rule or code, and help. Findings of systems look like problems of
    /// systems.
    fn lines(&self, path: &Path, style: Style) -> Vec<(Severity, Shown)> {
        let places = self.places.iter().map(Option::as_ref).chain(std::iter::repeat(None));
        let line = |(finding, place): (&Finding, Option<&Problems>)| {
            let Problem { severity, rule, message, .. } = &finding.problem;
            let shown = match place {
                Some(place) if style != Style::Plain => render(&as_severe(place, *severity), style),
                None if !self.is_fmu => {
                    vec![Shown::message(&format!("{}: {}: {message} [{rule}]", severity.name(), path.display()))]
                }
                _ => vec![Shown::message(&finding.to_string())],
            };
            shown.into_iter().map(|shown| (*severity, shown)).collect::<Vec<_>>()
        };
        self.list.iter().zip(places).flat_map(line).collect()
    }

    /// Shows the findings; errors also with `--quiet`.
    pub fn show(&self, path: &Path, console: &Console) {
        for (severity, line) in self.lines(path, console.style()) {
            let from = if severity == Severity::Error { Verbosity::Quiet } else { Verbosity::Normal };
            console.show(from, &line);
        }
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

/// Converts a warning about a system, with the place in its file if it has one.
fn of_warning(warning: &Warning) -> Finding {
    let rule = warning.code.as_str();
    let found = warning.problem.as_ref().and_then(|problems| {
        let problem = problems.list.first()?;
        let file = problems.file_of(problem)?;
        let (line, column) = problem.position(&file.text).unwrap_or_default();
        Some((file.path.display().to_string(), (line as u32, column as u32), problem.message.clone(), problem.help.clone()))
    });
    let (file, (line, column), message, remedy) = match found {
        Some((file, place, message, remedy)) => (Some(file), place, message, remedy),
        None => (None, (0, 0), warning.text.clone(), None),
    };
    // It concerns runs alone.
    let severity = if warning.code == Code::NoStopTime { Severity::Note } else { Severity::Warning };
    Finding { file, problem: Problem { severity, rule, line, column, message, remedy } }
}

/// Returns the same problems with another severity.
fn as_severe(problems: &Problems, severity: Severity) -> Problems {
    let severity = if severity == Severity::Error { lotka::Severity::Error } else { lotka::Severity::Warning };
    let list = problems.list.iter().map(|problem| lotka::Problem { severity, ..problem.clone() }).collect();
    Problems { list, ..problems.clone() }
}

/// Returns a finding as JSON. A missing line or column is null, and so is the file if it is the archive or the system.
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
