//! The queue of log lines from all instances to the observers.

use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicBool, Ordering},
};

use lotka_instance::{LogMessage, LogSink};

/// Holds lines until the loop collects them; the test for lines costs one load.
#[derive(Debug, Clone, Default)]
pub struct LogQueue(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    waiting: AtomicBool,
    lines: Mutex<Lines>,
}

#[derive(Debug, Default)]
struct Lines {
    list: Vec<LogMessage>,
    lost: u64,
}

/// Bounds the memory used by an FMU that logs endlessly inside one step.
const LIMIT: usize = 10_000;

impl LogQueue {
    pub(crate) fn sink(&self) -> LogSink {
        let shared = self.0.clone();
        Arc::new(move |line| {
            let mut lines = shared.lines.lock().unwrap_or_else(PoisonError::into_inner);
            if lines.list.len() < LIMIT {
                lines.list.push(line);
            } else {
                lines.lost += 1;
            }
            shared.waiting.store(true, Ordering::Release);
        })
    }

    #[inline]
    pub(crate) fn is_waiting(&self) -> bool {
        self.0.waiting.load(Ordering::Relaxed)
    }

    /// Replaces the waiting lines.
    pub fn set(&self, (list, lost): (Vec<LogMessage>, u64)) {
        let mut lines = self.0.lines.lock().unwrap_or_else(PoisonError::into_inner);
        self.0.waiting.store(!list.is_empty() || lost > 0, Ordering::Release);
        *lines = Lines { list, lost };
    }

    /// Takes the waiting lines, and the number of lost ones.
    pub fn take(&self) -> (Vec<LogMessage>, u64) {
        let mut lines = self.0.lines.lock().unwrap_or_else(PoisonError::into_inner);
        self.0.waiting.store(false, Ordering::Release);
        (std::mem::take(&mut lines.list), std::mem::take(&mut lines.lost))
    }
}
