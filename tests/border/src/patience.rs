//! Waits for the effects of a test. The time limit does not affect results: it is so long that any working machine meets it.

use std::{
    thread,
    time::{Duration, Instant},
};

/// Time after which a wait has failed.
pub const PATIENCE: Duration = Duration::from_secs(600);

/// Polling interval.
const LOOK: Duration = Duration::from_millis(1);

/// Waits until a condition is true.
///
/// # Panics
/// Panics if the condition is still false after [`PATIENCE`].
#[track_caller]
pub fn wait_until(what: &str, mut is_true: impl FnMut() -> bool) {
    let mut poll = Poll::default();
    while !is_true() {
        poll.pause(what);
    }
}

/// Pauses between two polls.
#[derive(Debug)]
pub(crate) struct Poll(Instant);

impl Default for Poll {
    fn default() -> Self {
        Self(Instant::now())
    }
}

impl Poll {
    #[track_caller]
    pub(crate) fn pause(&mut self, what: &str) {
        assert!(self.0.elapsed() < PATIENCE, "waited for minutes until {what}");
        thread::sleep(LOOK);
    }
}
