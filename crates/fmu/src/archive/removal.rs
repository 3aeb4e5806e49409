//! Removal of folders in which an FMU has left what it liked: thousands of levels, folders without permissions, paths of any
//! length.
//!
//! A folder that is not empty is moved up to the top and emptied there. So depth costs neither stack nor descriptors, and no path
//! gets long. Links are removed, never followed.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

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
    system::empty(folder, longest.map(|longest| Instant::now() + longest))?;
    std::fs::remove_dir(folder)
}

#[cfg(target_os = "linux")]
mod system {
    use std::ffi::{CStr, CString};
    use std::io;
    use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
    use std::path::Path;
    use std::time::Instant;

    use rustix::fs::{AtFlags, CWD, Dir, Mode, OFlags, chmod, openat, renameat, unlinkat};
    use rustix::io::Errno;

    use super::LAST;

    /// Removes what is in a folder; what cannot be removed stays.
    pub(super) fn empty(folder: &Path, until: Option<Instant>) -> io::Result<()> {
        let mut removal = Removal { top: open(CWD, folder)?, n_moved: 0, until };
        // Each pass removes what the one before has moved up.
        while removal.pass(|name| name.to_bytes() != LAST.as_bytes())? {}
        while removal.pass(|_| true)? {}
        Ok(())
    }

    struct Removal {
        top: OwnedFd,
        n_moved: u64,
        until: Option<Instant>,
    }

    impl Removal {
        /// Removes these entries of the top folder, and moves what is in their folders up to it. Returns whether there was any.
        fn pass(&mut self, is_one: impl Fn(&CStr) -> bool) -> io::Result<bool> {
            let mut has_changed = false;
            for name in names(&self.top)?.filter(|name| is_one(name)) {
                self.check_time()?;
                if is_removed(&self.top, &name) {
                    has_changed = true;
                } else if let Ok(inner) = open(self.top.as_fd(), &*name) {
                    has_changed |= self.clear(&inner)?;
                    has_changed |= is_removed(&self.top, &name);
                }
            }
            Ok(has_changed)
        }

        /// Removes the entries of a folder in the top folder, or moves them up.
        fn clear(&mut self, inner: &OwnedFd) -> io::Result<bool> {
            let mut has_changed = false;
            for name in names(inner)? {
                self.check_time()?;
                has_changed |= is_removed(inner, &name) || self.is_moved_up(inner, &name);
            }
            Ok(has_changed)
        }

        fn is_moved_up(&mut self, inner: &OwnedFd, name: &CStr) -> bool {
            // A folder that is moved must be writable itself.
            if open(inner.as_fd(), name).is_err() {
                return false;
            }
            loop {
                self.n_moved += 1;
                match renameat(inner, name, &self.top, format!("moved-{}", self.n_moved)) {
                    Ok(()) => return true,
                    Err(Errno::NOTEMPTY | Errno::EXIST | Errno::NOTDIR) if self.check_time().is_ok() => {}
                    Err(_) => return false,
                }
            }
        }

        fn check_time(&self) -> io::Result<()> {
            if self.until.is_some_and(|until| Instant::now() > until) { Err(io::ErrorKind::TimedOut.into()) } else { Ok(()) }
        }
    }

    /// Removes a file, a link or an empty folder.
    fn is_removed(folder: &OwnedFd, name: &CStr) -> bool {
        unlinkat(folder, name, AtFlags::empty()).is_ok() || unlinkat(folder, name, AtFlags::REMOVEDIR).is_ok()
    }

    /// Opens a folder, no link, after giving its owner all rights to it.
    fn open(parent: BorrowedFd<'_>, name: impl rustix::path::Arg + Copy) -> rustix::io::Result<OwnedFd> {
        let folder = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let found = openat(parent, name, folder | OFlags::PATH, Mode::empty())?;
        // The name of the descriptor leads to the folder that is open, whatever has its name by now. Without the rights, opening
        // it fails.
        let _ = chmod(format!("/proc/self/fd/{}", found.as_raw_fd()), Mode::RWXU);
        openat(&found, c".", folder, Mode::empty())
    }

    /// The names in a folder, one at a time. A folder that cannot be read to its end is not empty, and stays.
    fn names(folder: &OwnedFd) -> rustix::io::Result<impl Iterator<Item = CString> + use<>> {
        let names = Dir::read_from(folder)?.map_while(Result::ok).map(|entry| entry.file_name().to_owned());
        Ok(names.filter(|name| **name != *c"." && **name != *c".."))
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use std::fs;
    use std::io;
    use std::path::Path;
    use std::time::Instant;

    use super::LAST;

    /// Removes what is in a folder.
    pub(super) fn empty(folder: &Path, _: Option<Instant>) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                fs::remove_dir_all(entry.path())?;
            } else if entry.file_name() != LAST {
                fs::remove_file(entry.path())?;
            }
        }
        if folder.join(LAST).exists() { fs::remove_file(folder.join(LAST)) } else { Ok(()) }
    }
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
