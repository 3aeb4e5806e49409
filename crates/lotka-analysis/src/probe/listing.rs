//! The files in a folder.

use std::path::{Path, PathBuf};

/// The contents of a folder and its subfolders.
pub(super) fn listing(folder: &Path) -> Vec<PathBuf> {
    let entries: Vec<_> = std::fs::read_dir(folder).into_iter().flatten().flatten().collect();
    let inside = entries.iter().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    let inside: Vec<_> = inside.flat_map(|entry| listing(&entry.path())).collect();
    entries.iter().map(std::fs::DirEntry::path).chain(inside).collect()
}
