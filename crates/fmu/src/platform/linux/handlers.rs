//! Handlers of the signals that users, shells and other programs send.

use std::{mem, ptr};

/// Signals whose handlers belong to the program.
const SIGNALS: [i32; 5] = [libc::SIGHUP, libc::SIGINT, libc::SIGQUIT, libc::SIGPIPE, libc::SIGTERM];

/// A flag of how a handler returns, which the C library adds whenever it sets an action, even if it sets the one that there was,
/// as `system` does.
const RESTORER: i32 = 0x0400_0000;

/// The handlers at one time.
pub(super) struct Handlers([libc::sigaction; SIGNALS.len()]);

impl Handlers {
    pub fn read() -> Self {
        Self(SIGNALS.map(read))
    }

    /// Restores what was changed; returns whether something was.
    pub fn put_back(self) -> bool {
        let differs = |(signal, before): &(&i32, &libc::sigaction)| {
            let now = read(**signal);
            now.sa_sigaction != before.sa_sigaction || (now.sa_flags ^ before.sa_flags) & !RESTORER != 0
        };
        let changed = SIGNALS.iter().zip(&self.0).filter(differs);
        let restored = changed.map(|(signal, before)| {
            // SAFETY: the action was read before.
            unsafe { libc::sigaction(*signal, before, ptr::null_mut()) }
        });
        restored.count() > 0
    }
}

fn read(signal: i32) -> libc::sigaction {
    // SAFETY: all fields are integers and addresses, for which zero is a valid value.
    let mut action: libc::sigaction = unsafe { mem::zeroed() };
    // SAFETY: without a new action `sigaction` only writes the present one to the given address.
    unsafe { libc::sigaction(signal, ptr::null(), &raw mut action) };
    action
}
