//! Comparison of paths.

use std::{
    fs,
    path::{Path, PathBuf, absolute},
};

/// Returns whether two paths name the same file, whether it exists or not.
pub(crate) fn is_same_file(one: &Path, other: &Path) -> bool {
    matches!((place(one), place(other)), (Some(one), Some(other)) if one == other)
}

/// Returns the path of an existing or future file, with links resolved; `None` if its folder does not exist.
fn place(path: &Path) -> Option<PathBuf> {
    let in_folder = || Some(fs::canonicalize(absolute(path).ok()?.parent()?).ok()?.join(path.file_name()?));
    fs::canonicalize(path).ok().or_else(in_folder)
}
