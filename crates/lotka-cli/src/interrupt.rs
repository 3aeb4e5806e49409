//! Ctrl-C and termination signals.

use std::{
    process,
    sync::{Mutex, MutexGuard, PoisonError},
};

use lotka::{CancelToken, Code, Warning, supervisor::leave_ignored};

use crate::{child, console::Console, console_flags::Verbosity, exit::ExitCode};

type Act = Box<dyn Fn() + Send + Sync>;

/// Action that a signal triggers. Without an action, a signal ends the process.
static ACT: Mutex<Option<Act>> = Mutex::new(None);

/// Guard that delays signals until their action is set.
pub(crate) struct Hold(MutexGuard<'static, Option<Act>>);

/// Delays signals while the returned guard lives.
pub(crate) fn hold() -> Hold {
    Hold(ACT.lock().unwrap_or_else(PoisonError::into_inner))
}

impl Hold {
    /// Sets the action that signals trigger; an earlier action stays in place.
    pub(crate) fn act(mut self, act: impl Fn() + Send + Sync + 'static) {
        self.0.get_or_insert_with(|| Box::new(act));
    }
}

/// Installs the signal handler. From now on, a signal triggers the action of [`Hold::act`] or ends the process with its exit
/// code. Signals that the process ignores stay ignored.
pub(crate) fn catch(console: &Console) {
    let on_signal = || match &*hold().0 {
        Some(act) => act(),
        None => process::exit(ExitCode::Interrupted as i32),
    };
    if let Err(error) = leave_ignored(|| ctrlc::set_handler(on_signal)) {
        console.warn(&unheard(&error));
    }
}

/// Makes the first interrupt end the run at the next communication point, and the second one end the process immediately.
pub(crate) fn install(cancel: CancelToken, console: &Console) {
    let interrupt = {
        let (cancel, console) = (cancel.clone(), console.clone());
        move || {
            cancel.cancel();
            let text = "interrupted: the run ends at the next communication point; a second interrupt ends it immediately";
            console.say(Verbosity::Quiet, text);
        }
    };
    let Some(child) = child::this_process() else {
        return hold().act(move || match cancel.is_canceled() {
            true => process::exit(ExitCode::Interrupted as i32),
            false => interrupt(),
        });
    };
    if let Err(error) = child.on_interrupt(interrupt) {
        console.warn(&unheard(&error));
    }
}

fn unheard(error: &dyn std::fmt::Display) -> Warning {
    Warning::new(Code::NoProcess, format!("Ctrl-C will end the run without writing the last rows: {error}"))
}
