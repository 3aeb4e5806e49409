//! Interrupt signals that wait until a process is ready for them.

use std::{ffi::c_int, marker::PhantomData, mem::MaybeUninit, ptr};

use libc::sigset_t;

/// Holds signals back from this thread while it exists. Those that came arrive at its end.
pub(super) struct HeldSignals {
    /// The mask before.
    before: sigset_t,
    /// It belongs to the thread that made it.
    _thread: PhantomData<*const ()>,
}

impl HeldSignals {
    pub(super) fn new(signals: &[c_int]) -> Self {
        let (mut held, mut before) = (MaybeUninit::uninit(), MaybeUninit::uninit());
        // SAFETY: the set belongs to this function; the call initializes it.
        unsafe { libc::sigemptyset(held.as_mut_ptr()) };
        for &signal in signals {
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
