//! `.fmu` files: whatever an archive holds, nothing is written outside of the folder it is unpacked to, and not more than is
//! allowed.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use fmu::{Archive, Limits, OpenOptions};

/// Small, so that limits are met.
const LIMITS: Limits = Limits { entries: 64, total_size: 1 << 20, ratio: 200, description_size: 1 << 18 };

pub(super) fn run(bytes: &[u8]) {
    let scratch = tempfile::tempdir().unwrap_or_else(|error| panic!("no scratch folder: {error}"));
    let (file, folder) = (scratch.path().join("input.fmu"), scratch.path().join("one/two/three"));
    fs::create_dir_all(&folder).and_then(|()| fs::write(&file, bytes)).unwrap_or_else(|error| panic!("{error}"));
    let options = OpenOptions { limits: LIMITS, ..OpenOptions::default() };
    if let Ok(mut archive) = Archive::open(&file, &options) {
        drop(archive.platforms());
        let _ = archive.unpack(&folder);
        let size = check_inside(&folder);
        assert!(size <= LIMITS.total_size, "{size} bytes were written");
    }
    let around = ["input.fmu", "one", "one/two", "one/two/three"].map(|name| scratch.path().join(name));
    let found = walk(scratch.path(), &|path| path != folder);
    assert_eq!(found, BTreeSet::from(around), "something was written outside of the folder");
}

/// All is files and folders; their size \[bytes\].
fn check_inside(folder: &Path) -> u64 {
    let metadata = |path: &PathBuf| path.symlink_metadata().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let size = |path: PathBuf| {
        let metadata = metadata(&path);
        assert!(metadata.is_dir() || metadata.is_file(), "{} is neither file nor folder", path.display());
        if metadata.is_file() { metadata.len() } else { 0 }
    };
    walk(folder, &|_| true).into_iter().map(size).sum()
}

/// Everything below a folder; of folders that `enters` declines, nothing.
fn walk(folder: &Path, enters: &dyn Fn(&Path) -> bool) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())).flatten() {
        let path = entry.path();
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) && enters(&path) {
            found.extend(walk(&path, enters));
        }
        found.insert(path);
    }
    found
}
