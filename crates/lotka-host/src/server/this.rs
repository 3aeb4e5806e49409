//! Any program as the host of its own FMUs: it is started again, under another name.

use std::env;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{USAGE, serve};
use crate::platform;

/// The name that makes a program a host.
pub(crate) const NAME: &str = "lotka-fmu-host";

/// Whether this program calls [`serve_if_host`].
static SERVES: AtomicBool = AtomicBool::new(false);

/// Serves if the process was started as a host; the caller must then end the process with the returned code. Call this function
/// first in `main`. In any other process it marks the program as a host for its own FMUs, so that no other program is needed.
///
/// A host closes all files that it has inherited. If this process has opened files of its own already, the function refuses to
/// serve: it returns exit code 2, and says so on stderr.
///
/// ```no_run
/// fn main() -> std::process::ExitCode {
///     if let Some(code) = lotka_host::serve_if_host() {
///         return code;
///     }
///     std::process::ExitCode::SUCCESS
/// }
/// ```
#[must_use]
pub fn serve_if_host() -> Option<ExitCode> {
    let name = env::args_os().next();
    if name.is_some_and(|name| Path::new(&name).file_name().is_some_and(|name| name == NAME)) {
        platform::rename_this(NAME);
        if platform::has_opened_files() {
            eprintln!(
                "this program cannot host its own FMUs, because it has opened files before; call `serve_if_host` first in `main`"
            );
            return Some(ExitCode::from(USAGE));
        }
        return Some(serve());
    }
    SERVES.store(true, Ordering::Relaxed);
    None
}

pub(crate) fn serves() -> bool {
    SERVES.load(Ordering::Relaxed)
}
