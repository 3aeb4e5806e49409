//! Waiting for a word of the shared memory to change, and waking who waits.
//!
//! `tests/loom` has the same names for its own memory, so that it can run the turns in every order.

pub(super) use std::sync::atomic::AtomicU32;
use std::time::Duration;

use crate::platform;
pub(super) use crate::platform::wake;

/// Sleeps while the word has this value: until it is woken, the time has passed, or a signal interrupts it.
pub(super) fn wait(word: &AtomicU32, value: u32, time: Duration) {
    // Whether woken, timed out, interrupted or too late: only the word counts.
    let _ = platform::wait(word, value, Some(time));
}
