//! The last lines logged by an instance, and the receiver of all of them.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use lotka_instance::{LogMessage, LogSink, Status};

/// Maximum number of lines quoted by an error.
const KEPT_LINES: usize = 8;

/// Receives log lines from any thread. No lock is held while the receiver runs.
pub(crate) struct Journal {
    instance: String,
    sink: Mutex<Option<LogSink>>,
    last_lines: Mutex<VecDeque<String>>,
    /// Whether a line with a status other than OK was logged since the last call of [`Journal::take_complaint`].
    complained: AtomicBool,
}

impl Journal {
    pub(crate) fn new(instance: &str, sink: Option<LogSink>) -> Self {
        Self {
            instance: instance.to_owned(),
            sink: Mutex::new(sink),
            last_lines: Mutex::default(),
            complained: AtomicBool::new(false),
        }
    }

    /// Handles a line that the FMU logged, in its raw form.
    pub(crate) fn line(&self, status: i32, category: &[u8], message: &[u8]) {
        let status = Status::try_from(status).ok();
        if status != Some(Status::Ok) {
            self.complained.store(true, Ordering::Relaxed);
        }
        let message = String::from_utf8_lossy(message).trim_end().to_owned();
        let mut last_lines = lock(&self.last_lines);
        if last_lines.len() == KEPT_LINES {
            last_lines.pop_front();
        }
        last_lines.push_back(message.clone());
        drop(last_lines);
        self.publish(status, String::from_utf8_lossy(category).into_owned(), message);
    }

    /// Handles a warning of this importer about the FMU.
    pub(crate) fn warn(&self, message: String) {
        self.publish(Some(Status::Warning), "logStatusWarning".to_owned(), message);
    }

    /// Returns the last lines, oldest first.
    pub(crate) fn last_lines(&self) -> Vec<String> {
        lock(&self.last_lines).iter().cloned().collect()
    }

    /// Whether the FMU logged a line with a status other than OK since the last call of this function.
    pub(crate) fn take_complaint(&self) -> bool {
        self.complained.swap(false, Ordering::Relaxed)
    }

    /// Releases the receiver; later lines are only stored.
    pub(crate) fn close(&self) {
        let sink = lock(&self.sink).take();
        drop(sink);
    }

    fn publish(&self, status: Option<Status>, category: String, message: String) {
        let Some(sink) = lock(&self.sink).clone() else { return };
        let line = LogMessage { instance: self.instance.clone(), status, category, message };
        // A panic of the receiver must not unwind through the FMU; the panic hook has already reported it.
        let _ = catch_unwind(AssertUnwindSafe(|| sink(line)));
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn the_last_lines_are_kept_and_every_line_is_passed_on() {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let sink = Arc::clone(&seen);
        let journal = Journal::new("prey", Some(Arc::new(move |line| sink.lock().unwrap().push(line))));
        for n in 0..20 {
            journal.line(0, b"logAll", format!("line {n}\n").as_bytes());
        }
        assert_eq!(journal.last_lines(), (12..20).map(|n| format!("line {n}")).collect::<Vec<_>>());
        assert_eq!(seen.lock().unwrap().len(), 20);
        assert_eq!(seen.lock().unwrap()[0].category, "logAll");
    }

    #[test]
    fn bytes_that_are_no_text_and_numbers_that_are_no_status_are_passed_on_repaired() {
        let journal = Journal::new("prey", None);
        journal.line(99, b"", b"caf\xe9");
        assert_eq!(journal.last_lines(), ["caf\u{fffd}"]);
        assert!(journal.take_complaint());
        assert!(!journal.take_complaint());
    }

    #[test]
    fn a_closed_journal_lets_go_of_its_listener_and_a_panicking_listener_does_no_harm() {
        let token = Arc::new(());
        let inside = Arc::clone(&token);
        let journal = Journal::new("prey", Some(Arc::new(move |_| panic!("{inside:?}"))));
        journal.line(0, b"", b"one");
        journal.close();
        assert_eq!(Arc::strong_count(&token), 1);
        journal.line(0, b"", b"two");
        assert_eq!(journal.last_lines(), ["one", "two"]);
    }
}
