//! Process state of its own for an FMU in this process: it finds the state as it left it, and nobody else does.
//!
//! Locale and environment variables are exchanged around each call, as if the FMU had a process of its own. Floating-point
//! control, working directory and the handlers of signals that users and shells send are put back after each call. Handlers of
//! faults (SIGSEGV …) stay: runtime systems need them between calls.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::exchanged::Exchanged;
use super::handlers::Handlers;
use crate::process_state::{Parts, WatchedDirectory, control};

/// The state of an FMU, or of one of its instances.
#[derive(Debug, Clone)]
pub(crate) struct OwnState {
    /// What the FMU can change.
    reach: Parts,
    exchanged: Exchanged,
    /// What it has changed so far.
    changed: Parts,
}

impl OwnState {
    /// `None` if the FMU can change nothing.
    pub fn new(reach: Parts) -> Option<Self> {
        (!reach.is_empty()).then(|| Self { reach, exchanged: Exchanged::new(reach), changed: Parts::default() })
    }

    /// Makes a call in this state. Also returns what the FMU changed for the first time.
    pub fn within<T>(&mut self, call: impl FnOnce() -> T) -> (T, Parts) {
        let Self { reach, exchanged, changed } = self;
        let _alone = (!reach.without(Parts::CONTROL).is_empty()).then(alone);
        let directory = reach.has(Parts::DIRECTORY).then(WatchedDirectory::note).flatten();
        let handlers = reach.has(Parts::HANDLERS).then(Handlers::read);
        let before = control::read();
        exchanged.enter();
        let result = call();
        let is_other_control = control::read() != before;
        if is_other_control {
            control::write(before);
        }
        let now = exchanged.leave()
            | Parts::CONTROL.when(is_other_control)
            | Parts::HANDLERS.when(handlers.is_some_and(Handlers::put_back))
            | Parts::DIRECTORY.when(directory.is_some_and(WatchedDirectory::put_back));
        let new = now.without(*changed);
        *changed = *changed | now;
        (result, new)
    }
}

/// Calls a function while no FMU has variables, a locale or a directory of its own in this process: what starts meanwhile
/// inherits those of the program.
///
/// ```
/// let mut child = fmu::outside_of_calls(|| std::process::Command::new("true").spawn())?;
/// assert!(child.wait()?.success());
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn outside_of_calls<T>(call: impl FnOnce() -> T) -> T {
    let _alone = alone();
    call()
}

/// Only one FMU at a time has its state in this process.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}
