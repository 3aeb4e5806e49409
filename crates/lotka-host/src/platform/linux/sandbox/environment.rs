//! The environment of a confined FMU: working directory and environment variables.

use std::ffi::OsString;
use std::io;
use std::path::Path;

/// Environment variables that a confined FMU receives: locale, time zone, search paths of libraries and their number of threads.
/// Others may contain secrets of the user.
const KEPT: [&str; 10] = [
    "LANG",
    "LANGUAGE",
    "TZ",
    "TZDIR",
    "PATH",
    "PYTHONHOME",
    "PYTHONPATH",
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
];

/// Variables with these prefixes are kept, too.
const KEPT_PREFIXES: [&str; 2] = ["LC_", "LD_"];

/// Variables that name a folder to write to.
const FOLDERS: [&str; 4] = ["TMPDIR", "TMP", "TEMP", "HOME"];

/// Returns the environment for a process to be confined, taken from the present one.
pub(crate) fn environment() -> impl Iterator<Item = (OsString, OsString)> {
    std::env::vars_os().filter(|(name, _)| name.to_str().is_some_and(is_kept))
}

fn is_kept(name: &str) -> bool {
    KEPT.contains(&name) || KEPT_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

/// Makes a folder the working directory and the place of temporary files. The process must have a single thread.
pub(super) fn move_to(folder: &Path) -> io::Result<()> {
    std::env::set_current_dir(folder)?;
    for name in FOLDERS {
        // SAFETY: no other thread exists that could read the environment.
        unsafe { std::env::set_var(name, folder) };
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_not_kept() {
        assert!(["LANG", "LC_ALL", "LD_LIBRARY_PATH", "TZ"].into_iter().all(is_kept));
        assert!(!["AWS_SECRET_ACCESS_KEY", "SSH_AUTH_SOCK", "HOME", "DISPLAY", "ALC_X"].into_iter().any(is_kept));
    }
}
