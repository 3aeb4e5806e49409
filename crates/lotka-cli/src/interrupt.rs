//! Ctrl-C and termination signals.

use std::process;

use lotka::CancelToken;

use crate::{
    console::{Console, Verbosity},
    exit::ExitCode,
};

/// From now on the first signal ends the run at the next communication point, the second one the process at once.
pub(crate) fn install(cancel: CancelToken, console: &Console) {
    let on_signal = {
        let console = console.clone();
        move || {
            if cancel.is_canceled() {
                process::exit(ExitCode::Interrupted as i32);
            }
            cancel.cancel();
            let text = "interrupted: the run ends at the next communication point; a second interrupt ends it at once";
            console.say(Verbosity::Quiet, text);
        }
    };
    if let Err(error) = ctrlc::set_handler(on_signal) {
        console.warn(format!("Ctrl-C will end the run without writing the last rows: {error}"));
    }
}
