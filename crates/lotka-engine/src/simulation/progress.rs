//! How far the runs of a `tolerance` are, seen from another thread.

use std::sync::{
    Arc, Mutex, MutexGuard, PoisonError,
    atomic::{AtomicU64, Ordering},
};

use crate::record::{Event, Observer};

/// One of the runs that make up a run with `tolerance`, while it is made.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct RunProgress {
    /// Its communication steps from one row to the next.
    pub steps: u64,
    /// Time of its last row \[s\].
    pub time: f64,
}

/// Knows which runs of a `tolerance` are being made, of which observers hear only when they are finished; clones share it.
#[derive(Debug, Clone, Default)]
pub struct ProgressToken(Arc<Mutex<Vec<Entry>>>);

/// Communication steps, and the bits of the time of the last row.
type Entry = (u64, Arc<AtomicU64>);

impl ProgressToken {
    /// The runs that are being made: one, or two at the same time; none between runs, and in runs without `tolerance`.
    #[must_use]
    pub fn runs(&self) -> Vec<RunProgress> {
        let progress = |(steps, bits): &Entry| RunProgress { steps: *steps, time: f64::from_bits(bits.load(Ordering::Relaxed)) };
        self.entries().iter().map(progress).collect()
    }

    /// A run begins at this time \[s\]; it is over when the tracker is dropped, which is to observe it.
    pub(super) fn begin(&self, steps: u64, time: f64) -> Tracker {
        let bits = Arc::new(AtomicU64::new(time.to_bits()));
        self.entries().push((steps, bits.clone()));
        Tracker { token: self.clone(), bits }
    }

    fn entries(&self) -> MutexGuard<'_, Vec<Entry>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Notes the times of the rows of one run.
pub(super) struct Tracker {
    token: ProgressToken,
    bits: Arc<AtomicU64>,
}

impl Observer for Tracker {
    fn observe(&mut self, event: &Event<'_>) {
        if let Event::Row(row) = event {
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
    use crate::{algorithm::Signals, record::Row};

    #[test]
    fn runs_are_known_while_they_are_made() {
        let token = ProgressToken::default();
        let (mut one, two) = (token.clone().begin(4, -1.0), token.begin(6, -1.0));
        let signals = Signals::default();
        one.observe(&Event::Row(Row { time: 2.5, signals: &signals, sources: &[], estimates: &[] }));
        let runs = [RunProgress { steps: 4, time: 2.5 }, RunProgress { steps: 6, time: -1.0 }];
        assert_eq!(token.runs(), runs);
        drop(one);
        assert_eq!(token.runs(), runs[1..]);
        drop(two);
        assert_eq!(token.runs(), []);
    }
}
