//! A zip archive whose entries are checked before any byte of it is written.

use std::fs::{self, File, OpenOptions as FileOptions};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use zip::ZipArchive;

use super::entries::{self, Entry};
use super::folder::Folder;
use crate::cache::{CacheEntry, CachedContents, EntryWriter};
use crate::platform::with_mode;
use crate::{ArchiveProblem, Error, Limits, Warning};

type Zip = ZipArchive<BufReader<Arc<File>>>;

/// A zip archive (an FMU, or a package of FMUs) that was found harmless. It is not yet unpacked.
pub struct Package {
    path: PathBuf,
    file: Arc<File>,
    zip: Zip,
    pub(super) entries: Vec<Entry>,
    pub(super) warnings: Vec<Warning>,
}

impl Package {
    /// Opens an archive and checks all its entries.
    ///
    /// # Errors
    /// The file cannot be read, is not a zip archive, or contains an entry that is refused (see [`ArchiveProblem`]).
    pub fn open(path: &Path, limits: &Limits) -> Result<Self, Error> {
        let file = File::open(path).map_err(|reason| Error::Io { path: path.to_owned(), action: "open the FMU", reason })?;
        let file = Arc::new(file);
        let mut zip = ZipArchive::new(BufReader::new(file.clone()))
            .map_err(|reason| Error::NotAnArchive { path: path.to_owned(), reason })?;
        let (entries, warnings) = entries::check(&mut zip, &file, limits, path)?;
        Ok(Self { path: path.to_owned(), file, zip, entries, warnings })
    }

    /// Returns the path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the names of the files in it, with slashes.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().filter(|entry| !entry.is_folder).map(|entry| entry.path.as_str())
    }

    /// Returns the bytes of a file in it; `None` for an unknown name.
    ///
    /// # Errors
    /// It is larger than `limit` \[byte\], or damaged.
    pub fn read(&mut self, name: &str, limit: u64) -> Result<Option<Vec<u8>>, Error> {
        let Some(entry) = self.entries.iter().find(|entry| !entry.is_folder && entry.path == name) else { return Ok(None) };
        if entry.size > limit {
            return Err(Error::ArchiveRefused { path: self.path.clone(), problem: ArchiveProblem::TooLarge { limit } });
        }
        let mut bytes = Vec::new();
        extract(&self.path, &mut self.zip, entry, &mut bytes)?;
        Ok(Some(bytes))
    }

    /// Writes all entries into an existing folder, which should be empty. Sizes and checksums are verified during unpacking;
    /// of the permissions only "executable" is kept.
    ///
    /// # Errors
    /// An entry is damaged, or a file cannot be written (existing files are not overwritten).
    pub fn unpack(&mut self, folder: &Path) -> Result<(), Error> {
        self.unpack_and_cache(folder, None)
    }

    /// Does the same; takes the contents from the cache or keeps them there, if it is given and usable.
    pub(crate) fn unpack_by(&mut self, folder: &Path, cache: Option<&Path>) -> Result<(), Error> {
        let files = self.entries.iter().filter(|entry| !entry.is_folder).map(|entry| (entry.path.as_str(), entry.size));
        let entry = cache.and_then(|cache| CacheEntry::of(cache, &self.path, &self.file, files));
        if let Some(contents) = entry.as_ref().and_then(CacheEntry::find) {
            if self.write_cached(folder, contents).is_some() {
                return Ok(());
            }
            empty(folder).map_err(|source| cannot_write(&self.path, folder, source))?;
        }
        let mut cached = entry.and_then(CacheEntry::write);
        self.unpack_and_cache(folder, cached.as_mut())?;
        if let Some(cached) = cached {
            cached.finish(&self.file);
        }
        Ok(())
    }

    fn unpack_and_cache(&mut self, folder: &Path, mut cached: Option<&mut EntryWriter>) -> Result<(), Error> {
        let Self { path, zip, entries, .. } = self;
        write_all(path, entries, folder, |entry, target, file| {
            let mut to = CachingFile { to: file, cached: cached.as_deref_mut(), has_failed: false };
            extract(path, zip, entry, &mut to).map_err(|error| match error {
                Error::DamagedEntry { reason, .. } if to.has_failed => cannot_write(path, target, reason),
                other => other,
            })
        })
    }

    /// Writes the contents from the cache; `None` if they are not those of this archive, or cannot be read or written.
    fn write_cached(&self, folder: &Path, mut contents: CachedContents) -> Option<()> {
        let copy = |entry: &Entry, target: &Path, mut file: File| {
            contents.copy(entry.size, &mut file).map_err(|source| cannot_write(&self.path, target, source))
        };
        write_all(&self.path, &self.entries, folder, copy).ok()?;
        contents.verify()
    }

    /// Writes all entries into a new folder, which is removed with the returned value, or when this process is gone.
    ///
    /// # Errors
    /// As for [`Package::unpack`].
    pub fn unpack_for_now(mut self) -> Result<Folder, Error> {
        let folder = Folder::new()?;
        self.unpack(folder.path())?;
        Ok(folder)
    }
}

/// Creates all folders and files; `fill` writes the contents of a file.
fn write_all(
    path: &Path,
    entries: &[Entry],
    folder: &Path,
    mut fill: impl FnMut(&Entry, &Path, File) -> Result<(), Error>,
) -> Result<(), Error> {
    for entry in entries {
        let target = folder.join(&entry.path);
        if entry.is_folder {
            make_folder(path, &target)?;
            continue;
        }
        target.parent().map_or(Ok(()), |parent| make_folder(path, parent))?;
        let mode = if entry.is_executable { 0o755 } else { 0o644 };
        let file = with_mode(FileOptions::new().write(true).create_new(true), mode).open(&target);
        fill(entry, &target, file.map_err(|source| cannot_write(path, &target, source))?)?;
    }
    Ok(())
}

/// Removes what was written into a folder.
fn empty(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() { fs::remove_dir_all(entry.path()) } else { fs::remove_file(entry.path()) }?;
    }
    Ok(())
}

/// A file that records whether its own failure ended the copying, and a cache that receives the same bytes.
struct CachingFile<'a> {
    to: File,
    cached: Option<&'a mut EntryWriter>,
    has_failed: bool,
}

impl io::Write for CachingFile<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.to.write(bytes).inspect_err(|error| self.has_failed = error.kind() != io::ErrorKind::Interrupted)?;
        if let Some(cached) = &mut self.cached {
            cached.append(&bytes[..written]);
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// Unpacks one entry; the zip reader verifies the checksum at its end, and this function the length.
fn extract(path: &Path, zip: &mut Zip, entry: &Entry, to: &mut impl io::Write) -> Result<(), Error> {
    let damaged = |reason| Error::DamagedEntry { path: path.to_owned(), entry: entry.path.clone(), reason };
    let reader = zip.by_index(entry.index).map_err(|error| damaged(error.into()))?;
    let written = io::copy(&mut reader.take(entry.size.saturating_add(1)), to).map_err(damaged)?;
    if written != entry.size {
        return Err(damaged(io::Error::new(io::ErrorKind::InvalidData, "its length differs from the declared length")));
    }
    Ok(())
}

pub(super) fn make_folder(path: &Path, folder: &Path) -> Result<(), Error> {
    fs::create_dir_all(folder).map_err(|source| cannot_write(path, folder, source))
}

fn cannot_write(path: &Path, target: &Path, reason: io::Error) -> Error {
    Error::Unpack { path: path.to_owned(), target: target.to_owned(), reason }
}
