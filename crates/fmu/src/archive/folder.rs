//! The folder that an FMU is unpacked to: removed with its last user, and by the next process if that one crashed.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Once;

use tempfile::TempDir;

use crate::Error;

/// A temporary folder of this process.
pub(crate) struct Folder {
    path: PathBuf,
    _folder: TempDir,
}

impl Folder {
    /// Makes an empty folder, after removing those of processes that are gone (once per process).
    pub(crate) fn new() -> Result<Self, Error> {
        static SWEEP: Once = Once::new();
        let temporary = std::env::temp_dir();
        let cannot = |source| Error::Io { path: temporary.clone(), action: "make a folder to unpack to", source };
        let prefix = prefix();
        let folder = tempfile::Builder::new().prefix(&format!("{prefix}{}-", std::process::id())).tempdir().map_err(cannot)?;
        SWEEP.call_once(|| sweep(&temporary, &prefix, folder.path()));
        let path = folder.path().canonicalize().map_err(cannot)?;
        Ok(Self { path, _folder: folder })
    }

    /// The absolute path.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

/// `lotka-fmu-`, then what tells process numbers of different containers apart; a process number follows.
fn prefix() -> String {
    let namespace = fs::read_link("/proc/self/ns/pid").unwrap_or_default();
    let digits: String = namespace.to_string_lossy().chars().filter(char::is_ascii_digit).collect();
    format!("lotka-fmu-{digits}-")
}

/// Removes the folders of the same user whose process is gone. What cannot be removed stays.
fn sweep(temporary: &Path, prefix: &str, own: &Path) {
    let (true, Ok(own), Ok(folders)) = (Path::new("/proc/self").exists(), fs::metadata(own), fs::read_dir(temporary)) else {
        return;
    };
    for folder in folders.flatten() {
        let name = folder.file_name();
        let Some(process) = name.to_str().and_then(|name| owner(name, prefix)) else { continue };
        let is_gone = !Path::new("/proc").join(process.to_string()).exists();
        let is_ours = folder.metadata().is_ok_and(|data| data.is_dir() && data.uid() == own.uid());
        if is_gone && is_ours {
            // A folder that somebody else is removing at the same time, or that is protected, is no reason to fail.
            let _ = fs::remove_dir_all(folder.path());
        }
    }
}

/// The process that a folder of this name belongs to.
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
        // Process numbers end far below this one.
        let stale = temporary.path().join(format!("{prefix}{}-abc", u32::MAX));
        let live = temporary.path().join(format!("{prefix}{}-abc", std::process::id()));
        let foreign = temporary.path().join("lotka-fmu-notes");
        for folder in [&stale, &live, &foreign] {
            fs::create_dir(folder).unwrap();
            fs::write(folder.join("file"), "x").unwrap();
        }
        sweep(temporary.path(), &prefix, temporary.path());
        assert!(!stale.exists() && live.exists() && foreign.exists());
    }
}
