//! The child: everything that is to be arranged before an FMU is loaded.

use std::ffi::c_int;
use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::sync::atomic::Ordering;
use std::thread;

use rustix::io::{Errno, fcntl_dupfd_cloexec};
use rustix::process::{Signal, getppid, set_parent_process_death_signal};
use rustix::stdio::{dup2_stderr, dup2_stdin, dup2_stdout, stderr, stdin, stdout};
use rustix::thread::futex;

use super::KeptRows;
use super::page::Page;

/// Time that exit handlers of FMUs get at the end \[s\].
pub(super) const LAST_WORDS: u32 = 5;

/// The signals that interrupt a command.
pub(super) const INTERRUPTS: [c_int; 3] = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP];

/// This process, if it is a child.
pub struct Supervised {
    page: &'static Page,
    results: File,
    messages: Option<File>,
}

impl Supervised {
    /// Finds out whether this process is a child. If so, it dies with its parent from now on, signals that interrupt are left to the parent,
    /// calls into FMUs are recorded, and what FMUs print goes to stderr; they cannot reach stdout and have nothing to read at stdin. To be
    /// called before anything else is done.
    ///
    /// # Errors
    /// The streams cannot be arranged so, or the parent is gone.
    pub fn of_this_process() -> io::Result<Option<Self>> {
        let Some(page) = Page::open(stdin()) else { return Ok(None) };
        set_parent_process_death_signal(Some(Signal::KILL))?;
        let parent = getppid().map_or(0, |parent| parent.as_raw_nonzero().get());
        if u64::try_from(parent) != Ok(page.parent()) {
            return Err(io::Error::other("the process that started this one is gone"));
        }
        dup2_stdin(File::open("/dev/null")?)?;
        // Behind the standard streams, and not for programs that FMUs start.
        let results = File::from(fcntl_dupfd_cloexec(stdout(), 3)?);
        dup2_stdout(stderr())?;
        leave_interrupts_to_the_parent();
        let page: &'static Page = Box::leak(Box::new(page));
        page.calls().into_iter().for_each(fmu::record_calls_in);
        Ok(Some(Self { page, results, messages: None }))
    }

    /// From now on nobody sees what FMUs print. To be called before any is loaded.
    ///
    /// # Errors
    /// The streams cannot be arranged so.
    pub fn silence(self) -> io::Result<Self> {
        let messages = File::from(fcntl_dupfd_cloexec(stderr(), 3)?);
        let nowhere = File::options().write(true).open("/dev/null")?;
        dup2_stdout(&nowhere)?;
        dup2_stderr(&nowhere)?;
        Ok(Self { messages: Some(messages), ..self })
    }

    /// What was stderr, for messages, if FMUs are [silenced](Self::silence).
    #[must_use]
    pub fn messages(&self) -> Option<&File> {
        self.messages.as_ref()
    }

    /// A message could not be written: the parent says so at the end.
    pub fn leave_untold(&self) {
        self.page.leave_untold();
    }

    /// What was stdout, for results.
    ///
    /// # Errors
    /// There are too many open files.
    pub fn results(&self) -> io::Result<File> {
        Ok(self.results.as_fd().try_clone_to_owned()?.into())
    }

    /// From now on `act` is called at the first interrupt, on a thread of its own; the parent sees to further ones. Before, interrupts end
    /// this process at once.
    ///
    /// # Errors
    /// There is no thread to be had.
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
        // The thread need not run yet: it looks at the number first.
        page.listens().store(1, Ordering::SeqCst);
        Ok(())
    }

    /// A place for rows of results that wait to be written; there is one.
    #[must_use]
    pub fn rows(&self) -> KeptRows {
        KeptRows::new(self.page.rows())
    }

    /// The process is about to end with this code. Exit handlers of FMUs run after this and get a few seconds.
    pub fn end(&self, code: u8) {
        self.page.end(code);
        // SAFETY: sets the disposition of a signal that nothing in this process uses.
        unsafe { libc::signal(libc::SIGALRM, libc::SIG_DFL) };
        // SAFETY: has no preconditions.
        unsafe { libc::alarm(LAST_WORDS) };
    }
}

fn leave_interrupts_to_the_parent() {
    INTERRUPTS.into_iter().for_each(do_nothing_at);
}

/// Writing beyond the size that files may have (`ulimit -f`) is an error from now on, and not the end of this process. FMUs in it get the error, too.
pub fn survive_file_size_limit() {
    do_nothing_at(libc::SIGXFSZ);
}

/// Not by ignoring the signal: programs that an FMU starts would inherit that.
fn do_nothing_at(signal: c_int) {
    extern "C" fn nothing(_: c_int) {}
    let handler: extern "C" fn(c_int) = nothing;
    // SAFETY: the handler does nothing, so it may be called anywhere; system calls go on after it, as `signal` of the C library says.
    unsafe { libc::signal(signal, handler as libc::sighandler_t) };
}
