//! Any program can be the host of its own FMUs: it is started again, under another name.

use std::env;
use std::ffi::CString;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use super::serve;

/// The name under which a program is a host.
pub(crate) const NAME: &str = "lotka-fmu-host";

/// The executable of this process, even if its file was replaced in the meantime.
pub(crate) const THIS: &str = "/proc/self/exe";

/// This program calls [`serve_if_host`].
static SERVES: AtomicBool = AtomicBool::new(false);

/// To be called first in `main`. A process that was started as a host serves, and ends with the code that comes back. In any other process it is noted that
/// this program is a host for its own FMUs, so that it needs no other program for that.
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
        // It was started by the path of the executable, whatever that is called.
        let _ = rustix::thread::set_name(&CString::new(NAME).unwrap_or_default());
        return Some(serve());
    }
    SERVES.store(true, Ordering::Relaxed);
    None
}

pub(crate) fn serves() -> bool {
    SERVES.load(Ordering::Relaxed)
}
