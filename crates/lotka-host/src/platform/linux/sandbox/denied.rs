//! Records denied system calls: the kernel sends `SIGSYS` for a denied system call. The handler stores the number of the call in
//! memory that the master reads, and makes the call fail with `EPERM`.
//!
//! A process that makes a denied call while it blocks signals, or that removed the handler, is killed by `SIGSYS`.

use std::io;
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use libc::{c_int, c_uint, c_void, siginfo_t, ucontext_t};

use super::calls;

/// A set of numbers of system calls, one bit for each.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DeniedCalls {
    words: &'static [AtomicU64],
}

impl DeniedCalls {
    /// Creates a set in these words; 8 are enough for all calls that are denied.
    pub(crate) fn new(words: &'static [AtomicU64]) -> Self {
        Self { words }
    }

    fn note(&self, number: c_int) {
        let Ok(number) = usize::try_from(number) else { return };
        if let Some(word) = self.words.get(number / 64) {
            word.fetch_or(1 << (number % 64), Relaxed);
        }
    }
}

/// Returns the names of the calls whose bits are set. The memory is not trusted: a number without a name stays a number.
pub(crate) fn denied_names(words: &[AtomicU64]) -> Vec<String> {
    let bits = words.iter().map(|word| word.load(Relaxed)).enumerate();
    let numbers = bits.flat_map(|(at, word)| (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| 64 * at + bit));
    numbers.map(|number| calls::name(number).map_or_else(|| format!("number {number}"), str::to_owned)).collect()
}

/// The set used by the handler, initialized before the handler is installed.
static DENIED: OnceLock<DeniedCalls> = OnceLock::new();

/// Installs the handler, and unblocks its signal.
pub(super) fn note_in(denied: DeniedCalls) -> io::Result<()> {
    DENIED.get_or_init(|| denied);
    // SAFETY: the structure is made of integers, a set of bits and a pointer that may be null.
    let mut action: libc::sigaction = unsafe { MaybeUninit::zeroed().assume_init() };
    action.sa_sigaction = deny as *const () as usize;
    action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_NODEFER | libc::SA_RESTART;
    // SAFETY: the action is complete: its empty mask is all zeros, and the handler has the type that the flags announce.
    succeed(unsafe { libc::sigaction(libc::SIGSYS, &raw const action, ptr::null_mut()) })?;
    let mut signals = action.sa_mask;
    // SAFETY: the set is initialized.
    succeed(unsafe { libc::sigaddset(&raw mut signals, libc::SIGSYS) })?;
    // SAFETY: the set is initialized.
    succeed(unsafe { libc::sigprocmask(libc::SIG_UNBLOCK, &raw const signals, ptr::null_mut()) })
}

fn succeed(result: c_int) -> io::Result<()> {
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// `siginfo_t` as it is for a denied system call.
#[repr(C)]
struct Denial {
    signal: c_int,
    error: c_int,
    code: c_int,
    address: *const c_void,
    number: c_int,
    architecture: c_uint,
}

/// `si_code` of a signal from a seccomp filter.
const SYS_SECCOMP: c_int = 1;

/// The handler. It only reads and writes memory: it may run at any point of any thread.
extern "C" fn deny(_: c_int, information: *mut siginfo_t, context: *mut c_void) {
    // SAFETY: the kernel passes information about a signal, whose fields for `SIGSYS` are these.
    let denial = unsafe { &*information.cast::<Denial>() };
    if denial.code != SYS_SECCOMP {
        return;
    }
    if let Some(denied) = DENIED.get() {
        denied.note(denial.number);
    }
    // SAFETY: the kernel passes the context of the thread, which no other code uses before the handler returns.
    let context = unsafe { &mut *context.cast::<ucontext_t>() };
    fail(context);
}

/// Makes the interrupted system call return that it is not permitted.
#[cfg(target_arch = "x86_64")]
fn fail(context: &mut ucontext_t) {
    context.uc_mcontext.gregs[libc::REG_RAX as usize] = -i64::from(libc::EPERM);
}

/// Makes the interrupted system call return that it is not permitted.
#[cfg(target_arch = "aarch64")]
fn fail(context: &mut ucontext_t) {
    context.uc_mcontext.regs[0] = i64::from(-libc::EPERM) as u64;
}

/// There is no filter on other processors.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn fail(_: &mut ucontext_t) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noted_calls_get_their_names() {
        let words: &'static [AtomicU64] = Box::leak((0..16).map(|_| AtomicU64::new(0)).collect());
        let denied = DeniedCalls::new(words);
        assert!(denied_names(words).is_empty());
        for number in [libc::SYS_socket, libc::SYS_execve, libc::SYS_socket, 1000] {
            denied.note(number as c_int);
        }
        for number in [-1, 1024, c_int::MAX] {
            denied.note(number);
        }
        let mut names = denied_names(words);
        names.sort();
        assert_eq!(names, ["execve", "number 1000", "socket"]);
    }
}
