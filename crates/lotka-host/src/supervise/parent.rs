//! The parent: starts the child, passes interrupts on, and determines how it ended.

use std::env;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use fmu::OpenCall;
use lotka_instance::ProcessEnd;
use rustix::process::{Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, pidfd_open, pidfd_send_signal, waitid};
use rustix::thread::futex;

use super::child::{INTERRUPTS, LAST_WORDS};
use super::page::Page;
use super::{LeftRows, Lost};
use crate::server::THIS;

/// A child that runs the same command.
pub struct Supervisor {
    child: Child,
    shared: Arc<Shared>,
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

impl Supervisor {
    /// Starts the executable of this process with its arguments again.
    ///
    /// # Errors
    /// The system lacks memory, a process, or `/proc`.
    pub fn start() -> io::Result<Self> {
        let (page, descriptor) = Page::create()?;
        let mut arguments = env::args_os();
        let mut command = Command::new(THIS);
        if let Some(name) = arguments.next() {
            command.arg0(name);
        }
        let mut child = command.args(arguments).stdin(Stdio::from(descriptor)).spawn()?;
        let process = pidfd_open(Pid::from_child(&child), PidfdFlags::empty()).inspect_err(|_| drop(child.kill()))?;
        Ok(Self { child, shared: Arc::new(Shared { page, process, was_killed: AtomicBool::new(false) }) })
    }

    /// Returns a handle that interrupts the child, from any thread.
    #[must_use]
    pub fn interrupter(&self) -> Interrupter {
        Interrupter(self.shared.clone())
    }

    /// Waits for the end of the child, and removes the files of unpacked FMUs that the child left behind.
    ///
    /// # Errors
    /// The system does not return how it ended.
    pub fn wait(mut self) -> io::Result<Ending> {
        // Until its end is queried, no other process can receive its number.
        let has_ended = waitid(WaitId::Pid(Pid::from_child(&self.child)), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT);
        if has_ended.is_ok() {
            fmu::remove_folders_of(self.child.id());
        }
        let status = self.child.wait()?;
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
