//! What the cache holds, for people.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    time::SystemTime,
};

use blake3::Hash;

use super::{PART, notes::Note, records};

/// An archive of which the cache keeps the contents, a record about it, or both.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CachedFmu {
    /// The archives that had these contents when they were last opened, by path.
    pub archives: Vec<PathBuf>,
    /// Size \[byte\].
    pub size: u64,
    /// About when they were last used, to the hour.
    pub last_use: SystemTime,
    /// Whether there is a record about the archive.
    pub has_record: bool,
}

/// Returns what the cache in a folder holds, the most recently used contents first. A missing folder holds nothing.
///
/// # Errors
/// The folder cannot be read.
pub fn cached_fmus(folder: &Path) -> io::Result<Vec<CachedFmu>> {
    let notes: Vec<_> = Note::all(folder).collect();
    let mut fmus: BTreeMap<String, CachedFmu> = BTreeMap::new();
    for (name, path) in own_files(folder)? {
        let record = records::key(&name);
        let (Some(key), Ok(data)) = (record.or_else(|| Hash::from_hex(&name).ok()), fs::metadata(&path)) else { continue };
        let mut archives: Vec<_> = notes.iter().filter(|note| note.key == key).map(|note| note.archive.clone()).collect();
        archives.sort();
        let new = CachedFmu { archives, size: 0, last_use: SystemTime::UNIX_EPOCH, has_record: false };
        let fmu = fmus.entry(key.to_hex().to_string()).or_insert(new);
        fmu.size += data.len();
        fmu.last_use = fmu.last_use.max(data.modified()?);
        fmu.has_record |= record.is_some();
    }
    let mut fmus: Vec<_> = fmus.into_values().collect();
    fmus.sort_by_key(|fmu| std::cmp::Reverse(fmu.last_use));
    Ok(fmus)
}

/// Removes everything that Lotka keeps in this folder. FMUs that are open keep their own copies.
///
/// # Errors
/// A file cannot be removed.
pub fn clear_cache(folder: &Path) -> io::Result<()> {
    own_files(folder)?.into_iter().try_for_each(|(_, path)| match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    })
}

/// The files whose names are Lotka's, by name.
fn own_files(folder: &Path) -> io::Result<Vec<(String, PathBuf)>> {
    let files = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        files => files?,
    };
    let named = files.flatten().map(|file| (file.file_name().to_string_lossy().into_owned(), file.path()));
    let is_own =
        |name: &str| name.starts_with(PART) || Note::is_name(name) || records::is_name(name) || Hash::from_hex(name).is_ok();
    Ok(named.filter(|(name, _)| is_own(name)).collect())
}
