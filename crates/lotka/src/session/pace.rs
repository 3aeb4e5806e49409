//! The pace of a session: simulated time against the clock.

use std::time::{Duration, Instant};

/// Lets simulated time pass no faster than a multiple of the clock.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pace {
    factor: f64,
    since: Instant,
    /// Simulated time then \[s\].
    from: f64,
}

/// Steps that ended later than the pace requests.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Overruns {
    /// Their number.
    pub count: u64,
    /// The longest delay.
    pub longest: Duration,
}

impl Pace {
    pub(super) fn new(factor: f64, from: f64) -> Self {
        assert!(factor > 0.0, "the pace must be positive, found {factor}");
        Self { factor, since: Instant::now(), from }
    }

    pub(super) fn factor(&self) -> f64 {
        self.factor
    }

    /// Waits until the clock has reached `time` \[s\]; returns how late it is.
    pub(super) fn wait_for(&self, time: f64) -> Duration {
        let due = Duration::try_from_secs_f64((time - self.from) / self.factor).unwrap_or(Duration::MAX);
        let elapsed = self.since.elapsed();
        match due.checked_sub(elapsed) {
            Some(early) => {
                std::thread::sleep(early);
                Duration::ZERO
            }
            None => elapsed - due,
        }
    }
}

impl Overruns {
    pub(super) fn add(&mut self, late: Duration) {
        self.count += u64::from(!late.is_zero());
        self.longest = self.longest.max(late);
    }
}
