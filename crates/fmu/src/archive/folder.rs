//! The folder into which an FMU is unpacked. It is removed with its last user; after a crash, by the watching process, or by the
//! next process in the background.
//!
//! A folder belongs to the process that holds its lock, and the system releases a lock when its process ends. A temporary folder
//! may be shared with other machines, whose locks need not be visible: folders of other machines are left alone. Machines are
//! told apart by their names and by the random number that each draws when it starts. Process IDs say nothing: each container
//! begins with the same ones.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Once, mpsc};
use std::thread;
use std::time::Duration;

use super::removal::{self, TemporaryFolder};
use crate::Error;
use crate::platform::{can_execute_in, is_own, machine, try_lock};
use crate::uri::needs_escapes;

const PREFIX: &str = "lotka-fmu-";
/// The file in a folder whose lock its owner holds.
const LOCK: &str = removal::LAST;
/// How long the first FMU of a process waits until the folders of others are removed.
const SHORT: Duration = Duration::from_millis(50);
/// The folder in it with the files of the FMU.
const CONTENTS: &str = "fmu";
/// Folders for temporary files whose paths every FMU understands.
const PLAIN: [&str; 2] = ["/tmp", "/var/tmp"];

/// A temporary folder of this process, for whatever an FMU writes. It is removed with this value, or by a later process.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    // Removed before the lock is released.
    _folder: TemporaryFolder,
    _lock: File,
}

impl Folder {
    /// Creates an empty folder; the first one of a process has those of processes that are gone removed.
    ///
    /// # Errors
    /// The folder cannot be created.
    pub fn new() -> Result<Self, Error> {
        static SWEEP: Once = Once::new();
        let temporary = temporary();
        SWEEP.call_once(|| sweep_beside(temporary.clone()));
        Self::new_in(&temporary).map_err(|reason| Error::Io { path: temporary, action: "make a folder to unpack to", reason })
    }

    fn new_in(temporary: &Path) -> io::Result<Self> {
        let prefix = format!("{PREFIX}{}-{}-", machine(), std::process::id());
        let folder = TemporaryFolder::new_in(temporary, &prefix)?;
        let lock = lock(folder.path())?;
        let path = folder.path().canonicalize()?.join(CONTENTS);
        fs::create_dir(&path)?;
        Ok(Self { path, _folder: folder, _lock: lock })
    }

    /// Returns the absolute path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Locks a new folder. The lock is held before it has its name: nobody finds it free.
fn lock(folder: &Path) -> io::Result<File> {
    let unnamed = folder.join("new-lock");
    let file = File::create_new(&unnamed)?;
    // Where the file system has no locks, nobody else gets one either, and the folder stays.
    try_lock(&file);
    fs::rename(unnamed, folder.join(LOCK))?;
    Ok(file)
}

/// The folder for temporary files. FMUs of FMI 2.0 receive a path as URI, and many do not decode its escapes: if it would have
/// any, one without them is used, if there is one.
fn temporary() -> PathBuf {
    let given = std::env::temp_dir();
    let is_usable = |plain: &&Path| can_execute_in(plain) && tempfile::tempfile_in(plain).is_ok();
    let plain = || PLAIN.iter().map(Path::new).find(is_usable).map(Path::to_owned);
    let needs_another = given.canonicalize().is_ok_and(|path| needs_escapes(&path));
    needs_another.then(plain).flatten().unwrap_or(given)
}

/// Removes the folders of processes that are gone. What takes long goes on in the background; a process that ends meanwhile
/// leaves it to the next one.
fn sweep_beside(temporary: PathBuf) {
    let (ended, is_over) = mpsc::channel::<()>();
    let work = move || {
        sweep(&temporary, &machine(), None, |_| true);
        drop(ended);
    };
    // Without a thread, the next process removes them.
    if thread::Builder::new().name("sweep".into()).spawn(work).is_ok() {
        // Whether it is over or not, this process goes on.
        let _ = is_over.recv_timeout(SHORT);
    }
}

/// Removes the folders that a process of this user left behind; called by its parent. The process must have ended, and its end
/// must not have been queried yet, because afterwards another process can receive its ID.
pub fn remove_folders_of(process: u32) {
    sweep(&temporary(), &machine(), Some(removal::LONGEST), |owner| owner == process);
}

/// Removes the folders of this user and machine whose lock is free, if their process is one of those. Folders that cannot be
/// removed stay.
fn sweep(temporary: &Path, machine: &str, longest: Option<Duration>, is_one: impl Fn(u32) -> bool) {
    let Ok(folders) = fs::read_dir(temporary) else { return };
    for folder in folders.flatten() {
        let name = folder.file_name();
        let Some(process) = name.to_str().and_then(|name| owner(name, machine)) else { continue };
        let is_ours = folder.metadata().is_ok_and(|data| data.is_dir() && is_own(&data));
        // A folder without a lock is just being made.
        let Ok(lock) = File::open(folder.path().join(LOCK)) else { continue };
        if is_ours && is_one(process) && try_lock(&lock) {
            // It is not an error if another process is removing the folder at the same time, or if it is protected.
            let _ = removal::remove(&folder.path(), longest);
        }
    }
}

/// The process that made a folder with this name, if that was on this machine.
fn owner(name: &str, machine: &str) -> Option<u32> {
    let rest = name.strip_prefix(PREFIX)?.strip_prefix(machine).filter(|_| !machine.is_empty())?;
    rest.strip_prefix('-')?.split_once('-')?.0.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_disappears_with_its_last_user() {
        let folder = Folder::new().unwrap();
        let path = folder.path().to_owned();
        assert!(path.is_absolute() && path.is_dir());
        drop(folder);
        assert!(!path.exists() && !path.parent().unwrap().exists());
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri has no locks of files")]
    fn folders_whose_lock_is_free_are_removed_and_others_stay() {
        let temporary = tempfile::tempdir().unwrap();
        let live = Folder::new_in(temporary.path()).unwrap();
        let name = live.path().parent().unwrap().file_name().unwrap().to_str().unwrap().to_owned();
        // As a crash leaves it, with the ID of a process that lives; as another machine has it; as it is just being made;
        // somebody's file.
        let [stale, foreign, new, notes] =
            [format!("{name}x"), name.replace(&machine(), "0123456789abcdef"), format!("{name}y"), format!("{PREFIX}notes")]
                .map(|name| temporary.path().join(name));
        for (folder, has_lock) in [(&stale, true), (&foreign, true), (&new, false), (&notes, true)] {
            fs::create_dir(folder).unwrap();
            if has_lock {
                fs::write(folder.join(LOCK), "").unwrap();
            }
        }
        sweep(temporary.path(), &machine(), None, |process| process != std::process::id());
        assert!(stale.exists());
        sweep(temporary.path(), &machine(), None, |_| true);
        assert!(!stale.exists() && live.path().exists() && foreign.exists() && new.exists() && notes.exists());
        sweep(temporary.path(), "", None, |_| true);
        assert!(foreign.exists(), "without a machine nothing is removed");
    }
}
