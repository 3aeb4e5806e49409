//! Verbosity and color of stderr: flags that every subcommand has.

use std::{env, ffi::OsStr};

use clap::{ArgAction, ColorChoice};

use crate::stderr;

/// Amount of output on stderr.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verbosity {
    /// Errors only.
    Quiet,
    /// Also warnings and a summary.
    #[default]
    Normal,
    /// Also the chosen algorithm and finished runs.
    Verbose,
    /// Also rejected steps.
    Detailed,
}

#[derive(Debug, Clone, Copy, clap::Args)]
#[command(next_help_heading = "Verbosity and color")]
pub(crate) struct ConsoleFlags {
    /// Print errors only; no warnings, summary, progress or output of FMUs.
    ///
    /// Results still go to stdout.
    #[arg(short, long, global = true)]
    quiet: bool,
    /// Print more about a run; -vv also prints each step rejection.
    ///
    /// -v prints the algorithm and the reasons for it, each event, and each run that a `tolerance` takes.
    #[arg(short, long, global = true, action = ArgAction::Count, conflicts_with = "quiet")]
    verbose: u8,
    /// Use colors: on terminals (auto), always or never.
    ///
    /// For auto, NO_COLOR and CLICOLOR=0 turn them off, CLICOLOR_FORCE=1 turns them on.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    color: ColorChoice,
}

impl ConsoleFlags {
    pub(crate) fn verbosity(self) -> Verbosity {
        match (self.quiet, self.verbose) {
            (true, _) => Verbosity::Quiet,
            (_, 0) => Verbosity::Normal,
            (_, 1) => Verbosity::Verbose,
            _ => Verbosity::Detailed,
        }
    }

    /// Returns whether stderr gets colors.
    pub(crate) fn has_colors(self) -> bool {
        match self.color {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => has_automatic_colors(),
        }
    }
}

/// Returns whether stderr gets colors if no flag decides.
pub(crate) fn has_automatic_colors() -> bool {
    colors_of(|name| env::var_os(name).filter(|value| !value.is_empty()), stderr::is_terminal())
}

/// Applies the environment variables of <https://no-color.org>, then those of <https://bixense.com/clicolors>. An empty variable
/// counts as unset.
fn colors_of<T: AsRef<OsStr>>(variable: impl Fn(&str) -> Option<T>, is_terminal: bool) -> bool {
    let is = |name: &str, value: &str| variable(name).is_some_and(|found| found.as_ref() == value);
    if variable("NO_COLOR").is_some() {
        return false;
    }
    if variable("CLICOLOR_FORCE").is_some() && !is("CLICOLOR_FORCE", "0") {
        return true;
    }
    is_terminal && !is("CLICOLOR", "0") && !is("TERM", "dumb")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_decides_in_the_order_of_the_field() {
        let colors = |variables: &[(&str, &'static str)], is_terminal| {
            colors_of(|name| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| *value), is_terminal)
        };
        assert!(colors(&[], true) && !colors(&[], false));
        assert!(!colors(&[("NO_COLOR", "1")], true) && !colors(&[("NO_COLOR", "0")], true));
        assert!(!colors(&[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")], true));
        assert!(colors(&[("CLICOLOR_FORCE", "1")], false) && !colors(&[("CLICOLOR_FORCE", "0")], false));
        assert!(!colors(&[("CLICOLOR", "0")], true) && !colors(&[("CLICOLOR", "1")], false));
        assert!(!colors(&[("TERM", "dumb")], true));
    }
}
