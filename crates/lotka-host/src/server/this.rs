//! Any program as the host of its own FMUs: it is started again, under another name.

use std::env;
use std::ffi::CString;
use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{USAGE, serve};

/// The name that makes a program a host.
pub(crate) const NAME: &str = "lotka-fmu-host";

/// The executable of this process, even if its file has been replaced meanwhile.
pub(crate) const THIS: &str = "/proc/self/exe";

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
        // The kernel named it after the path of the executable.
        let _ = rustix::thread::set_name(&CString::new(NAME).unwrap_or_default());
        if has_opened_files() {
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

/// The bit of a file that programs started by this one do not inherit, as `/proc` shows it.
const CLOSE_ON_EXEC: u32 = 0o2_000_000;

/// Whether this process has opened files that are still open. It has inherited none that is closed when a program starts, and
/// Rust opens only such files.
fn has_opened_files() -> bool {
    let Ok(entries) = fs::read_dir("/proc/self/fdinfo") else { return false };
    // The folder itself is closed before the others are looked at.
    let numbers: Vec<_> = entries.flatten().map(|entry| entry.file_name()).collect();
    numbers.iter().any(|number| {
        let is_open = fs::read_link(Path::new("/proc/self/fd").join(number)).is_ok();
        let info = if is_open {
            fs::read_to_string(Path::new("/proc/self/fdinfo").join(number)).unwrap_or_default()
        } else {
            String::new()
        };
        let flags = info.lines().find_map(|line| line.strip_prefix("flags:"));
        flags.and_then(|flags| u32::from_str_radix(flags.trim(), 8).ok()).is_some_and(|flags| flags & CLOSE_ON_EXEC != 0)
    })
}

pub(crate) fn serves() -> bool {
    SERVES.load(Ordering::Relaxed)
}
