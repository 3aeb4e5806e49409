//! Lines logged and printed by an FMU: the last lines, and the receiver of all of them.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use lotka_instance::{LogMessage, LogSink, Status};

/// Maximum number of lines quoted by an error.
const KEPT_LINES: usize = 8;

/// The category of lines that the FMU printed instead of logging them.
const PRINTED: &str = "output";

#[derive(Default)]
pub(super) struct Lines(Mutex<State>);

#[derive(Default)]
struct State {
    instance: String,
    sink: Option<LogSink>,
    last: VecDeque<String>,
}

impl Lines {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends lines to `sink` from now on, in the name of the instance.
    pub fn listen(&self, instance: &str, sink: Option<LogSink>) {
        let mut state = self.lock();
        instance.clone_into(&mut state.instance);
        state.sink = sink;
    }

    /// Handles a line that the FMU logged.
    pub fn logged(&self, status: Option<Status>, category: String, message: String) {
        let mut state = self.lock();
        if state.last.len() == KEPT_LINES {
            state.last.pop_front();
        }
        state.last.push_back(message.clone());
        self.publish(state, status, category, message);
    }

    /// Handles a line that the FMU printed.
    pub fn printed(&self, message: String) {
        self.logged(Some(Status::Ok), PRINTED.to_owned(), message);
    }

    /// Handles a warning about the FMU.
    pub fn warn(&self, message: String) {
        self.publish(self.lock(), Some(Status::Warning), "logStatusWarning".to_owned(), message);
    }

    /// Calls the receiver without the lock.
    fn publish(&self, state: MutexGuard<'_, State>, status: Option<Status>, category: String, message: String) {
        let (sink, instance) = (state.sink.clone(), state.instance.clone());
        drop(state);
        if let Some(sink) = sink {
            sink(LogMessage { instance, status, category, message });
        }
    }

    /// Returns the last lines, oldest first.
    pub fn last(&self) -> Vec<String> {
        self.lock().last.iter().cloned().collect()
    }
}
