//! The working directory of the process.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

/// The recorded working directory. There is at most one at a time.
pub(crate) struct WatchedDirectory(PathBuf);

static IS_WATCHED: AtomicBool = AtomicBool::new(false);

impl WatchedDirectory {
    /// `None` while another thread watches, or if there is no working directory.
    pub fn note() -> Option<Self> {
        if IS_WATCHED.swap(true, Ordering::AcqRel) {
            return None;
        }
        let directory = std::env::current_dir().ok().map(Self);
        if directory.is_none() {
            IS_WATCHED.store(false, Ordering::Release);
        }
        directory
    }

    /// Restores the directory; returns whether it was changed. A directory that no longer exists cannot be restored.
    pub fn put_back(self) -> bool {
        let is_changed = std::env::current_dir().ok().as_ref() != Some(&self.0);
        if is_changed {
            let _ = std::env::set_current_dir(&self.0);
        }
        is_changed
    }
}

impl Drop for WatchedDirectory {
    fn drop(&mut self) {
        IS_WATCHED.store(false, Ordering::Release);
    }
}
