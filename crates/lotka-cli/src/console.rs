//! stderr, which is for people: errors, warnings, what is going on.

use std::io::{self, Write};

use clap::builder::styling::{AnsiColor, Style};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lotka::{Code, Error, Warning};

use crate::{
    console_flags::{ConsoleFlags, Verbosity},
    exit::ExitCode,
    failure::Failure,
    problems,
    stderr::{is_terminal, write_line},
};

/// Steps of the progress bar.
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

    /// On a terminal, what is about a place in a file is shown there.
    pub(crate) fn warn(&self, warning: &Warning) {
        match (&warning.problem, self.style()) {
            (Some(problems), style) if style != problems::Style::Plain => {
                self.say(Verbosity::Normal, problems::render(problems, style).trim_end());
            }
            _ => {
                let word = self.painted("warning:", AnsiColor::Yellow);
                self.say(Verbosity::Normal, &format!("{word} {}", warning.code.mark(&warning.text)));
            }
        }
    }

    /// An error that is no [`Failure`].
    pub(crate) fn error(&self, code: Code, text: &str) {
        self.conclude(&code.mark(text));
    }

    /// A sentence that sums up errors.
    pub(crate) fn conclude(&self, text: &str) {
        let word = self.painted("error:", AnsiColor::Red);
        self.say(Verbosity::Quiet, &format!("{word} {text}"));
    }

    /// A word in bold and a color, if colors are on.
    fn painted(&self, word: &str, color: AnsiColor) -> String {
        let style = if self.has_colors { color.on_default().bold() } else { Style::new() };
        format!("{style}{word}{style:#}")
    }

    pub(crate) fn fail(&self, failure: &Failure) {
        match failure {
            Failure::Master { error, .. } if matches!(**error, Error::System(_)) => {
                if let Error::System(problems) = &**error {
                    self.say(Verbosity::Quiet, problems::render(problems, self.style()).trim_end());
                }
            }
            failure if failure.is_silent() => {}
            failure => failure.messages().iter().for_each(|(code, text)| self.error(*code, text)),
        }
    }

    /// The exit code of a verb, with what it has to say if it failed.
    pub(crate) fn end(&self, result: Result<ExitCode, Failure>) -> ExitCode {
        result.unwrap_or_else(|failure| {
            self.fail(&failure);
            failure.code()
        })
    }

    /// Wipes out what is left of the progress bar of a process that is gone.
    pub(crate) fn wipe_bar(&self) {
        if is_terminal() {
            // If that fails, so will all further output.
            let _ = io::stderr().write_all(b"\r\x1b[2K");
        }
    }

    /// How problems of files are shown.
    pub(crate) fn style(&self) -> problems::Style {
        match (is_terminal(), self.has_colors) {
            (false, false) => problems::Style::Plain,
            (true, false) => problems::Style::Excerpts,
            (_, true) => problems::Style::ColoredExcerpts,
        }
    }

    /// Shows a progress bar, if stderr is a terminal and not too quiet; tells whether there is one.
    pub(crate) fn start_bar(&self) -> bool {
        self.bar.set_length(BAR_LENGTH);
        self.start("{bar:20} {percent:>3} %  {wide_msg}")
    }

    /// Shows a line that says that something goes on, where a progress bar would be shown.
    pub(crate) fn start_line(&self) -> bool {
        self.start("{elapsed}  {wide_msg}")
    }

    /// A terminal that cannot go back in its line gets no progress.
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

    pub(crate) fn bar(&self) -> &ProgressBar {
        &self.bar
    }
}
