//! This program, started again in another role, which its name selects.

use std::ffi::CString;
use std::fs;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, absolute};
use std::process::Command;

/// The executable of this process, even if its file has been replaced meanwhile.
pub(crate) const THIS: &str = "/proc/self/exe";

/// Returns the command that starts a program under another name.
///
/// # Errors
/// The path is empty, or there is no working directory.
pub(crate) fn named(program: &Path, name: &str) -> io::Result<Command> {
    let mut command = Command::new(absolute(program)?);
    command.arg0(name);
    Ok(command)
}

/// Gives this process the name under which it was started: the kernel has named it after the path of the executable.
pub(crate) fn rename_this(name: &str) {
    let _ = rustix::thread::set_name(&CString::new(name).unwrap_or_default());
}

/// The bit of a file that programs started by this one do not inherit, as `/proc` shows it.
const CLOSE_ON_EXEC: u32 = 0o2_000_000;

/// Whether this process has opened files that are still open. It has inherited none that is closed when a program starts, and
/// Rust opens only such files.
pub(crate) fn has_opened_files() -> bool {
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
