//! Writes log lines of the FMUs and warnings of the master to stderr.

use clap::ValueEnum;
use lotka::{LogMessage, Notification, Observer, Status};

use crate::{console::Console, console_flags::Verbosity};

/// Which log lines of the FMUs are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum, serde::Serialize, serde::Deserialize)]
pub(crate) enum Level {
    /// Lines with status error or fatal.
    Error,
    /// Also status warning.
    Warn,
    /// All lines that the FMUs log on their own.
    Info,
    /// All lines; also turns on debug logging in the FMUs.
    Debug,
}

/// Shows log lines up to a level.
pub(crate) struct Log {
    level: Level,
    console: Console,
}

impl Log {
    pub(crate) fn new(level: Level, console: &Console) -> Self {
        Self { level, console: console.clone() }
    }

    fn show(&self, line: &LogMessage) {
        let (level, name) = match line.status {
            Some(Status::Error | Status::Fatal) => (Level::Error, "error"),
            Some(Status::Warning) | None => (Level::Warn, "warning"),
            Some(Status::Discard | Status::Ok | Status::Pending) => (Level::Info, "info"),
        };
        if level <= self.level {
            let from = if level == Level::Error { Verbosity::Quiet } else { Verbosity::Normal };
            self.console.say(from, &format!("{} [{name}] {}", line.instance, line.message));
        }
    }
}

impl Observer for Log {
    fn wants_steps(&self) -> bool {
        false
    }

    fn observe(&mut self, notification: &Notification<'_>) {
        match notification {
            Notification::Log(line) => self.show(line),
            Notification::Warning(warning) => self.console.warn(warning),
            _ => {}
        }
    }
}
