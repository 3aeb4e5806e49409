//! The parent: starts the child, passes interrupts on, and determines how it ended.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use fmu::OpenCall;
use lotka_instance::ProcessEnd;

use super::child::LAST_WORDS;
use super::page::Page;
use super::{LeftRows, Lost, Supervised};
use crate::platform::{self, Forked, ForkedChild, HeldSignals};

/// A child that runs the same command.
pub struct Supervisor {
    shared: Arc<Shared>,
    signals: HeldSignals,
}

struct Shared {
    page: Page,
    child: ForkedChild,
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
    let (page, parent) = (Page::create()?, std::process::id());
    let signals = HeldSignals::new();
    match platform::fork()? {
        Forked::Child => {
            let child = Supervised::new(page, parent);
            drop(signals);
            Ok(Side::Child(child))
        }
        Forked::Parent(child) => {
            let shared = Shared { page, child, was_killed: AtomicBool::new(false) };
            Ok(Side::Parent(Supervisor { shared: Arc::new(shared), signals }))
        }
    }
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
        let Shared { page, child, was_killed } = &*self.shared;
        if child.wait().is_ok() {
            // Until its end is queried, no other process can receive its number.
            fmu::remove_folders_of(child.id());
        }
        let end = child.end()?;
        Ok(match page.ended() {
            Some(code) => Ending::Code { code, unrest: unrest(end, code), is_unreported: page.is_unreported() },
            None if was_killed.load(Ordering::Relaxed) || is_interrupted(&end, page) => Ending::Killed,
            None => {
                let (calls, returned) = page.calls().map(OpenCall::all).unwrap_or_default();
                Ending::Lost(Lost { end, calls, returned, rows: LeftRows::read(page.rows()) })
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
        let Shared { page, child, was_killed } = &*self.0;
        let is_first = page.interrupts().fetch_add(1, Ordering::SeqCst) == 0;
        if is_first && page.listens().load(Ordering::SeqCst) != 0 {
            // A child that is awake reads the number.
            platform::wake(page.interrupts());
        } else {
            was_killed.store(true, Ordering::Relaxed);
            child.kill();
        }
    }
}

/// Whether the child ended by a signal from the terminal, sent to all its processes, before it left such signals to this process.
fn is_interrupted(end: &ProcessEnd, page: &Page) -> bool {
    page.listens().load(Ordering::SeqCst) == 0 && platform::interrupts().contains(end)
}

/// How a process ended that had announced this code; `None` if it ended with the code.
fn unrest(end: ProcessEnd, code: u8) -> Option<ProcessEnd> {
    match end {
        ProcessEnd::Exit(status) if status == i32::from(code) => None,
        end if end == platform::TIME_IS_UP => Some(ProcessEnd::TimeLimit(LAST_WORDS.into())),
        end => Some(end),
    }
}
