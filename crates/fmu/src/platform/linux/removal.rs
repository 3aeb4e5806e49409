//! Removal of folders of any depth, whatever their permissions.

use std::ffi::{CStr, CString};
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::path::Path;
use std::time::Instant;

use rustix::fs::{AtFlags, CWD, Dir, Mode, OFlags, chmod, openat, renameat, unlinkat};
use rustix::io::Errno;

/// Removes what is in a folder, the entry `last` after all others; what cannot be removed stays.
///
/// A folder that is not empty is moved up to the top and emptied there. So depth costs neither stack nor descriptors, and no path
/// gets long. Links are removed, never followed.
///
/// # Errors
/// The folder cannot be read, or the time has passed.
pub(crate) fn empty(folder: &Path, last: &str, until: Option<Instant>) -> io::Result<()> {
    let mut removal = Removal { top: open(CWD, folder)?, n_moved: 0, until };
    // Each pass removes what the one before has moved up.
    while removal.pass(|name| name.to_bytes() != last.as_bytes())? {}
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
