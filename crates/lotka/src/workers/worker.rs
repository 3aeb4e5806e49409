//! A thread that makes steps.

use std::{
    collections::VecDeque,
    sync::{
        Arc, Condvar, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
};

use super::{lock, spin_until, threaded::Handover};

/// A thread that makes the steps of its instances in the order in which they are posted.
#[derive(Debug)]
pub(super) struct Worker {
    queue: Arc<Queue>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Queue {
    posted: Mutex<Posted>,
    changed: Condvar,
    /// Whether there is something in `posted`; checked without the lock.
    is_waiting: AtomicBool,
}

#[derive(Debug, Default)]
struct Posted {
    places: VecDeque<Arc<Handover>>,
    ends: bool,
}

impl Worker {
    /// Starts the thread; `None` if the system refuses one.
    pub(super) fn start() -> Option<Self> {
        let queue = Arc::new(Queue::default());
        let own = Arc::clone(&queue);
        let thread = thread::Builder::new().name("lotka-step".to_owned()).spawn(move || own.work()).ok()?;
        Some(Self { queue, thread: Some(thread) })
    }

    pub(super) fn post(&self, place: &Arc<Handover>) {
        lock(&self.queue.posted).places.push_back(Arc::clone(place));
        self.queue.is_waiting.store(true, Ordering::Release);
        self.queue.changed.notify_one();
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        lock(&self.queue.posted).ends = true;
        self.queue.is_waiting.store(true, Ordering::Release);
        self.queue.changed.notify_one();
        if let Some(thread) = self.thread.take() {
            // A panic in a step has been reported by the step.
            let _ = thread.join();
        }
    }
}

impl Queue {
    fn work(&self) {
        while let Some(place) = self.next() {
            place.perform();
        }
    }

    /// Waits for what comes next: checks a while, then sleeps. `None` is the end.
    fn next(&self) -> Option<Arc<Handover>> {
        spin_until(&self.is_waiting);
        let mut posted = lock(&self.posted);
        loop {
            if let Some(place) = posted.places.pop_front() {
                self.is_waiting.store(!posted.places.is_empty() || posted.ends, Ordering::Relaxed);
                return Some(place);
            }
            if posted.ends {
                return None;
            }
            posted = self.changed.wait(posted).unwrap_or_else(PoisonError::into_inner);
        }
    }
}
