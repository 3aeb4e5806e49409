//! Removal of folders in which an FMU has left what it liked: thousands of levels, folders without permissions, paths of any
//! length.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::platform;

/// The entry that is removed after all others: who finds it knows that a removal has not ended.
pub(super) const LAST: &str = "lock";
/// Longest time that the end of an FMU waits for a removal; the next process of the user completes it.
pub(super) const LONGEST: Duration = Duration::from_secs(10);

/// A folder for an FMU inside a [`Folder`](super::Folder); dropping it removes it with all that is in it.
#[derive(Debug)]
pub struct TemporaryFolder {
    path: PathBuf,
}

impl TemporaryFolder {
    /// Creates a folder in another one, with a name that begins with `prefix`.
    ///
    /// # Errors
    /// The folder cannot be created.
    pub fn new_in(parent: &Path, prefix: &str) -> io::Result<Self> {
        Ok(Self { path: tempfile::Builder::new().prefix(prefix).tempdir_in(parent)?.keep() })
    }

    /// Returns the path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        // What is left goes with the folder around it, or the next process that unpacks an FMU removes it.
        let _ = remove(&self.path, Some(LONGEST));
    }
}

/// Removes a folder and all that is in it, within a time.
///
/// # Errors
/// Something in it cannot be removed, or the time has passed.
pub(super) fn remove(folder: &Path, longest: Option<Duration>) -> io::Result<()> {
    platform::empty(folder, LAST, longest.map(|longest| Instant::now() + longest))?;
    std::fs::remove_dir(folder)
}

#[cfg(all(test, target_os = "linux", not(miri)))]
mod tests {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use rustix::fs::{CWD, Mode, OFlags, mkdirat, openat};
    use rustix::thread::{CapabilitySet, capabilities, set_capabilities};

    use super::*;

    /// Makes a chain of folders in a folder.
    fn chain(folder: &Path, n_levels: usize) -> rustix::io::Result<()> {
        let mut inner = openat(CWD, folder, OFlags::DIRECTORY, Mode::empty())?;
        for _ in 0..n_levels {
            mkdirat(&inner, c"moved-1", Mode::RWXU)?;
            inner = openat(&inner, c"moved-1", OFlags::DIRECTORY, Mode::empty())?;
        }
        Ok(())
    }

    #[test]
    fn a_folder_of_30_000_levels_is_removed() {
        let folder = TemporaryFolder::new_in(&std::env::temp_dir(), "removal-").unwrap();
        chain(folder.path(), 30_000).unwrap();
        let path = folder.path().to_owned();
        // Without a limit: on a busy machine it takes longer than the one of a folder that is dropped.
        remove(&path, None).unwrap();
        assert!(!path.exists());
        let folder = TemporaryFolder::new_in(&std::env::temp_dir(), "removal-").unwrap();
        chain(folder.path(), 3_000).unwrap();
        let path = folder.path().to_owned();
        drop(folder);
        assert!(!path.exists());
    }

    #[test]
    fn folders_without_permissions_are_removed_and_links_are_not_followed() {
        // The test may run as root, whom no permission stops.
        let mut sets = capabilities(None).unwrap();
        sets.effective -= CapabilitySet::DAC_OVERRIDE | CapabilitySet::DAC_READ_SEARCH;
        set_capabilities(None, sets).unwrap();

        let other = tempfile::tempdir().unwrap();
        let kept = other.path().join("kept");
        fs::write(&kept, "").unwrap();
        let folder = TemporaryFolder::new_in(&std::env::temp_dir(), "removal-").unwrap();
        let path = folder.path().to_owned();
        symlink(other.path(), path.join("link")).unwrap();
        fs::create_dir_all(path.join("lock/a/b")).unwrap();
        fs::write(path.join("lock/a/file"), "").unwrap();
        symlink(&kept, path.join("lock/a/b/link")).unwrap();
        for name in ["lock/a/b", "lock/a", "lock", ""] {
            fs::set_permissions(path.join(name), fs::Permissions::from_mode(0o000)).unwrap();
        }
        assert!(fs::read_dir(&path).is_err());
        drop(folder);
        assert!(!path.exists() && kept.exists());
    }

    #[test]
    fn a_removal_that_is_interrupted_leaves_the_lock() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(LAST), "").unwrap();
        chain(folder.path(), 3).unwrap();
        assert_eq!(remove(folder.path(), Some(Duration::ZERO)).unwrap_err().kind(), io::ErrorKind::TimedOut);
        assert!(folder.path().join(LAST).exists());
        remove(folder.path(), None).unwrap();
        assert!(!folder.path().exists());
    }
}
