//! The parent: starts the child, hands interrupts on, and finds out how it ended.

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
    /// Names the process also after its number was given to another one.
    process: OwnedFd,
    was_killed: AtomicBool,
}

/// How a child ended.
#[derive(Debug, PartialEq)]
pub enum Ending {
    /// As it meant to.
    Code {
        /// With this exit code.
        code: u8,
        /// How its process did end, if not in peace: exit handlers of FMUs run last.
        unrest: Option<ProcessEnd>,
        /// Messages of it could not be written.
        is_untold: bool,
    },
    /// It was killed, because it was interrupted twice or did not listen, or by the interrupt itself.
    Killed,
    /// An FMU ended it, or it broke down by itself.
    Lost(Lost),
}

impl Supervisor {
    /// Starts the executable of this process with its arguments again.
    ///
    /// # Errors
    /// The system has no memory or no process to give, or no `/proc`.
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

    /// What interrupts the child, from any thread.
    #[must_use]
    pub fn interrupter(&self) -> Interrupter {
        Interrupter(self.shared.clone())
    }

    /// Waits for the end of the child, and removes what FMUs were unpacked to, if it did not come to that.
    ///
    /// # Errors
    /// The system does not tell how it ended.
    pub fn wait(mut self) -> io::Result<Ending> {
        // As long as nobody has asked how it ended, no other process has its number.
        let has_ended = waitid(WaitId::Pid(Pid::from_child(&self.child)), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT);
        if has_ended.is_ok() {
            fmu::remove_folders_of(self.child.id());
        }
        let status = self.child.wait()?;
        let page = &self.shared.page;
        Ok(match page.ended() {
            Some(code) => Ending::Code { code, unrest: unrest(status, code), is_untold: page.is_untold() },
            None if self.shared.was_killed.load(Ordering::Relaxed) || is_interrupted(status, page) => Ending::Killed,
            None => {
                let (calls, returned) = page.calls().map(OpenCall::all).unwrap_or_default();
                Ending::Lost(Lost { end: end(status), calls, returned, rows: LeftRows::read(page.rows()) })
            }
        })
    }
}

/// Interrupts the child; clones do the same.
#[derive(Clone)]
pub struct Interrupter(Arc<Shared>);

impl Interrupter {
    /// The first interrupt is told to the child, if it listens; another one kills it.
    pub fn interrupt(&self) {
        let Shared { page, process, was_killed } = &*self.0;
        let is_first = page.interrupts().fetch_add(1, Ordering::SeqCst) == 0;
        if is_first && page.listens().load(Ordering::SeqCst) != 0 {
            // A child that is awake sees the number.
            let _ = futex::wake(page.interrupts(), futex::Flags::empty(), 1);
        } else {
            was_killed.store(true, Ordering::Relaxed);
            // A child that is gone needs no killing.
            let _ = pidfd_send_signal(process, Signal::KILL);
        }
    }
}

/// Whether a signal from the terminal, which all processes of it get, came before the child left such signals to this process.
fn is_interrupted(status: ExitStatus, page: &Page) -> bool {
    page.listens().load(Ordering::SeqCst) == 0 && status.signal().is_some_and(|signal| INTERRUPTS.contains(&signal))
}

fn end(status: ExitStatus) -> ProcessEnd {
    match status.signal() {
        Some(signal) => ProcessEnd::Signal(signal),
        None => ProcessEnd::Exit(status.code().unwrap_or_default()),
    }
}

/// How a process ended that was to end with this code; `None` if it did.
fn unrest(status: ExitStatus, code: u8) -> Option<ProcessEnd> {
    match end(status) {
        ProcessEnd::Exit(status) if status == i32::from(code) => None,
        ProcessEnd::Signal(libc::SIGALRM) => Some(ProcessEnd::TimeLimit(LAST_WORDS.into())),
        end => Some(end),
    }
}
