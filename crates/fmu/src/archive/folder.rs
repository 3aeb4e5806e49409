//! The folder into which an FMU is unpacked. It is removed with its last user; after a crash, by the watching process or by the next process.

use crate::platform::same_owner;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Once;

use tempfile::TempDir;

use crate::Error;

/// A temporary folder of this process, removed with this value.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    _folder: TempDir,
}

impl Folder {
    /// Creates an empty folder, after removing those of processes that are gone (once per process).
    pub(crate) fn new() -> Result<Self, Error> {
        static SWEEP: Once = Once::new();
        let temporary = std::env::temp_dir();
        let cannot = |reason| Error::Io { path: temporary.clone(), action: "make a folder to unpack to", reason };
        let prefix = prefix();
        let folder = tempfile::Builder::new().prefix(&format!("{prefix}{}-", std::process::id())).tempdir().map_err(cannot)?;
        SWEEP.call_once(|| sweep(&temporary, &prefix, is_gone));
        let path = folder.path().canonicalize().map_err(cannot)?;
        Ok(Self { path, _folder: folder })
    }

    /// Returns the absolute path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// `lotka-fmu-`, followed by an identifier of the container, which distinguishes equal process IDs; a process ID follows.
fn prefix() -> String {
    let namespace = fs::read_link("/proc/self/ns/pid").unwrap_or_default();
    let digits: String = namespace.to_string_lossy().chars().filter(char::is_ascii_digit).collect();
    format!("lotka-fmu-{digits}-")
}

/// Removes the folders that a process of this user left behind; called by its parent. The process must have ended, and its end must not have been
/// queried yet, because afterwards another process can receive its ID.
pub fn remove_folders_of(process: u32) {
    sweep(&std::env::temp_dir(), &prefix(), |owner| owner == process);
}

/// Whether a process is gone. One that has ended counts as gone even before its end is queried.
fn is_gone(process: u32) -> bool {
    match fs::read_to_string(format!("/proc/{process}/stat")) {
        Ok(stat) => stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with(['Z', 'X'])),
        Err(error) => error.kind() == std::io::ErrorKind::NotFound,
    }
}

/// Removes the folders of the same user whose process no longer needs them. Folders that cannot be removed stay.
fn sweep(temporary: &Path, prefix: &str, is_stale: impl Fn(u32) -> bool) {
    let (Ok(own), Ok(folders)) = (fs::metadata("/proc/self"), fs::read_dir(temporary)) else { return };
    for folder in folders.flatten() {
        let name = folder.file_name();
        let Some(process) = name.to_str().and_then(|name| owner(name, prefix)) else { continue };
        let is_ours = folder.metadata().is_ok_and(|data| data.is_dir() && same_owner(&data, &own));
        if is_ours && is_stale(process) {
            // It is not an error if another process is removing the folder at the same time, or if it is protected.
            let _ = fs::remove_dir_all(folder.path());
        }
    }
}

/// The process to which a folder with this name belongs.
fn owner(name: &str, prefix: &str) -> Option<u32> {
    name.strip_prefix(prefix)?.split_once('-')?.0.parse().ok()
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
        assert!(!path.exists());
    }

    #[test]
    fn folders_of_processes_that_are_gone_are_removed_and_others_stay() {
        let temporary = TempDir::new().unwrap();
        let prefix = prefix();
        // Process IDs are far below this one.
        let stale = temporary.path().join(format!("{prefix}{}-abc", u32::MAX));
        let live = temporary.path().join(format!("{prefix}{}-abc", std::process::id()));
        let foreign = temporary.path().join("lotka-fmu-notes");
        for folder in [&stale, &live, &foreign] {
            fs::create_dir(folder).unwrap();
            fs::write(folder.join("file"), "x").unwrap();
        }
        sweep(temporary.path(), &prefix, is_gone);
        assert!(!stale.exists() && live.exists() && foreign.exists());
        sweep(temporary.path(), &prefix, |process| process == std::process::id());
        assert!(!live.exists() && foreign.exists());
    }
}
