//! Instances that step on threads of their own: in this process, at the same time.
//!
//! A [candidate](candidate) measures its first steps. If they take long enough, its [replacement](Instance::replacement) steps on
//! a worker thread or stays on the thread of the run, whichever has less to do; otherwise it leaves no trace. Only the steps run
//! on the workers; all other calls are made by the thread of the run while the worker waits.

mod candidate;
mod threaded;
mod worker;

use std::{
    collections::HashMap,
    hint,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

pub(crate) use candidate::Candidates;
use threaded::Threaded;
use worker::Worker;

/// Shortest step that is worth a thread: handing it over and waiting for it takes about a fifth of that.
const SHORTEST: Duration = Duration::from_micros(5);

/// Number of times that a side checks before it sleeps: about as long as a wake-up takes.
const SPINS: u32 = 5_000;

/// How much each thread has to do per step; the first one is the thread of the run.
#[derive(Debug)]
struct Loads {
    of_threads: Vec<Duration>,
    /// The thread of each instance, by its name, and its part of the load. Instances are replaced by others of the same name.
    of_instances: HashMap<String, (usize, Duration)>,
}

/// The threads of one system.
#[derive(Debug)]
pub(crate) struct Workers {
    loads: Mutex<Loads>,
    threads: Mutex<Vec<Option<Arc<Worker>>>>,
}

impl Workers {
    /// Up to `threads` threads, with that of the run; they start when they are needed.
    pub(crate) fn new(threads: usize) -> Arc<Self> {
        let loads = Loads { of_threads: vec![Duration::ZERO; threads], of_instances: HashMap::new() };
        Arc::new(Self { loads: Mutex::new(loads), threads: Mutex::new(vec![None; threads]) })
    }

    /// The thread for an instance whose steps take this long: `None` is the thread of the run.
    fn assign(&self, instance: &str, step: Duration) -> Option<Arc<Worker>> {
        let mut loads = lock(&self.loads);
        let Loads { of_threads, of_instances } = &mut *loads;
        if let Some((before, load)) = of_instances.remove(instance) {
            of_threads[before] -= load;
        }
        let least = (0..of_threads.len()).min_by_key(|&index| of_threads[index])?;
        of_threads[least] += step;
        of_instances.insert(instance.to_owned(), (least, step));
        if least == 0 {
            return None;
        }
        let mut threads = lock(&self.threads);
        if threads[least].is_none() {
            threads[least] = Worker::start().map(Arc::new);
        }
        threads[least].clone()
    }
}

/// A poisoned lock means that a call panicked, which ends the run anyway.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn spin_until(flag: &AtomicBool) {
    for _ in 0..SPINS {
        if flag.load(Ordering::Acquire) {
            return;
        }
        hint::spin_loop();
    }
}

#[cfg(test)]
mod tests;
