//! stderr, which is for people: errors, warnings, what is going on.

use std::{
    io::{self, IsTerminal, Write},
    time::Duration,
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lotka::{Error, Problems};

use crate::{
    failure::Failure,
    problems::{self, Style},
};

/// Steps of the progress bar.
pub(crate) const BAR_LENGTH: u64 = 1000;

/// How often a line that has no end in sight is drawn.
const TICK: Duration = Duration::from_millis(200);

/// How much is told.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verbosity {
    /// Errors only.
    Quiet,
    /// Warnings and a summary, too.
    #[default]
    Normal,
    /// The chosen algorithm and finished runs, too.
    Verbose,
    /// Rejected steps, too.
    Detailed,
}

/// Writes lines to stderr, above the progress bar if there is one. Clones write to the same place.
#[derive(Clone)]
pub(crate) struct Console {
    verbosity: Verbosity,
    bar: ProgressBar,
}

impl Console {
    pub(crate) fn new(verbosity: Verbosity) -> Self {
        Self { verbosity, bar: ProgressBar::hidden() }
    }

    /// Whether lines from this verbosity on are shown.
    pub(crate) fn shows(&self, from: Verbosity) -> bool {
        self.verbosity >= from
    }

    /// A line at this verbosity and above.
    pub(crate) fn say(&self, from: Verbosity, text: &str) {
        if self.shows(from) {
            self.bar.suspend(|| write_line(text));
        }
    }

    pub(crate) fn warn(&self, text: impl std::fmt::Display) {
        self.say(Verbosity::Normal, &format!("warning: {text}"));
    }

    pub(crate) fn fail(&self, failure: &Failure) {
        match failure {
            Failure::Master { error, .. } if matches!(**error, Error::System(_)) => {
                if let Error::System(problems) = &**error {
                    self.show(problems);
                }
            }
            failure if failure.is_silent() => {}
            failure => self.say(Verbosity::Quiet, &format!("error: {}", failure.text())),
        }
    }

    /// Wipes out what is left of the progress bar of a process that is gone.
    pub(crate) fn wipe_bar(&self) {
        if io::stderr().is_terminal() {
            // If that fails, so will everything that is told next.
            let _ = io::stderr().write_all(b"\r\x1b[2K");
        }
    }

    fn show(&self, problems: &Problems) {
        let style = match (io::stderr().is_terminal(), std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())) {
            (false, _) => Style::Plain,
            (true, false) => Style::Excerpts,
            (true, true) => Style::ColoredExcerpts,
        };
        self.say(Verbosity::Quiet, problems::render(problems, style).trim_end());
    }

    /// Shows a progress bar, if stderr is a terminal and not too quiet; tells whether there is one.
    pub(crate) fn start_bar(&self) -> bool {
        self.bar.set_length(BAR_LENGTH);
        self.start("{wide_bar} {percent:>3} %  {msg}  {elapsed} of about {duration}")
    }

    /// Shows a line that says that something goes on, where a progress bar would be shown.
    pub(crate) fn start_line(&self) -> bool {
        self.bar.set_message("first run");
        let is_shown = self.start("{spinner} {msg}  {elapsed}");
        if is_shown {
            self.bar.enable_steady_tick(TICK);
        }
        is_shown
    }

    fn start(&self, template: &str) -> bool {
        if !io::stderr().is_terminal() || self.verbosity == Verbosity::Quiet {
            return false;
        }
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style);
        }
        self.bar.set_draw_target(ProgressDrawTarget::stderr());
        true
    }

    pub(crate) fn bar(&self) -> &ProgressBar {
        &self.bar
    }
}

/// Writes a line to stderr; that it is closed is no reason to fail.
pub(crate) fn write_line(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}
