//! Interrupt signals: which they are, how they wait until a process is ready for them, and that those stay ignored that were.

use std::{ffi::c_int, marker::PhantomData, mem::MaybeUninit, ptr};

use libc::sigset_t;

use crate::process_state::handler;

/// The signals that interrupt a command.
pub(super) const INTERRUPTS: [c_int; 3] = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP];

/// Whether this process ignores a signal.
pub(super) fn is_ignored(signal: c_int) -> bool {
    handler(signal) == libc::SIG_IGN
}

/// Calls `install`, which installs a handler of interrupts, except for those that this process ignores: `nohup`, and `&` in a
/// script, start programs in this way, and the programs that it starts inherit it.
pub fn leave_ignored<T>(install: impl FnOnce() -> T) -> T {
    let ignored: Vec<_> = INTERRUPTS.into_iter().filter(|signal| is_ignored(*signal)).collect();
    let _held = HeldSignals::new();
    let result = install();
    for signal in ignored {
        // SAFETY: ignoring a signal calls nothing.
        unsafe { libc::signal(signal, libc::SIG_IGN) };
    }
    result
}

/// Holds interrupts back from this thread while it exists. Those that came arrive at its end.
pub(super) struct HeldSignals {
    /// The mask before.
    before: sigset_t,
    /// It belongs to the thread that made it.
    _thread: PhantomData<*const ()>,
}

impl HeldSignals {
    pub(super) fn new() -> Self {
        let (mut held, mut before) = (MaybeUninit::uninit(), MaybeUninit::uninit());
        // SAFETY: the set belongs to this function; the call initializes it.
        unsafe { libc::sigemptyset(held.as_mut_ptr()) };
        for signal in INTERRUPTS {
            // SAFETY: the set is initialized.
            unsafe { libc::sigaddset(held.as_mut_ptr(), signal) };
        }
        // SAFETY: both sets belong to this function; the first one is initialized.
        unsafe { libc::pthread_sigmask(libc::SIG_BLOCK, held.as_ptr(), before.as_mut_ptr()) };
        // SAFETY: the call fails only for an unknown first argument, and initializes the second set.
        Self { before: unsafe { before.assume_init() }, _thread: PhantomData }
    }
}

impl Drop for HeldSignals {
    fn drop(&mut self) {
        // SAFETY: the mask was that of this thread.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &raw const self.before, ptr::null_mut()) };
    }
}
