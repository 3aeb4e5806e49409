//! Progress of the runs for a `tolerance`, for use on another thread.

use std::sync::{
    Arc, Mutex, MutexGuard, PoisonError,
    atomic::{AtomicU64, Ordering},
};

use crate::record::{Notification, Observer};

/// A current run of a simulation with `tolerance`.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct RunProgress {
    /// Communication steps of the whole run, without those that events add.
    pub steps: u64,
    /// Time of its last row \[s\].
    pub time: f64,
}

/// Progress of the current runs for a `tolerance`; observers are notified only when a run has finished. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct ProgressToken(Arc<Mutex<Vec<Entry>>>);

/// Communication steps, and the bits of the time of the last row.
type Entry = (u64, Arc<AtomicU64>);

impl ProgressToken {
    /// The current runs: one, or several concurrent ones. Empty between runs, and without a `tolerance`.
    #[must_use]
    pub fn runs(&self) -> Vec<RunProgress> {
        let progress = |(steps, bits): &Entry| RunProgress { steps: *steps, time: f64::from_bits(bits.load(Ordering::Relaxed)) };
        self.entries().iter().map(progress).collect()
    }

    /// Begins a run at this time \[s\]; it ends when the returned observer is dropped.
    #[must_use]
    pub fn begin(&self, steps: u64, time: f64) -> Tracker {
        let bits = Arc::new(AtomicU64::new(time.to_bits()));
        self.entries().push((steps, bits.clone()));
        Tracker { token: self.clone(), bits }
    }

    fn entries(&self) -> MutexGuard<'_, Vec<Entry>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Observer that records the times of the rows of one run.
pub struct Tracker {
    token: ProgressToken,
    bits: Arc<AtomicU64>,
}

impl Observer for Tracker {
    fn observe(&mut self, notification: &Notification<'_>) {
        if let Notification::Row(row) = notification {
            self.bits.store(row.time.to_bits(), Ordering::Relaxed);
        }
    }

    fn wants_steps(&self) -> bool {
        false
    }
}

impl Drop for Tracker {
    fn drop(&mut self) {
        self.token.entries().retain(|(_, bits)| !Arc::ptr_eq(bits, &self.bits));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Row;
    use lotka_step::algorithm::Signals;

    #[test]
    fn runs_are_known_while_they_are_made() {
        let token = ProgressToken::default();
        let (mut one, two) = (token.clone().begin(4, -1.0), token.begin(6, -1.0));
        let signals = Signals::default();
        one.observe(&Notification::Row(Row::new(2.5, &signals, &[], &[])));
        let runs = [RunProgress { steps: 4, time: 2.5 }, RunProgress { steps: 6, time: -1.0 }];
        assert_eq!(token.runs(), runs);
        drop(one);
        assert_eq!(token.runs(), runs[1..]);
        drop(two);
        assert_eq!(token.runs(), []);
    }
}
