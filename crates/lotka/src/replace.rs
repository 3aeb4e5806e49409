//! Files that are replaced as a whole.

use std::{
    fs::{self, File},
    io::{self, Write as _},
    path::{Path, PathBuf},
};

/// Replaces the file at `path` by one with these bytes.
///
/// At any time, even after a crash or a loss of power, the file is either the old or the new one, and complete. The function
/// writes `PATH.part` beside it and renames it.
///
/// If `path` is a link, its target is replaced. A device or a pipe is written to instead.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("run.json");
/// lotka::command::replace_file(&path, b"{}")?;
/// lotka::command::replace_file(&path, b"{ \"end\": \"stop-time\" }")?;
/// assert_eq!(std::fs::read(&path)?, b"{ \"end\": \"stop-time\" }");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// The file cannot be written or renamed; the old one still exists.
pub fn replace_file(path: impl AsRef<Path>, bytes: &[u8]) -> io::Result<()> {
    let path = path.as_ref();
    let target = fs::canonicalize(path);
    let path = target.as_deref().unwrap_or(path);
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return fs::write(path, bytes);
    }
    let part = part(path);
    remove(&part)?;
    // An existing entry is never written through, because it may be a link.
    let mut file = File::options().write(true).create_new(true).open(&part)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all()).and_then(|()| fs::rename(&part, path));
    if written.is_err() {
        remove(&part)?;
    }
    written?;
    // The new name must survive a loss of power, too.
    File::open(folder(path)).and_then(|folder| folder.sync_all())
}

/// The path of a file before it replaces the other one.
fn part(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    name.into()
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn remove(path: &Path) -> io::Result<()> {
    fs::remove_file(path).or_else(|error| if error.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(error) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::{fs::symlink, net::UnixListener};

    #[test]
    fn a_file_takes_the_place_of_the_old_one_and_nothing_is_left_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.checkpoint");
        fs::write(part(&path), "left by a run that was killed").unwrap();
        for bytes in [&b"one"[..], b"two"] {
            replace_file(&path, bytes).unwrap();
            assert_eq!(fs::read(&path).unwrap(), bytes);
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(replace_file(folder.path().join("nowhere/a.checkpoint"), b"").is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_link_stays_and_leads_to_the_new_file() {
        let folder = tempfile::tempdir().unwrap();
        let [path, link] = ["a", "link"].map(|name| folder.path().join(name));
        fs::write(&path, "old").unwrap();
        symlink("a", &link).unwrap();
        replace_file(&link, b"new").unwrap();
        assert_eq!((fs::read(&path).unwrap(), fs::read_link(&link).unwrap()), (b"new".to_vec(), "a".into()));
    }

    #[test]
    fn what_is_no_file_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("socket");
        let _listener = UnixListener::bind(&path).unwrap();
        assert!(replace_file(&path, b"new").is_err(), "a socket cannot be opened");
        assert!(!fs::metadata(&path).unwrap().is_file());
    }
}
