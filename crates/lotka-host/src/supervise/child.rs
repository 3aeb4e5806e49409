//! The child: all preparations before an FMU is loaded.

use std::ffi::c_int;
use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use rustix::io::{Errno, fcntl_dupfd_cloexec};
use rustix::process::{Pid, Signal, getppid, set_parent_process_death_signal};
use rustix::stdio::{dup2_stderr, dup2_stdin, dup2_stdout, stderr, stdout};
use rustix::thread::futex;

use super::KeptRows;
use super::interrupts::{INTERRUPTS, is_ignored};
use super::page::Page;

/// Time limit for exit handlers of FMUs at the end \[s\].
pub(super) const LAST_WORDS: u32 = 5;

/// The process that supervises this one; 0 without a supervisor.
static SUPERVISOR: AtomicU32 = AtomicU32::new(0);

/// Returns the process that supervises this one.
pub(crate) fn supervisor() -> Option<u32> {
    Some(SUPERVISOR.load(Ordering::Relaxed)).filter(|number| *number != 0)
}

/// This process, which is a child.
pub struct Supervised {
    page: &'static Page,
    results: File,
    messages: Option<File>,
}

impl Supervised {
    /// Prepares this process, a child: it ends with its parent from now on, and leaves interrupt signals to the parent. Calls
    /// into FMUs are recorded, and lines printed by FMUs go to stderr. FMUs cannot access stdout and have no input on stdin.
    ///
    /// # Errors
    /// The streams cannot be set up, or the parent is gone.
    pub(super) fn new(page: Page, parent: Pid) -> io::Result<Self> {
        set_parent_process_death_signal(Some(Signal::KILL))?;
        if getppid() != Some(parent) {
            return Err(io::Error::other("the process that started this one is gone"));
        }
        SUPERVISOR.store(parent.as_raw_nonzero().get().unsigned_abs(), Ordering::Relaxed);
        dup2_stdin(File::open("/dev/null")?)?;
        // Numbered after the standard streams, and not inherited by programs that FMUs start.
        let results = File::from(fcntl_dupfd_cloexec(stdout(), 3)?);
        dup2_stdout(stderr())?;
        leave_interrupts_to_the_parent();
        let page: &'static Page = Box::leak(Box::new(page));
        page.calls().into_iter().for_each(fmu::record_calls_in);
        Ok(Self { page, results, messages: None })
    }

    /// Hides all lines printed by FMUs from now on. Call this before any FMU is loaded.
    ///
    /// # Errors
    /// The streams cannot be set up.
    pub fn silence(self) -> io::Result<Self> {
        let messages = File::from(fcntl_dupfd_cloexec(stderr(), 3)?);
        let nowhere = File::options().write(true).open("/dev/null")?;
        dup2_stdout(&nowhere)?;
        dup2_stderr(&nowhere)?;
        Ok(Self { messages: Some(messages), ..self })
    }

    /// The original stderr, for messages, if FMUs are [silenced](Self::silence).
    #[must_use]
    pub fn messages(&self) -> Option<&File> {
        self.messages.as_ref()
    }

    /// Marks a message as not written, so that the parent reports it at the end.
    pub fn leave_unreported(&self) {
        self.page.leave_unreported();
    }

    /// Returns the original stdout, for results.
    ///
    /// # Errors
    /// There are too many open files.
    pub fn results(&self) -> io::Result<File> {
        Ok(self.results.as_fd().try_clone_to_owned()?.into())
    }

    /// Calls `act` at the first interrupt, on a separate thread; the parent handles further ones. Without this call, interrupts
    /// end this process at once.
    ///
    /// # Errors
    /// A thread cannot be started.
    pub fn on_interrupt(&self, act: impl FnOnce() + Send + 'static) -> io::Result<()> {
        let page = self.page;
        thread::Builder::new().name("interrupts".to_owned()).spawn(move || {
            while page.interrupts().load(Ordering::SeqCst) == 0 {
                match futex::wait(page.interrupts(), futex::Flags::empty(), 0, None) {
                    Ok(()) | Err(Errno::INTR | Errno::AGAIN) => {}
                    Err(_) => return,
                }
            }
            act();
        })?;
        // The thread need not run yet: it checks the number first.
        page.listens().store(1, Ordering::SeqCst);
        Ok(())
    }

    /// Returns the only place for rows of results that wait to be written.
    #[must_use]
    pub fn rows(&self) -> KeptRows {
        KeptRows::new(self.page.rows())
    }

    /// Announces that the process is about to end with this code. Exit handlers of FMUs run after this and have a few seconds.
    pub fn end(&self, code: u8) {
        self.page.end(code);
        // SAFETY: sets the disposition of a signal that nothing in this process uses.
        unsafe { libc::signal(libc::SIGALRM, libc::SIG_DFL) };
        // SAFETY: has no preconditions.
        unsafe { libc::alarm(LAST_WORDS) };
    }
}

fn leave_interrupts_to_the_parent() {
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
