//! Signals: interrupts, which wait until a process is ready for them, and faults. Those that were ignored stay ignored.

use std::{ffi::c_int, marker::PhantomData, mem::MaybeUninit, ptr};

use libc::sigset_t;

use lotka_instance::ProcessEnd;

use super::process_state::handler;

/// The signals that interrupt a command.
const INTERRUPTS: [c_int; 3] = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP];

/// Whether this process ignores a signal.
fn is_ignored(signal: c_int) -> bool {
    handler(signal) == libc::SIG_IGN
}

/// How processes end that are interrupted without a handler.
pub(crate) fn interrupts() -> [ProcessEnd; 3] {
    INTERRUPTS.map(ProcessEnd::Signal)
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
pub(crate) struct HeldSignals {
    /// The mask before.
    before: sigset_t,
    /// It belongs to the thread that made it.
    _thread: PhantomData<*const ()>,
}

impl HeldSignals {
    pub(crate) fn new() -> Self {
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

/// Leaves interrupts from the terminal, which all processes of it receive, to the parent.
pub(crate) fn leave_interrupts_to_the_parent() {
    INTERRUPTS.into_iter().filter(|signal| !is_ignored(*signal)).for_each(do_nothing_at);
}

/// Makes writing beyond the file size limit (`ulimit -f`) an error from now on, instead of the end of this process. This also
/// applies to FMUs in it.
pub fn survive_file_size_limit() {
    do_nothing_at(libc::SIGXFSZ);
}

/// Installs an empty handler. Ignoring the signal instead would be inherited by programs that an FMU starts.
fn do_nothing_at(signal: c_int) {
    extern "C" fn nothing(_: c_int) {}
    let handler: extern "C" fn(c_int) = nothing;
    // SAFETY: the handler does nothing, so it may be called anywhere; system calls continue after it, as documented for `signal`
    // of the C library.
    unsafe { libc::signal(signal, handler as libc::sighandler_t) };
}

/// Restores what the system does at faults: Rust's runtime handles them to detect stack overflows, but an FMU must receive the
/// signals like any program.
pub(crate) fn leave_faults_to_the_system() {
    for signal in [libc::SIGSEGV, libc::SIGBUS] {
        // SAFETY: the default disposition is right for any program.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
}

/// How a process ends after [`end_in`].
pub(crate) const TIME_IS_UP: ProcessEnd = ProcessEnd::Signal(libc::SIGALRM);

/// Ends this process in so many seconds, if it has not ended before.
pub(crate) fn end_in(seconds: u32) {
    // SAFETY: sets the disposition of a signal that nothing in this process uses.
    unsafe { libc::signal(libc::SIGALRM, libc::SIG_DFL) };
    // SAFETY: has no preconditions.
    unsafe { libc::alarm(seconds) };
}
