//! The limit of steps that instances cut short: by events, early returns, or discarded steps.
//!
//! Each of them advances the run, perhaps by a rounding of the time, so that no single one is an error. Together they are, if the
//! run does not come to its end with them.

use crate::event::Cause;

/// Number of cut steps after which progress is measured for the first time, and whenever their number has doubled.
const COUNT: u32 = 10_000;

/// Number of cut steps that a run may have left: an hour of events at more than 20 kHz.
const MOST_LEFT: f64 = 1e8;

/// The more cut steps there were, the fewer may be left: a few may be a burst of events in a long run.
const MOST_PRODUCT: f64 = 5e14;

/// The progress since some cut steps.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Progress {
    /// Time until which the run is to advance \[s\].
    pub(super) until: f64,
    /// Time at which counting began \[s\].
    begin: f64,
    count: u32,
    /// Number at which progress is measured.
    next: u32,
    /// The cause of the last cut.
    pub(super) cause: Option<Cause>,
}

/// Number of cut steps, the time that they advanced the run by \[s\], and the number of such steps left.
pub(super) type TooSlow = (u32, f64, f64);

impl Progress {
    pub(super) fn new(begin: f64, until: f64) -> Self {
        Self { until, begin, count: 0, next: COUNT, cause: None }
    }

    /// Counts a cut step that ends at `time` \[s\].
    pub(super) fn pass(&mut self, time: f64) -> Result<(), TooSlow> {
        self.count += 1;
        if self.count < self.next {
            return Ok(());
        }
        let (count, advance) = (f64::from(self.count), time - self.begin);
        let left = count * (self.until - time) / advance;
        if left <= MOST_LEFT {
            *self = Self { cause: self.cause, ..Self::new(time, self.until) };
        } else if count * left > MOST_PRODUCT {
            return Err((self.count, advance, left));
        } else {
            self.next = self.count.saturating_mul(2);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of cut steps of this size until they are too slow; `None` if they reach the end.
    fn steps(h: f64, until: f64) -> Option<u32> {
        let (mut progress, mut time) = (Progress::new(0.0, until), 0.0);
        (1..1_000_000).take_while(|n| f64::from(*n) * h < until).find(|_| {
            time += h;
            progress.pass(time).is_err()
        })
    }

    #[test]
    fn a_run_that_never_ends_is_noticed_soon() {
        for h in [1e-11, 1e-12, f64::MIN_POSITIVE, 0.0] {
            assert_eq!(steps(h, 1.0), Some(COUNT), "{h}");
        }
        assert_eq!(steps(1e-9, 1.0), Some(64 * COUNT));
    }

    #[test]
    fn bursts_of_events_are_no_lack_of_progress() {
        for (h, until) in [(1e-4, 3600.0), (5e-5, 3600.0), (1e-5, 1.0), (1e-9, 1e-3)] {
            assert_eq!(steps(h, until), None, "{h} until {until}");
        }
        // 100 s at 1 kHz in a run of eleven days.
        let mut progress = Progress::new(0.0, 1e6);
        assert!((1..=100_000).all(|n| progress.pass(f64::from(n) * 1e-3).is_ok()));
    }
}
