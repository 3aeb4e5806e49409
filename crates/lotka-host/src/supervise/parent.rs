//! The parent: starts the child, passes interrupts on, and determines how it ended.

use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use fmu::OpenCall;
use lotka_instance::ProcessEnd;
use rustix::io::retry_on_intr;
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, WaitOptions, getpid, kill_process, pidfd_open, pidfd_send_signal, waitid,
    waitpid,
};
use rustix::thread::futex;

use super::child::LAST_WORDS;
use super::interrupts::{HeldSignals, INTERRUPTS};
use super::page::Page;
use super::{LeftRows, Lost, Supervised};

/// A child that runs the same command.
pub struct Supervisor {
    child: Pid,
    shared: Arc<Shared>,
    signals: HeldSignals,
}

struct Shared {
    page: Page,
    /// Identifies the process even if its number is reused.
    process: OwnedFd,
    was_killed: AtomicBool,
}

/// How a child ended.
#[derive(Debug, PartialEq)]
pub enum Ending {
    /// It ended as announced.
    Code {
        /// Its exit code.
        code: u8,
        /// How its process actually ended, if not normally: exit handlers of FMUs run last.
        unrest: Option<ProcessEnd>,
        /// Whether messages of the child could not be written.
        is_unreported: bool,
    },
    /// It was killed, because it was interrupted twice or does not handle interrupts, or by the interrupt itself.
    Killed,
    /// An FMU ended it, or it failed itself.
    Lost(Lost),
}

/// One of the two processes after [`split`].
pub enum Side {
    /// The process that was there before.
    Parent(Supervisor),
    /// Its child, or why it could not be prepared: its streams cannot be set up, or the parent is gone.
    Child(io::Result<Supervised>),
}

/// Splits this process into two that both go on from here. Call it before any other thread is started. Interrupts of the parent
/// wait until [`Supervisor::wait`], so that a handler can be installed.
///
/// # Errors
/// There are other threads, which the child would lack; or the system lacks memory, a process, or `/proc`.
pub fn split() -> io::Result<Side> {
    if fs::read_dir("/proc/self/task")?.count() != 1 {
        return Err(io::Error::other("other threads were started before"));
    }
    // A system without such descriptors must be noticed before there is a child.
    pidfd_open(getpid(), PidfdFlags::empty())?;
    let (page, parent) = (Page::create()?, getpid());
    let signals = HeldSignals::new();
    // SAFETY: no other thread could hold a lock or be in the middle of a change, so that the child may do everything that this
    // process may.
    let child = match unsafe { libc::fork() } {
        0 => {
            let child = Supervised::new(page, parent);
            drop(signals);
            return Ok(Side::Child(child));
        }
        number => Pid::from_raw(number).filter(|_| number > 0).ok_or_else(io::Error::last_os_error)?,
    };
    let process = pidfd_open(child, PidfdFlags::empty()).inspect_err(|_| {
        // Without its parent it has nothing to do.
        let _ = kill_process(child, Signal::KILL).and_then(|()| waitpid(Some(child), WaitOptions::empty()));
    })?;
    let shared = Shared { page, process, was_killed: AtomicBool::new(false) };
    Ok(Side::Parent(Supervisor { child, shared: Arc::new(shared), signals }))
}

impl Supervisor {
    /// Returns a handle that interrupts the child, from any thread.
    #[must_use]
    pub fn interrupter(&self) -> Interrupter {
        Interrupter(self.shared.clone())
    }

    /// Waits for the end of the child, and removes the files of unpacked FMUs that the child left behind.
    ///
    /// # Errors
    /// The system does not return how it ended.
    pub fn wait(self) -> io::Result<Ending> {
        drop(self.signals);
        // Until its end is queried, no other process can receive its number.
        let has_ended = retry_on_intr(|| waitid(WaitId::Pid(self.child), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT));
        if has_ended.is_ok() {
            fmu::remove_folders_of(self.child.as_raw_nonzero().get().unsigned_abs());
        }
        let status = retry_on_intr(|| waitpid(Some(self.child), WaitOptions::empty()))?;
        let (_, status) = status.ok_or_else(|| io::Error::other("the system does not tell how the child ended"))?;
        let status = ExitStatus::from_raw(status.as_raw());
        let page = &self.shared.page;
        Ok(match page.ended() {
            Some(code) => Ending::Code { code, unrest: unrest(status, code), is_unreported: page.is_unreported() },
            None if self.shared.was_killed.load(Ordering::Relaxed) || is_interrupted(status, page) => Ending::Killed,
            None => {
                let (calls, returned) = page.calls().map(OpenCall::all).unwrap_or_default();
                Ending::Lost(Lost { end: end(status), calls, returned, rows: LeftRows::read(page.rows()) })
            }
        })
    }
}

/// Interrupts the child; clones interrupt the same child.
#[derive(Clone)]
pub struct Interrupter(Arc<Shared>);

impl Interrupter {
    /// Passes the first interrupt to the child, if it handles interrupts; kills the child at the next one.
    pub fn interrupt(&self) {
        let Shared { page, process, was_killed } = &*self.0;
        let is_first = page.interrupts().fetch_add(1, Ordering::SeqCst) == 0;
        if is_first && page.listens().load(Ordering::SeqCst) != 0 {
            // A child that is awake reads the number.
            let _ = futex::wake(page.interrupts(), futex::Flags::empty(), 1);
        } else {
            was_killed.store(true, Ordering::Relaxed);
            // A child that is gone need not be killed.
            let _ = pidfd_send_signal(process, Signal::KILL);
        }
    }
}

/// Whether the child ended by a signal from the terminal, sent to all its processes, before it left such signals to this process.
fn is_interrupted(status: ExitStatus, page: &Page) -> bool {
    page.listens().load(Ordering::SeqCst) == 0 && status.signal().is_some_and(|signal| INTERRUPTS.contains(&signal))
}

fn end(status: ExitStatus) -> ProcessEnd {
    match status.signal() {
        Some(signal) => ProcessEnd::Signal(signal),
        None => ProcessEnd::Exit(status.code().unwrap_or_default()),
    }
}

/// How a process ended that had announced this code; `None` if it ended with the code.
fn unrest(status: ExitStatus, code: u8) -> Option<ProcessEnd> {
    match end(status) {
        ProcessEnd::Exit(status) if status == i32::from(code) => None,
        ProcessEnd::Signal(libc::SIGALRM) => Some(ProcessEnd::TimeLimit(LAST_WORDS.into())),
        end => Some(end),
    }
}
