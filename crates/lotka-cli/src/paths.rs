//! Names of files.

use std::{
    fs,
    path::{Path, PathBuf, absolute},
};

/// Whether two names are those of one file, that is there or will be.
pub(crate) fn is_same_file(one: &Path, other: &Path) -> bool {
    matches!((place(one), place(other)), (Some(one), Some(other)) if one == other)
}

/// Where a file is, or will be in its folder, without links; `None` if there is no such folder.
fn place(path: &Path) -> Option<PathBuf> {
    let in_folder = || Some(fs::canonicalize(absolute(path).ok()?.parent()?).ok()?.join(path.file_name()?));
    fs::canonicalize(path).ok().or_else(in_folder)
}
