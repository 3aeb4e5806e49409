//! The entries of an archive, judged by its central directory alone.

use std::collections::BTreeSet;
use std::io::{Read, Seek};
use std::path::Path;

use zip::read::ZipFileEntry;
use zip::{CompressionMethod, ZipArchive};

use super::names;
use crate::{ArchiveProblem, Error, Limits, Warning};

const FILE_TYPE: u32 = 0o170_000;
const REGULAR_FILE: u32 = 0o100_000;
const FOLDER: u32 = 0o040_000;
const EXECUTABLE: u32 = 0o111;

/// One harmless entry.
pub(super) struct Entry {
    /// Index in the archive.
    pub index: usize,
    /// Relative path with slashes, without `.` and `..`.
    pub path: String,
    pub is_folder: bool,
    pub is_executable: bool,
    /// Unpacked size \[byte\].
    pub size: u64,
}

/// Judges every entry. Warnings name entries whose names had to be put right.
pub(super) fn check<R: Read + Seek>(
    zip: &mut ZipArchive<R>,
    limits: &Limits,
    path: &Path,
) -> Result<(Vec<Entry>, Vec<Warning>), Error> {
    let refused = |problem| Error::ArchiveRefused { path: path.to_owned(), problem };
    let broken = |reason| Error::NotAnArchive { path: path.to_owned(), reason };
    if zip.len() > limits.entries {
        return Err(refused(ArchiveProblem::TooManyEntries { entries: zip.len(), limit: limits.entries }));
    }
    if zip.has_duplicate_names() {
        return Err(refused(ArchiveProblem::DuplicateNames));
    }
    let mut warnings = Vec::new();
    let mut entries = Vec::with_capacity(zip.len());
    for index in 0..zip.len() {
        let data = zip.by_index_data(index).map_err(broken)?;
        let name = data.name().map_err(broken)?.into_owned();
        let normal = names::normalize(&name).map_err(refused)?;
        if normal.was_changed {
            warnings.push(Warning::EntryName { entry: name.clone() });
        }
        check_entry(&data, &name, limits).map_err(refused)?;
        entries.push(Entry {
            index,
            is_folder: normal.is_folder || data.is_dir(),
            is_executable: data.unix_mode().is_some_and(|mode| mode & EXECUTABLE != 0),
            size: data.size(),
            path: normal.path,
        });
    }
    check_together(&entries, limits).map_err(refused)?;
    if zip.has_overlapping_entries().map_err(broken)? {
        return Err(refused(ArchiveProblem::Overlap));
    }
    entries.retain(|entry| !entry.path.is_empty());
    Ok((entries, warnings))
}

/// What can be said about an entry on its own.
fn check_entry(data: &ZipFileEntry<'_>, name: &str, limits: &Limits) -> Result<(), ArchiveProblem> {
    let entry = || name.to_owned();
    let file_type = data.unix_mode().map_or(0, |mode| mode & FILE_TYPE);
    if data.is_symlink() || !matches!(file_type, 0 | REGULAR_FILE | FOLDER) {
        return Err(ArchiveProblem::Link { entry: entry() });
    }
    if data.encrypted() {
        return Err(ArchiveProblem::Encrypted { entry: entry() });
    }
    if !matches!(data.compression(), CompressionMethod::Stored | CompressionMethod::Deflated) {
        return Err(ArchiveProblem::Method { entry: entry(), method: data.compression().to_string() });
    }
    let is_dense = data.size() / limits.ratio.max(1) > data.compressed_size();
    if is_dense && data.size() > Limits::UNRATED_SIZE {
        return Err(ArchiveProblem::TooDense { entry: entry(), limit: limits.ratio });
    }
    Ok(())
}

/// The total size, and names that would meet on a file system that ignores case.
fn check_together(entries: &[Entry], limits: &Limits) -> Result<(), ArchiveProblem> {
    let total = entries.iter().fold(0u64, |total, entry| total.saturating_add(entry.size));
    if total > limits.total_size {
        return Err(ArchiveProblem::TooLarge { limit: limits.total_size });
    }
    let mut files = BTreeSet::new();
    let mut folders = BTreeSet::new();
    for entry in entries {
        let key = entry.path.to_lowercase();
        let set = if entry.is_folder { &mut folders } else { &mut files };
        if !set.insert(key) {
            return Err(ArchiveProblem::Duplicate { entry: entry.path.clone() });
        }
    }
    let parents = files.iter().chain(&folders).flat_map(|path| path.match_indices('/').map(|(end, _)| &path[..end]));
    match parents.chain(folders.iter().map(String::as_str)).find(|folder| files.contains(*folder)) {
        Some(folder) => Err(ArchiveProblem::Duplicate { entry: folder.to_owned() }),
        None => Ok(()),
    }
}
