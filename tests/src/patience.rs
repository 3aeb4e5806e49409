//! Waiting for what a test caused. How long it takes decides nothing: what never comes ends the test after a time in which a machine that works at
//! all gets anything done.

use std::{
    thread,
    time::{Duration, Instant},
};

/// Time after which something never comes.
pub const PATIENCE: Duration = Duration::from_secs(600);

/// How often it is looked.
const LOOK: Duration = Duration::from_millis(1);

/// Waits until a condition is true.
///
/// # Panics
/// It never is.
#[track_caller]
pub fn wait_until(what: &str, mut is_true: impl FnMut() -> bool) {
    let mut poll = Poll::default();
    while !is_true() {
        poll.pause(what);
    }
}

/// The pauses between looks.
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
