//! The inputs to begin with, in the folder `seeds`.

use std::{fs, path::Path};

/// The seeds of a target, in the order of their names.
///
/// # Panics
/// There is none.
pub fn seeds(target: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds").join(target);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let read = |entry: fs::DirEntry| {
        let bytes = fs::read(entry.path()).unwrap_or_else(|error| panic!("{}: {error}", entry.path().display()));
        (entry.file_name().to_string_lossy().into_owned(), bytes)
    };
    let mut seeds: Vec<_> = entries.flatten().map(read).collect();
    assert!(!seeds.is_empty(), "{} has no seeds", folder.display());
    seeds.sort();
    seeds
}
