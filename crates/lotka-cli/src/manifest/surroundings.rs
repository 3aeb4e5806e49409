//! User and machine of a run.

use std::{env, time::SystemTime};

use serde_json::{Value, json};

use crate::platform::{kernel_release, machine_name};

/// Returns the command line, its folder, the user, the computer, and the time. Unknown values are null.
pub(super) fn describe() -> Value {
    let arguments: Vec<_> = env::args_os().map(|argument| argument.to_string_lossy().into_owned()).collect();
    json!({
        "command": arguments,
        "folder": env::current_dir().ok().map(|folder| folder.to_string_lossy().into_owned()),
        "user": env::var("USER").or_else(|_| env::var("LOGNAME")).ok(),
        "host": machine_name(),
        "kernel": kernel_release(),
        "started": humantime::format_rfc3339_millis(SystemTime::now()).to_string(),
    })
}
