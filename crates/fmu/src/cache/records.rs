//! Records about archives: a few hundred bytes each, known by the contents of the archive. What they say is the matter of those
//! who keep them.

use std::{
    fs::{self, File},
    io::{self, Read, Write},
    path::{Path, PathBuf},
};

use blake3::Hash;

use super::{PART, ensure_own, hash, is_trusted, note_use, read_only};

/// Prefix of records; the hash of the archive follows.
const RECORD: &str = "about-";

/// Larger files are not records.
const MOST_BYTES: u64 = 1 << 20;

/// Whether a file of this name is a record.
pub(super) fn is_name(name: &str) -> bool {
    key(name).is_some()
}

/// The archive that a file of this name is about, if it is a record.
pub(super) fn key(name: &str) -> Option<Hash> {
    Hash::from_hex(name.strip_prefix(RECORD)?).ok()
}

/// The file of the record about an archive.
pub(super) fn path(folder: &Path, key: Hash) -> PathBuf {
    folder.join(format!("{RECORD}{}", key.to_hex()))
}

/// Keeps a record about an archive with these contents in a folder of the cache, in place of an earlier one.
///
/// # Errors
/// The archive cannot be read; or the folder cannot be made or written, is not the user's own, or can be read or changed by
/// others.
pub fn keep_record(folder: &Path, archive: &Path, record: &[u8]) -> io::Result<()> {
    let key = hash(&File::open(archive)?)?;
    ensure_own(folder)?;
    let mut file = tempfile::Builder::new().prefix(PART).tempfile_in(folder)?;
    file.write_all(record)?;
    read_only(file.as_file())?;
    file.persist(path(folder, key)).map(|_| ()).map_err(|error| error.error)
}

/// Returns the record about an archive with these contents, if a folder of the cache has one. The archive is read only if the
/// folder has any.
#[must_use]
pub fn find_record(folder: &Path, archive: &Path) -> Option<Vec<u8>> {
    let mut files = fs::read_dir(folder).ok()?.flatten();
    files.any(|file| is_name(&file.file_name().to_string_lossy())).then_some(())?;
    is_trusted(&fs::metadata(folder).ok()?).then_some(())?;
    let file = File::open(path(folder, hash(&File::open(archive).ok()?).ok()?)).ok()?;
    let data = file.metadata().ok()?;
    (is_trusted(&data) && data.len() <= MOST_BYTES).then_some(())?;
    note_use(&file, &data);
    let mut record = Vec::new();
    file.take(MOST_BYTES).read_to_end(&mut record).ok()?;
    Some(record)
}
