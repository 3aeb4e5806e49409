//! A `.fmu` file: checked as a whole before a single byte of it is written.
//!
//! [`entries`] reads and judges the central directory, [`unpack`](Archive::unpack) writes what was judged harmless, and
//! [`folder`] is where it goes and how it disappears again.

mod entries;
mod folder;
mod names;

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions as FileOptions};
use std::io::{self, BufReader, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use fmi2::ModelDescription;
use zip::ZipArchive;

use crate::{Error, OpenOptions, Warning};
pub(crate) use entries::{Entry, survey};
pub(crate) use folder::Folder;
pub use folder::remove_folders_of;

/// A `.fmu` file that was found harmless and whose model description was read. Nothing is unpacked yet.
pub struct Archive {
    path: PathBuf,
    zip: ZipArchive<BufReader<File>>,
    entries: Vec<Entry>,
    description: ModelDescription,
    warnings: Vec<Warning>,
}

impl Archive {
    /// Opens a `.fmu` file, checks all its entries and reads the model description.
    ///
    /// # Errors
    /// The file cannot be read, is no zip archive, contains an entry that is refused (see [`crate::ArchiveProblem`]), or
    /// its model description cannot be used for co-simulation.
    pub fn open(path: &Path, options: &OpenOptions) -> Result<Self, Error> {
        let file = File::open(path).map_err(|source| Error::Io { path: path.to_owned(), action: "open the FMU", source })?;
        let mut zip =
            ZipArchive::new(BufReader::new(file)).map_err(|reason| Error::NotAnArchive { path: path.to_owned(), reason })?;
        let (entries, mut warnings) = entries::check(&mut zip, &options.limits, path)?;
        let xml = read_description(path, &mut zip, &entries, options.limits.description_size)?;
        let reading = ModelDescription::read(&xml, options.strictness)
            .map_err(|problems| Error::Description { path: path.to_owned(), problems })?;
        warnings.extend(reading.warnings.into_iter().map(Warning::Description));
        Ok(Self { path: path.to_owned(), zip, entries, description: reading.description, warnings })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The model description.
    pub fn description(&self) -> &ModelDescription {
        &self.description
    }

    /// What is odd about the archive and the description, without harm to a run.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// The platforms for which the archive has libraries, as the folders below `binaries` are named.
    pub fn platforms(&self) -> Vec<String> {
        let folders = self.entries.iter().filter(|entry| !entry.is_folder).filter_map(|entry| {
            let mut parts = entry.path.split('/');
            let platform = (parts.next() == Some("binaries")).then(|| parts.next()).flatten()?;
            parts.next().map(|_| platform.to_owned())
        });
        folders.collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// Writes all entries into an existing folder, which should be empty. Sizes and checksums are verified on the way;
    /// of the permissions only "executable" is kept. A `resources` folder is made in any case.
    ///
    /// # Errors
    /// An entry is damaged, or a file cannot be written (existing files are not overwritten).
    pub fn unpack(&mut self, folder: &Path) -> Result<(), Error> {
        make_folder(&folder.join("resources"))?;
        for entry in &self.entries {
            let target = folder.join(&entry.path);
            if entry.is_folder {
                make_folder(&target)?;
            } else {
                target.parent().map_or(Ok(()), make_folder)?;
                write_entry(&self.path, &mut self.zip, entry, &target)?;
            }
        }
        Ok(())
    }

    pub(crate) fn into_parts(self) -> (PathBuf, ModelDescription, Vec<Warning>) {
        (self.path, self.description, self.warnings)
    }
}

fn read_description(path: &Path, zip: &mut ZipArchive<BufReader<File>>, entries: &[Entry], limit: u64) -> Result<Vec<u8>, Error> {
    const NAME: &str = "modelDescription.xml";
    let Some(entry) = entries.iter().find(|entry| entry.path == NAME) else {
        let found_at = entries.iter().find(|entry| entry.path.ends_with("/modelDescription.xml")).map(|entry| entry.path.clone());
        return Err(Error::NoModelDescription { path: path.to_owned(), found_at });
    };
    if entry.size > limit {
        let problem = crate::ArchiveProblem::TooLarge { limit };
        return Err(Error::ArchiveRefused { path: path.to_owned(), problem });
    }
    let mut xml = Vec::new();
    extract(path, zip, entry, &mut xml)?;
    Ok(xml)
}

fn write_entry(path: &Path, zip: &mut ZipArchive<BufReader<File>>, entry: &Entry, target: &Path) -> Result<(), Error> {
    let mode = if entry.is_executable { 0o755 } else { 0o644 };
    let mut file =
        FileOptions::new().write(true).create_new(true).mode(mode).open(target).map_err(|source| cannot_write(target, source))?;
    extract(path, zip, entry, &mut file)
}

/// Unpacks one entry; the zip reader verifies the checksum at its end, this function the length.
fn extract(path: &Path, zip: &mut ZipArchive<BufReader<File>>, entry: &Entry, to: &mut impl io::Write) -> Result<(), Error> {
    let damaged = |source| Error::DamagedEntry { path: path.to_owned(), entry: entry.path.clone(), source };
    let reader = zip.by_index(entry.index).map_err(|error| damaged(error.into()))?;
    let written = io::copy(&mut reader.take(entry.size.saturating_add(1)), to).map_err(damaged)?;
    if written != entry.size {
        return Err(damaged(io::Error::new(io::ErrorKind::InvalidData, "its length differs from the one announced")));
    }
    Ok(())
}

fn make_folder(folder: &Path) -> Result<(), Error> {
    fs::create_dir_all(folder).map_err(|source| cannot_write(folder, source))
}

fn cannot_write(path: &Path, source: io::Error) -> Error {
    Error::Io { path: path.to_owned(), action: "unpack to it", source }
}
