//! What only Linux has, as far as programs need it elsewhere.

use std::convert::Infallible;
use std::fs;
use std::io;
use std::path::Path;
use std::time::Instant;

use crate::process_state::Parts;

/// Removes what is in a folder, the entry `last` after all others.
///
/// # Errors
/// Something in it cannot be removed.
pub(crate) fn empty(folder: &Path, last: &str, _: Option<Instant>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            fs::remove_dir_all(entry.path())?;
        } else if entry.file_name() != last {
            fs::remove_file(entry.path())?;
        }
    }
    if folder.join(last).exists() { fs::remove_file(folder.join(last)) } else { Ok(()) }
}

/// Implemented for Linux only.
#[derive(Debug, Clone)]
pub(crate) struct OwnState(Infallible);

impl OwnState {
    pub fn new(_: Parts) -> Option<Self> {
        None
    }

    pub fn within<T>(&mut self, _: impl FnOnce() -> T) -> (T, Parts) {
        match self.0 {}
    }
}

/// FMUs have no state of their own here.
pub fn outside_of_calls<T>(call: impl FnOnce() -> T) -> T {
    call()
}

/// Identifies this machine since it was started: the system does not tell.
pub(crate) fn machine() -> String {
    String::new()
}
