//! Waiting for a word of the shared memory to change, and waking who waits.
//!
//! `tests/loom` has the same names for its own memory, so that it can run the turns in every order.

pub(super) use std::sync::atomic::AtomicU32;
use std::time::Duration;

use rustix::thread::futex;
use rustix::time::Timespec;

/// Sleeps while the word has this value: until it is woken, the time has passed, or a signal interrupts it.
pub(super) fn wait(word: &AtomicU32, value: u32, time: Duration) {
    let time = Timespec { tv_sec: time.as_secs() as i64, tv_nsec: i64::from(time.subsec_nanos()) };
    // Whether woken, timed out, interrupted or too late: only the word counts.
    let _ = futex::wait(word, futex::Flags::empty(), value, Some(&time));
}

/// Wakes the side that waits for the word, if it does.
#[inline]
pub(super) fn wake(word: &AtomicU32) {
    // It fails only for invalid addresses.
    let _ = futex::wake(word, futex::Flags::empty(), 1);
}
