//! stderr, which is for people: errors, warnings, progress.

use std::io::{self, Write};

use clap::builder::styling::{AnsiColor, Style};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lotka::{Code, Error, Warning, printable_line};

use crate::{
    console_flags::{ConsoleFlags, Verbosity},
    exit::ExitCode,
    failure::Failure,
    problems,
    shown::Shown,
    stderr::{is_terminal, write_line},
};

/// Number of increments of the progress bar.
pub(crate) const BAR_LENGTH: u64 = 1000;

/// Writes lines to stderr, above the progress bar if there is one. Clones write to the same place.
#[derive(Clone)]
pub(crate) struct Console {
    verbosity: Verbosity,
    has_colors: bool,
    bar: ProgressBar,
}

impl Console {
    pub(crate) fn new(console_flags: ConsoleFlags) -> Self {
        Self { verbosity: console_flags.verbosity(), has_colors: console_flags.has_colors(), bar: ProgressBar::hidden() }
    }

    /// Returns whether colors are on.
    pub(crate) fn has_colors(&self) -> bool {
        self.has_colors
    }

    /// Returns whether lines of this verbosity are shown.
    pub(crate) fn shows(&self, from: Verbosity) -> bool {
        self.verbosity >= from
    }

    /// Writes a message if the console has at least this verbosity.
    pub(crate) fn say(&self, from: Verbosity, text: &str) {
        self.show(from, &Shown::message(text));
    }

    /// Writes text with styles if the console has at least this verbosity.
    pub(crate) fn show(&self, from: Verbosity, text: &Shown) {
        if self.shows(from) {
            self.bar.suspend(|| write_line(text));
        }
    }

    /// Writes a warning. On a terminal, a warning about a place in a file shows that place.
    pub(crate) fn warn(&self, warning: &Warning) {
        match (&warning.problem, self.style()) {
            (Some(problems), style) if style != problems::Style::Plain => {
                problems::render(problems, style).iter().for_each(|problem| self.show(Verbosity::Normal, problem));
            }
            _ => {
                let text = warning.code.mark(&warning.text);
                self.show(Verbosity::Normal, &Shown::marked("warning:", self.bold(AnsiColor::Yellow), &text));
            }
        }
    }

    /// Writes an error that is not a [`Failure`].
    pub(crate) fn error(&self, code: Code, text: &str) {
        self.conclude(&code.mark(text));
    }

    /// Writes `text` as an error, without adding a code.
    pub(crate) fn conclude(&self, text: &str) {
        self.show(Verbosity::Quiet, &Shown::marked("error:", self.bold(AnsiColor::Red), text));
    }

    /// Returns bold in `color`, if colors are on.
    fn bold(&self, color: AnsiColor) -> Style {
        if self.has_colors { color.on_default().bold() } else { Style::new() }
    }

    pub(crate) fn fail(&self, failure: &Failure) {
        match failure {
            Failure::Master { error, .. } if matches!(**error, Error::System(_)) => {
                if let Error::System(problems) = &**error {
                    problems::render(problems, self.style()).iter().for_each(|problem| self.show(Verbosity::Quiet, problem));
                }
            }
            failure if failure.is_silent() => {}
            failure => failure.messages().iter().for_each(|(code, text)| self.error(*code, text)),
        }
    }

    /// Returns the exit code of a verb, and reports its failure if there was one.
    pub(crate) fn end(&self, result: Result<ExitCode, Failure>) -> ExitCode {
        result.unwrap_or_else(|failure| {
            self.fail(&failure);
            failure.code()
        })
    }

    /// Clears the progress bar that a lost process left behind.
    pub(crate) fn wipe_bar(&self) {
        if is_terminal() {
            // If this fails, all further output fails, too.
            let _ = io::stderr().write_all(b"\r\x1b[2K");
        }
    }

    /// Returns how problems in files are shown.
    pub(crate) fn style(&self) -> problems::Style {
        match (is_terminal(), self.has_colors) {
            (false, false) => problems::Style::Plain,
            (true, false) => problems::Style::Excerpts,
            (_, true) => problems::Style::ColoredExcerpts,
        }
    }

    /// Shows a progress bar if stderr is a terminal and `--quiet` is not set. Returns whether it is shown.
    pub(crate) fn start_bar(&self) -> bool {
        self.bar.set_length(BAR_LENGTH);
        self.start("{bar:20} {percent:>3} %  {wide_msg}")
    }

    /// Shows the elapsed time and a message where a progress bar would be.
    pub(crate) fn start_line(&self) -> bool {
        self.start("{elapsed}  {wide_msg}")
    }

    /// Starts the bar, except on a terminal that cannot move its cursor.
    fn start(&self, template: &str) -> bool {
        let is_dumb = std::env::var_os("TERM").is_some_and(|terminal| terminal == "dumb");
        if !is_terminal() || is_dumb || self.verbosity == Verbosity::Quiet {
            return false;
        }
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style);
        }
        self.bar.set_draw_target(ProgressDrawTarget::stderr());
        true
    }

    /// Moves the bar to `position` of [`BAR_LENGTH`] and replaces its message.
    pub(crate) fn advance_bar(&self, position: u64, message: &str) {
        self.bar.set_position(position);
        self.bar.set_message(printable_line(message).into_owned());
    }

    /// Removes the bar.
    pub(crate) fn end_bar(&self) {
        self.bar.finish_and_clear();
    }
}
