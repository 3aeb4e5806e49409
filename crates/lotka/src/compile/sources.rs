//! Which files are compiled.

use std::{
    ffi::OsStr,
    fs,
    path::{Component, Path, PathBuf},
};

use fmi2::description::Interface;

/// The file that includes all others by convention.
const ALL: &str = "all.c";

/// The files to compile, relative to the folder `sources`: those that the model description lists; without a list, `all.c`;
/// without this file, all C files.
///
/// # Errors
/// Why there is nothing to compile.
pub(super) fn find(folder: &Path, interface: &Interface) -> Result<Vec<PathBuf>, String> {
    if !folder.is_dir() {
        return Err("it has no sources".to_owned());
    }
    let listed: Vec<_> = interface.source_files.iter().map(|file| PathBuf::from(&file.name)).collect();
    if let Some(outside) = listed.iter().find(|path| !path.components().all(|part| matches!(part, Component::Normal(_)))) {
        return Err(format!("the model description lists the source file {}, which is not in sources/", outside.display()));
    }
    let listed: Vec<_> = listed.into_iter().filter(|path| is_source(path)).collect();
    if let Some(missing) = listed.iter().find(|path| !folder.join(path).is_file()) {
        return Err(format!("the model description lists the source file {}, which does not exist", missing.display()));
    }
    let found = match listed.is_empty() {
        false => listed,
        true if folder.join(ALL).is_file() => vec![ALL.into()],
        true => every(folder, Path::new("")),
    };
    if found.is_empty() { Err("there are no C files in its sources".to_owned()) } else { Ok(found) }
}

/// Whether this is a file of C or C++, but not a header.
fn is_source(path: &Path) -> bool {
    path.extension() == Some(OsStr::new("c")) || is_cpp(path)
}

pub(super) fn is_cpp(path: &Path) -> bool {
    path.extension().is_some_and(|extension| ["cc", "cpp", "cxx"].iter().any(|known| extension == *known))
}

/// All C files below a folder, in the order of their names.
fn every(folder: &Path, below: &Path) -> Vec<PathBuf> {
    let mut names: Vec<_> =
        fs::read_dir(folder.join(below)).into_iter().flatten().flatten().map(|entry| entry.file_name()).collect();
    names.sort();
    let mut found = Vec::new();
    for path in names.iter().map(|name| below.join(name)) {
        if folder.join(&path).is_dir() {
            found.extend(every(folder, &path));
        } else if is_source(&path) {
            found.push(path);
        }
    }
    found
}
