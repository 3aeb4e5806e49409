//! Ctrl-C and termination signals.

use std::process;

use lotka::CancelToken;

use crate::{
    console::{Console, Verbosity},
    exit::ExitCode,
    supervise,
};

/// From now on the first signal ends the run at the next communication point, the second one the process at once.
pub(crate) fn install(cancel: CancelToken, console: &Console) {
    let interrupt = {
        let (cancel, console) = (cancel.clone(), console.clone());
        move || {
            cancel.cancel();
            let text = "interrupted: the run ends at the next communication point; a second interrupt ends it at once";
            console.say(Verbosity::Quiet, text);
        }
    };
    let installed = match supervise::child() {
        Some(child) => child.on_interrupt(interrupt).map_err(|error| error.to_string()),
        None => ctrlc::set_handler(move || match cancel.is_canceled() {
            true => process::exit(ExitCode::Interrupted as i32),
            false => interrupt(),
        })
        .map_err(|error| error.to_string()),
    };
    if let Err(reason) = installed {
        console.warn(format!("Ctrl-C will end the run without writing the last rows: {reason}"));
    }
}
