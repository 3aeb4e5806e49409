//! When rows are handed on although there are few of them.

use std::time::{Duration, Instant};

/// Rows wait about this long at most: what a slow run has computed is on disk even if an FMU brings the process down.
const LONGEST_WAIT: Duration = Duration::from_secs(1);

/// Most rows between two looks at the clock, which costs about as much as a row.
const MOST_ROWS: u32 = 1024;

/// Tells when it is time.
pub(crate) struct Pace {
    handed_on: Instant,
    looked: Instant,
    /// Rows until the next look, and how many there were from the last one to it.
    left: u32,
    every: u32,
}

impl Pace {
    pub(crate) fn new() -> Self {
        let now = Instant::now();
        Self { handed_on: now, looked: now, left: 1, every: 1 }
    }

    /// Whether the rows should be handed on after this one.
    pub(crate) fn is_time(&mut self) -> bool {
        self.left -= 1;
        self.left == 0 && self.look(Instant::now())
    }

    /// Fast runs look at the clock less and less, slow ones after every row.
    fn look(&mut self, now: Instant) -> bool {
        let since = now - self.looked;
        self.every = if since < LONGEST_WAIT / 100 { (2 * self.every).min(MOST_ROWS) } else { (self.every / 4).max(1) };
        (self.looked, self.left) = (now, self.every);
        let is_time = now - self.handed_on >= LONGEST_WAIT;
        if is_time {
            self.handed_on = now;
        }
        is_time
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many of `rows` rows are followed by a look, and how many by handing on, when each takes `row`.
    fn looks_and_times(rows: u32, row: Duration) -> (u32, u32) {
        let mut pace = Pace::new();
        let (mut now, mut looks, mut times) = (pace.handed_on, 0, 0);
        for _ in 0..rows {
            now += row;
            pace.left -= 1;
            if pace.left == 0 {
                looks += 1;
                times += u32::from(pace.look(now));
            }
        }
        (looks, times)
    }

    #[test]
    fn fast_runs_look_seldom_and_slow_ones_always() {
        let (looks, times) = looks_and_times(100_000, Duration::from_nanos(100));
        assert!(looks < 120 && times == 0, "{looks} {times}");
        assert_eq!(looks_and_times(10, Duration::from_secs(2)), (10, 10));
    }

    #[test]
    fn rows_wait_about_a_second() {
        let (_, times) = looks_and_times(1000, Duration::from_millis(50));
        assert!((45..=50).contains(&times), "{times}");
    }
}
