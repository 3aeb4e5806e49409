//! Writes log lines of the FMUs and warnings of the master to stderr. A line that repeats is shown once, and again with its count
//! when the run ends.

use std::collections::{HashMap, hash_map::Entry};

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
    /// The lines that were shown, with their order and the number of times that they were repeated.
    shown: HashMap<String, (usize, u64)>,
}

/// Number of different lines whose repetitions are counted; of further ones each is shown.
const MOST_LINES: usize = 1000;

impl Log {
    pub(crate) fn new(level: Level, console: &Console) -> Self {
        Self { level, console: console.clone(), shown: HashMap::new() }
    }

    fn show(&mut self, line: &LogMessage) {
        let (level, name) = match line.status {
            Some(Status::Error | Status::Fatal) => (Level::Error, "error"),
            Some(Status::Warning) | None => (Level::Warn, "warning"),
            Some(Status::Discard | Status::Ok | Status::Pending) => (Level::Info, "info"),
        };
        let text = format!("{} [{name}] {}", line.instance, line.message);
        if level <= self.level && self.is_new(&text) {
            let from = if level == Level::Error { Verbosity::Quiet } else { Verbosity::Normal };
            self.console.say(from, &text);
        }
    }

    /// Counts a line, and returns whether to show it: the level for debugging shows every line.
    fn is_new(&mut self, text: &str) -> bool {
        let n_lines = self.shown.len();
        if self.level == Level::Debug {
            return true;
        }
        match self.shown.entry(text.to_owned()) {
            Entry::Occupied(mut known) => {
                known.get_mut().1 += 1;
                false
            }
            Entry::Vacant(_) if n_lines >= MOST_LINES => true,
            Entry::Vacant(new) => {
                new.insert((n_lines, 0));
                true
            }
        }
    }

    /// Shows the lines that were repeated, with their counts.
    fn show_repeated(&mut self) {
        let mut repeated: Vec<_> = self.shown.drain().filter(|(_, (_, count))| *count > 0).collect();
        repeated.sort_by_key(|(_, (order, _))| *order);
        for (text, (_, count)) in repeated {
            let times = if count == 1 { "time" } else { "times" };
            self.console.say(Verbosity::Normal, &format!("{text} ({count} more {times})"));
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
            Notification::Ended { .. } => self.show_repeated(),
            _ => {}
        }
    }
}
