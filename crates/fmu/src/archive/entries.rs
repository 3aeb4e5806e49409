//! The entries of an archive, checked using its central directory alone.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{Read, Seek};
use std::path::Path;

use zip::read::ZipFileEntry;
use zip::result::ZipError;
use zip::{CompressionMethod, ZipArchive};

use super::{names, repeated};
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

impl Entry {
    /// Whether both write the same file, or make the same folder.
    fn equals(&self, other: &Self) -> bool {
        let contents = |entry: &Self| (entry.size, entry.checksum, entry.is_executable);
        self.path == other.path && self.is_folder == other.is_folder && (self.is_folder || contents(self) == contents(other))
    }
}

/// The contents of the central directory.
#[derive(Default)]
pub(crate) struct Survey {
    /// The entries that are individually harmless.
    pub entries: Vec<Entry>,
    /// Names that had to be corrected, as written in the archive.
    pub respelled: Vec<String>,
    /// Names of entries that are there more than once, with the same contents.
    pub repeated: Vec<String>,
    /// Reasons to refuse the archive.
    pub problems: Vec<ArchiveProblem>,
}

/// Checks every entry, up to the first reason to refuse the archive. Warnings list entries whose names had to be corrected, and
/// those that are there more than once.
pub(super) fn check<R: Read + Seek>(
    zip: &mut ZipArchive<R>,
    file: &File,
    limits: &Limits,
    path: &Path,
) -> Result<(Vec<Entry>, Vec<Warning>), Error> {
    let mut survey = survey(zip, file, limits).map_err(|reason| Error::NotAnArchive { path: path.to_owned(), reason })?;
    if !survey.problems.is_empty() {
        return Err(Error::ArchiveRefused { path: path.to_owned(), problem: survey.problems.remove(0) });
    }
    let respelled = survey.respelled.into_iter().map(|entry| Warning::EntryName { entry });
    let repeated = survey.repeated.into_iter().map(|entry| Warning::EntryRepeated { entry });
    Ok((survey.entries, respelled.chain(repeated).collect()))
}

/// Checks every entry of an archive in this file.
pub(crate) fn survey<R: Read + Seek>(zip: &mut ZipArchive<R>, file: &File, limits: &Limits) -> Result<Survey, ZipError> {
    let mut survey = Survey::default();
    if zip.len() > limits.entries {
        survey.problems.push(ArchiveProblem::TooManyEntries { entries: zip.len(), limit: limits.entries });
        return Ok(survey);
    }
    if zip.has_duplicate_names() {
        match repeated::names(file, zip.central_directory_start(), limits.entries) {
            Some(names) => survey.repeated.extend(names),
            None => survey.problems.push(ArchiveProblem::DuplicateNames),
        }
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
    match check_together(&survey.entries, limits) {
        Ok(repeated) => survey.repeated.extend(repeated),
        Err(problem) => survey.problems.push(problem),
    }
    if zip.has_overlapping_entries()? {
        survey.problems.push(ArchiveProblem::Overlap);
    }
    let mut seen = HashSet::new();
    survey.entries.retain(|entry| !entry.path.is_empty() && seen.insert(entry.path.clone()));
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

/// Checks the total size, and names that collide on a file system that ignores case. Returns the names that are there more than
/// once, with the same contents.
fn check_together(entries: &[Entry], limits: &Limits) -> Result<Vec<String>, ArchiveProblem> {
    let total = entries.iter().fold(0u64, |total, entry| total.saturating_add(entry.size));
    if total > limits.total_size {
        return Err(ArchiveProblem::TooLarge { limit: limits.total_size });
    }
    let (mut files, mut folders, mut repeated) = (HashMap::new(), HashMap::new(), Vec::new());
    for entry in entries {
        let names = if entry.is_folder { &mut folders } else { &mut files };
        match names.insert(entry.path.to_lowercase(), entry) {
            None => {}
            Some(earlier) if entry.equals(earlier) => repeated.push(entry.path.clone()),
            Some(_) => return Err(ArchiveProblem::Duplicate { entry: entry.path.clone() }),
        }
    }
    let parents = files.keys().chain(folders.keys()).flat_map(|path| path.match_indices('/').map(|(end, _)| &path[..end]));
    match parents.chain(folders.keys().map(String::as_str)).filter(|folder| files.contains_key(*folder)).min() {
        Some(folder) => Err(ArchiveProblem::Duplicate { entry: folder.to_owned() }),
        None => Ok(repeated),
    }
}
