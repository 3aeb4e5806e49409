//! The entries of an archive, checked using its central directory alone.

use std::collections::BTreeSet;
use std::io::{Read, Seek};
use std::path::Path;

use zip::read::ZipFileEntry;
use zip::result::ZipError;
use zip::{CompressionMethod, ZipArchive};

use super::names;
use crate::{ArchiveProblem, Error, Limits, Warning};

const FILE_TYPE: u32 = 0o170_000;
const REGULAR_FILE: u32 = 0o100_000;
const FOLDER: u32 = 0o040_000;
const EXECUTABLE: u32 = 0o111;

/// One harmless entry.
pub(crate) struct Entry {
    /// Index in the archive.
    pub index: usize,
    /// Relative path with slashes, without `.` and `..`.
    pub path: String,
    pub is_folder: bool,
    pub is_executable: bool,
    /// Unpacked size \[byte\].
    pub size: u64,
    /// CRC-32 of the unpacked bytes, as the archive declares it; unpacking verifies it.
    pub checksum: u32,
}

/// The contents of the central directory.
#[derive(Default)]
pub(crate) struct Survey {
    /// The entries that are individually harmless.
    pub entries: Vec<Entry>,
    /// Names that had to be corrected, as written in the archive.
    pub respelled: Vec<String>,
    /// Reasons to refuse the archive.
    pub problems: Vec<ArchiveProblem>,
}

/// Checks every entry, up to the first reason to refuse the archive. Warnings list entries whose names had to be corrected.
pub(super) fn check<R: Read + Seek>(
    zip: &mut ZipArchive<R>,
    limits: &Limits,
    path: &Path,
) -> Result<(Vec<Entry>, Vec<Warning>), Error> {
    let mut survey = survey(zip, limits).map_err(|reason| Error::NotAnArchive { path: path.to_owned(), reason })?;
    if !survey.problems.is_empty() {
        return Err(Error::ArchiveRefused { path: path.to_owned(), problem: survey.problems.remove(0) });
    }
    Ok((survey.entries, survey.respelled.into_iter().map(|entry| Warning::EntryName { entry }).collect()))
}

/// Checks every entry.
pub(crate) fn survey<R: Read + Seek>(zip: &mut ZipArchive<R>, limits: &Limits) -> Result<Survey, ZipError> {
    let mut survey = Survey::default();
    if zip.len() > limits.entries {
        survey.problems.push(ArchiveProblem::TooManyEntries { entries: zip.len(), limit: limits.entries });
        return Ok(survey);
    }
    if zip.has_duplicate_names() {
        survey.problems.push(ArchiveProblem::DuplicateNames);
    }
    for index in 0..zip.len() {
        let data = zip.by_index_data(index)?;
        let name = data.name()?.into_owned();
        match names::normalize(&name).and_then(|normal| check_entry(&data, &name, limits).map(|()| normal)) {
            Ok(normal) => {
                if normal.was_changed {
                    survey.respelled.push(name);
                }
                survey.entries.push(Entry {
                    index,
                    is_folder: normal.is_folder || data.is_dir(),
                    is_executable: data.unix_mode().is_some_and(|mode| mode & EXECUTABLE != 0),
                    size: data.size(),
                    checksum: data.crc32(),
                    path: normal.path,
                });
            }
            Err(problem) => survey.problems.push(problem),
        }
    }
    survey.problems.extend(check_together(&survey.entries, limits).err());
    if zip.has_overlapping_entries()? {
        survey.problems.push(ArchiveProblem::Overlap);
    }
    survey.entries.retain(|entry| !entry.path.is_empty());
    Ok(survey)
}

/// Checks an individual entry.
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

/// Checks the total size, and names that collide on a file system that ignores case.
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
