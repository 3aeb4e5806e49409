//! Ctrl-C and termination signals.

use std::{
    process,
    sync::{Mutex, MutexGuard, PoisonError},
};

use lotka::{CancelToken, Code, Warning};

use crate::{child, console::Console, console_flags::Verbosity, exit::ExitCode};

type Act = Box<dyn Fn() + Send + Sync>;

/// What a signal does; as long as there is nothing, it ends the process.
static ACT: Mutex<Option<Act>> = Mutex::new(None);

/// While it lives, signals wait: what they do is about to be said.
pub(crate) struct Hold(MutexGuard<'static, Option<Act>>);

/// Signals wait from now on.
pub(crate) fn hold() -> Hold {
    Hold(ACT.lock().unwrap_or_else(PoisonError::into_inner))
}

impl Hold {
    /// What signals do from now on; what was said first stays.
    pub(crate) fn act(mut self, act: impl Fn() + Send + Sync + 'static) {
        self.0.get_or_insert_with(|| Box::new(act));
    }
}

/// From now on signals do not kill this process: they end it with their exit code, or do what [`Hold::act`] says.
pub(crate) fn catch(console: &Console) {
    let on_signal = || match &*hold().0 {
        Some(act) => act(),
        None => process::exit(ExitCode::Interrupted as i32),
    };
    if let Err(error) = ctrlc::set_handler(on_signal) {
        console.warn(&unheard(&error));
    }
}

/// From now on the first interrupt ends the run at the next communication point, the second one the process at once.
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
