//! A folder that nothing but the trial uses, with files that an FMU has no reason to touch.

use std::collections::BTreeMap;
use std::fs::{self, File, FileTimes};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::super::listing::listing;

/// Files in the home folder, as users have them.
const BAITS: [&str; 4] = ["document.txt", ".netrc", ".profile", ".ssh/id_ed25519"];
const CONTENTS: &str = "nothing of value\n";

/// All files and folders of a site at some time, files with a stamp.
pub(super) struct Contents(BTreeMap<PathBuf, Option<String>>);

/// The folder.
pub(super) struct Site {
    folder: PathBuf,
    /// The file system notes when files are read.
    notes_reading: bool,
}

impl Site {
    /// Lays out the files.
    pub fn new(folder: &Path) -> io::Result<Self> {
        let home = folder.join("home");
        for bait in BAITS.map(|name| home.join(name)) {
            bait.parent().map_or(Ok(()), fs::create_dir_all)?;
            lay(&bait)?;
        }
        let control = folder.join("control");
        lay(&control)?;
        fs::read(&control)?;
        let notes_reading = was_read(&control);
        fs::remove_file(&control)?;
        Ok(Self { folder: folder.to_owned(), notes_reading })
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What is there now.
    pub fn contents(&self) -> Contents {
        let stamped = |path: PathBuf| {
            let stamp = stamp(&path);
            (path, stamp)
        };
        Contents(listing(&self.folder).into_iter().map(stamped).collect())
    }

    /// The files that are new, gone or changed since, outside of these folders, as a user would name them.
    pub fn changed(&self, Contents(before): &Contents, own: &[PathBuf]) -> Vec<String> {
        let Contents(now) = self.contents();
        let new = now.iter().filter(|(path, stamp)| before.get(*path) != Some(stamp)).map(|(path, _)| path);
        let gone = before.keys().filter(|path| !now.contains_key(*path));
        // A folder around one of these is that of Lotka.
        let is_own = |path: &Path| own.iter().any(|own| path.starts_with(own) || own.starts_with(path));
        let others = new.chain(gone).filter(|path| !is_own(path));
        others.map(|path| self.name(path)).collect()
    }

    /// The files that were read; `None` where the file system does not note it.
    pub fn read(&self) -> Option<Vec<String>> {
        let baits = BAITS.map(|name| self.folder.join("home").join(name)).into_iter().filter(|path| was_read(path));
        self.notes_reading.then(|| baits.map(|path| self.name(&path)).collect())
    }

    fn name(&self, path: &Path) -> String {
        let inside = path.strip_prefix(&self.folder).unwrap_or(path);
        match (inside.strip_prefix("home"), inside.strip_prefix("tmp")) {
            (Ok(rest), _) => format!("$HOME/{}", rest.display()),
            (_, Ok(rest)) => format!("$TMPDIR/{}", rest.display()),
            _ => format!("../{}", inside.display()),
        }
    }
}

/// Long ago, so that reading is noted even where only the first time of a day is.
fn long_ago() -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000)
}

fn lay(path: &Path) -> io::Result<()> {
    fs::write(path, CONTENTS)?;
    File::options().write(true).open(path)?.set_times(FileTimes::new().set_accessed(long_ago()).set_modified(long_ago()))
}

fn was_read(path: &Path) -> bool {
    fs::metadata(path).and_then(|data| data.accessed()).is_ok_and(|time| time != long_ago())
}

/// What changes when a file is written to; reading its content would count as reading.
fn stamp(path: &Path) -> Option<String> {
    let data = fs::symlink_metadata(path).ok().filter(|data| !data.is_dir())?;
    Some(format!("{} {:?} {:?}", data.len(), data.modified().ok(), data.permissions()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_new_changed_gone_or_read_has_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let site = Site::new(folder.path()).unwrap();
        let before = site.contents();
        assert_eq!(site.changed(&before, &[]), [""; 0]);
        assert!(site.read().is_none_or(|read| read.is_empty()));
        let own = folder.path().join("own");
        fs::create_dir_all(own.join("inside")).unwrap();
        fs::write(folder.path().join("home/new"), "x").unwrap();
        fs::write(folder.path().join("home/.profile"), "y").unwrap();
        fs::remove_file(folder.path().join("home/.netrc")).unwrap();
        assert_eq!(site.changed(&before, &[own]), ["$HOME/.profile", "$HOME/new", "$HOME/.netrc"]);
        fs::read(folder.path().join("home/.ssh/id_ed25519")).unwrap();
        assert!(site.read().is_none_or(|read| read == ["$HOME/.ssh/id_ed25519"]), "{:?}", site.read());
    }
}
