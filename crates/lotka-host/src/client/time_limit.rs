//! How long a request may take.
//!
//! Only time in which the FMU could run counts: on a busy machine its process waits for a core, which says nothing about the FMU.

use std::fs;
use std::time::{Duration, Instant};

/// Shortest sleep near the end of a limit.
const SHORTEST: Duration = Duration::from_millis(1);

/// What the clocks show.
#[derive(Clone, Copy)]
struct Moment {
    now: Instant,
    /// How long the host, and the thread that asks it, have waited for a core so far.
    waited: Duration,
}

/// How long a request and its reply may take, all parts of them together.
pub(super) struct TimeLimit {
    limit: Option<Duration>,
    /// The clocks are read only by who has to wait.
    start: Option<Moment>,
}

impl TimeLimit {
    #[inline]
    pub fn new(limit: Option<Duration>) -> Self {
        Self { limit, start: None }
    }

    /// How long to sleep now, no longer than `most`.
    pub fn pause(&self, most: Duration) -> Duration {
        let Some(limit) = self.limit else { return most };
        let left = self.start.map_or(limit, |start| limit.saturating_sub(start.now.elapsed()));
        left.clamp(SHORTEST, most.max(SHORTEST))
    }

    /// The limit, if it has passed; counted from the first time that it is asked.
    pub fn passed(&mut self, host: u32) -> Option<Duration> {
        self.passed_by(|| Moment { now: Instant::now(), waited: waited(&host.to_string()) + waited("thread-self") })
    }

    fn passed_by(&mut self, moment: impl Fn() -> Moment) -> Option<Duration> {
        let limit = self.limit?;
        let start = *self.start.get_or_insert_with(&moment);
        if start.now.elapsed() < limit {
            return None;
        }
        let end = moment();
        let elapsed = end.now.duration_since(start.now).saturating_sub(end.waited.saturating_sub(start.waited));
        (elapsed >= limit).then_some(limit)
    }
}

/// How long a process has been ready to run and had no core; zero where the system does not say.
fn waited(process: &str) -> Duration {
    let text = fs::read_to_string(format!("/proc/{process}/schedstat")).unwrap_or_default();
    let nanoseconds = text.split_whitespace().nth(1).and_then(|number| number.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn time_without_a_core_does_not_count() {
        let begin = Instant::now().checked_sub(3600 * SECOND).unwrap();
        let (seconds, waited) = (Cell::new(0), Cell::new(0));
        let moment = || Moment { now: begin + seconds.get() * SECOND, waited: waited.get() * SECOND };
        let mut time = TimeLimit::new(Some(10 * SECOND));
        assert_eq!(time.passed_by(moment), None);
        for (now, waiting, expected) in
            [(9, 0, None), (12, 3, None), (100, 90, Some(10 * SECOND)), (100, 91, None), (109, 99, Some(10 * SECOND))]
        {
            seconds.set(now);
            waited.set(waiting);
            assert_eq!(time.passed_by(moment), expected, "{now} s, {waiting} s of them without a core");
        }
        assert_eq!(TimeLimit::new(None).passed_by(moment), None);
    }

    #[test]
    fn nobody_sleeps_beyond_the_limit_or_not_at_all() {
        let most = Duration::from_millis(10);
        assert_eq!(TimeLimit::new(None).pause(most), most);
        assert_eq!(TimeLimit::new(Some(SECOND)).pause(most), most);
        assert_eq!(TimeLimit::new(Some(Duration::from_millis(3))).pause(most), Duration::from_millis(3));
        assert_eq!(TimeLimit::new(Some(Duration::ZERO)).pause(most), SHORTEST);
    }

    #[test]
    fn the_system_says_how_long_a_process_waited() {
        assert!(waited("thread-self") <= waited("thread-self"));
        assert_eq!(waited("no process"), Duration::ZERO);
    }
}
