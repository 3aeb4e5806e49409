//! Sleep until a word in shared memory changes.

use std::io;
use std::sync::atomic::AtomicU32;
use std::time::Duration;

use rustix::io::Errno;
use rustix::thread::{futex, sched_yield};
use rustix::time::Timespec;

/// Sleeps while the word has this value, at most for this time. It may return early: the caller looks at the word again.
///
/// # Errors
/// The system cannot wait.
pub(crate) fn wait(word: &AtomicU32, value: u32, time: Option<Duration>) -> io::Result<()> {
    let time = time.map(|time| Timespec { tv_sec: time.as_secs() as i64, tv_nsec: i64::from(time.subsec_nanos()) });
    match futex::wait(word, futex::Flags::empty(), value, time.as_ref()) {
        Ok(()) | Err(Errno::INTR | Errno::AGAIN | Errno::TIMEDOUT) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Wakes one thread that sleeps at the word, in whichever process.
#[inline]
pub(crate) fn wake(word: &AtomicU32) {
    // It fails only for invalid addresses.
    let _ = futex::wake(word, futex::Flags::empty(), 1);
}

/// Leaves the core to other threads that are ready.
pub(crate) fn give_way() {
    sched_yield();
}
