//! The outcome of a run: its messages and the exit code.

use lotka::{End, Report};

use crate::{
    accuracy, console::Console, console_flags::Verbosity, data, exit::ExitCode, failure::Failure, json, request::Arguments,
    rough_error::RoughError, shown::Shown, summary,
};

/// Outcome of a run, finished or not.
#[derive(Default)]
pub(crate) struct Outcome {
    pub(crate) report: Option<Report>,
    pub(crate) failures: Vec<Failure>,
    /// Whether the run has a `tolerance`: its rows appear at the end or not at all.
    pub(crate) is_verified: bool,
    /// Short table of the results, for a terminal.
    pub(crate) overview: Option<Shown>,
    /// Rough error of a run without `tolerance`, if requested.
    pub(crate) rough: Option<RoughError>,
}

impl Outcome {
    /// Outcome of a command that ran nothing.
    pub(crate) fn failed(failure: Failure) -> Self {
        Self { failures: vec![failure], ..Self::default() }
    }

    /// Prints the short table, or the outcome as JSON if `json` is set.
    pub(crate) fn print(&mut self, json: bool) {
        if let Some(text) = &self.overview {
            self.failures.extend(data::print_styled(text).err());
        }
        if json {
            let object = json::run(self.report.as_ref(), self.rough.as_ref(), self.failures.first());
            self.failures.extend(data::print(&json::lines(&object)).err());
        }
    }

    pub(crate) fn report(&self, arguments: &Arguments, console: &Console) {
        if self.failures.iter().any(Failure::is_silent) {
            return;
        }
        if let Some(report) = &self.report {
            let lines = summary::of(report, self.is_verified, console.shows(Verbosity::Verbose));
            console.show(Verbosity::Normal, &Shown::text(&lines));
            if let (End::ToleranceNotReached, Some(error), false) =
                (&report.end, &report.global_error, console.shows(Verbosity::Normal))
            {
                console.conclude(&accuracy::miss(error));
            }
            if let Some(rough) = &self.rough {
                console.show(Verbosity::Normal, &Shown::text(&rough.text()));
            }
            let has_part = report.end != End::StopTime && !self.is_verified && report.counters.n_step_attempts > 0;
            if let Some(path) = arguments.output_file.as_ref().filter(|_| has_part) {
                console.say(Verbosity::Normal, &format!("the rows so far are in {}", path.display()));
            }
            if let Some(path) = arguments.checkpoint_path().filter(|path| has_part && path.is_file()) {
                console.say(Verbosity::Normal, &format!("`lotka resume {}` continues from the last checkpoint", path.display()));
            }
        }
        self.report_failures(console);
    }

    pub(crate) fn report_failures(&self, console: &Console) {
        self.failures.iter().for_each(|failure| console.fail(failure));
    }

    pub(crate) fn code(&self) -> ExitCode {
        match (self.failures.first(), self.report.as_ref().map(|report| &report.end)) {
            (Some(failure), _) => failure.code(),
            (None, Some(End::Canceled)) => ExitCode::Interrupted,
            (None, Some(End::ToleranceNotReached)) => ExitCode::Tolerance,
            _ => ExitCode::Done,
        }
    }
}
