//! The time limit of a request.
//!
//! Only time in which the FMU could run counts: on a busy machine its process waits for a core, which is unrelated to the FMU.
//! The requesting thread must run, too, because a host with much data waits for it. Both may wait at the same time. Therefore the
//! longer of the two waits is excluded: their sum can exceed the elapsed time.
//!
//! The process of an FMU can wait for its own threads, which keep the cores busy. Therefore the limit has passed, too, when all
//! threads together have used so much processor time as all cores have in that time, and in any case when [`HARDEST`] times as
//! much time has passed.

use std::thread;
use std::time::{Duration, Instant};

use crate::platform::cgroup::HostCgroup;
use crate::platform::{processor_time, wait_for_core};

/// Minimum sleep near the end of a limit.
const SHORTEST: Duration = Duration::from_millis(1);

/// No wait for a core excuses a call that takes this many times its limit.
const HARDEST: u32 = 10;

/// Readings of the clocks.
#[derive(Clone, Copy)]
struct Moment {
    now: Instant,
    /// Processor time of all threads of the host so far, and in a cgroup of all processes that it started, divided by the number
    /// of cores.
    used: Duration,
    /// Time that the host, and the requesting thread, have waited for a core so far.
    waited: [Duration; 2],
}

impl Moment {
    /// Time since `start` in which both could run.
    fn ran_since(self, start: Self) -> Duration {
        let waits = self.waited.iter().zip(start.waited).map(|(now, then)| now.saturating_sub(then));
        (self.now - start.now).saturating_sub(waits.max().unwrap_or_default())
    }
}

/// The time limit of a request and its reply, including all parts.
pub(super) struct TimeLimit {
    limit: Option<Duration>,
    /// The clocks are read only if a side must wait.
    start: Option<Moment>,
}

impl TimeLimit {
    #[inline]
    pub fn new(limit: Option<Duration>) -> Self {
        Self { limit, start: None }
    }

    /// Time to sleep now, at most `most`.
    pub fn pause(&self, most: Duration) -> Duration {
        let Some(limit) = self.limit else { return most };
        let left = self.start.map_or(limit, |start| limit.saturating_sub(start.now.elapsed()));
        left.clamp(SHORTEST, most.max(SHORTEST))
    }

    /// Returns the limit, if it has passed; the time counts from the first call.
    pub fn passed(&mut self, host: u32, cgroup: Option<&HostCgroup>) -> Option<Duration> {
        self.passed_by(|| Moment {
            now: Instant::now(),
            used: used(host, cgroup) / cores(),
            waited: [wait_for_core(Some(host)), wait_for_core(None)],
        })
    }

    fn passed_by(&mut self, moment: impl Fn() -> Moment) -> Option<Duration> {
        let limit = self.limit?;
        let start = *self.start.get_or_insert_with(&moment);
        if start.now.elapsed() < limit {
            return None;
        }
        let now = moment();
        let has_passed = now.ran_since(start) >= limit
            || now.used.saturating_sub(start.used) >= limit
            || now.now - start.now >= limit.saturating_mul(HARDEST);
        has_passed.then_some(limit)
    }
}

/// Number of cores that this process may use.
fn cores() -> u32 {
    thread::available_parallelism().map_or(1, |cores| u32::try_from(cores.get()).unwrap_or(u32::MAX))
}

/// Processor time of all processes of a cgroup; without one, of all threads of a process. Those that have ended count. Zero if
/// the system does not report it.
fn used(process: u32, cgroup: Option<&HostCgroup>) -> Duration {
    cgroup.and_then(HostCgroup::cpu_time).unwrap_or_else(|| processor_time(process))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::cgroup::tests::Tree;
    use std::cell::Cell;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn time_without_a_core_does_not_count() {
        let begin = Instant::now().checked_sub(3600 * SECOND).unwrap();
        let (seconds, waited, used) = (Cell::new(0), Cell::new([0, 0]), Cell::new(0));
        let moment = || Moment {
            now: begin + seconds.get() * SECOND,
            used: used.get() * SECOND,
            waited: waited.get().map(|waited| waited * SECOND),
        };
        let mut time = TimeLimit::new(Some(10 * SECOND));
        assert_eq!(time.passed_by(moment), None);
        let over = Some(10 * SECOND);
        for (now, host, thread, all, expected) in [
            (9, 0, 0, 9, None),
            (12, 3, 0, 9, None),
            (12, 0, 3, 9, None),
            (12, 2, 2, 9, over),
            (99, 90, 0, 0, None),
            (98, 88, 88, 0, over),
            (99, 99, 20, 0, None),
            // Its own threads keep the cores busy.
            (12, 11, 0, 10, over),
            (99, 98, 0, 9, None),
            (100, 99, 0, 9, over),
        ] {
            seconds.set(now);
            waited.set([host, thread]);
            used.set(all);
            let what = format!("{now} s, without a core: {host} s the host, {thread} s the thread; all threads {all} s");
            assert_eq!(time.passed_by(moment), expected, "{what}");
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
        let begun = |ago: Duration| {
            let now = Instant::now().checked_sub(ago).unwrap();
            let start = Some(Moment { now, used: Duration::ZERO, waited: [Duration::ZERO; 2] });
            TimeLimit { limit: Some(SECOND), start }.pause(most)
        };
        assert!(
            (SHORTEST..=Duration::from_millis(3)).contains(&begun(SECOND - Duration::from_millis(3))),
            "what is left of the limit"
        );
        assert_eq!(begun(2 * SECOND), SHORTEST);
    }

    #[test]
    fn processes_of_a_cgroup_count_together() {
        let tree = Tree::new("", &[]);
        assert_eq!(used(u32::MAX, Some(&tree.having_used(SECOND))), SECOND);
    }
}
