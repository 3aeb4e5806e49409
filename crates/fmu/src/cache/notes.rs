//! Which contents an archive has. When an archive is rebuilt, the contents of the former one are removed, unless another archive
//! still has them.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
};

use blake3::Hash;

use super::{PART, read_only, records};
use crate::platform::path_bytes;

/// Prefix of notes; the hash of the path of the archive follows.
const NOTE: &str = "of-";

/// A note about an archive.
pub(super) struct Note {
    /// Where the note is.
    pub file: PathBuf,
    /// The archive; it may be gone.
    pub archive: PathBuf,
    pub key: Hash,
}

impl Note {
    fn read(file: PathBuf) -> Option<Self> {
        let text = fs::read_to_string(&file).ok()?;
        let (key, archive) = text.split_once('\n')?;
        Some(Self { file, archive: archive.into(), key: Hash::from_hex(key).ok()? })
    }

    /// All notes in a folder.
    pub fn all(folder: &Path) -> impl Iterator<Item = Self> {
        let files = fs::read_dir(folder).into_iter().flatten().flatten();
        files.filter(|file| Self::is_name(&file.file_name().to_string_lossy())).filter_map(|file| Self::read(file.path()))
    }

    /// Whether a file of this name is a note.
    pub fn is_name(name: &str) -> bool {
        name.strip_prefix(NOTE).is_some_and(|hash| Hash::from_hex(hash).is_ok())
    }
}

/// Notes the contents of an archive, and removes those that it had before, with the record about them. If it fails, they stay,
/// and the run continues.
pub(super) fn update(folder: &Path, archive: &Path, key: Hash) -> Option<()> {
    let archive = std::path::absolute(archive).ok()?;
    let file = folder.join(format!("{NOTE}{}", blake3::hash(&path_bytes(&archive)).to_hex()));
    let former = Note::read(file.clone());
    if former.as_ref().is_some_and(|former| former.key == key) {
        return Some(());
    }
    let mut part = tempfile::Builder::new().prefix(PART).tempfile_in(folder).ok()?;
    write!(part, "{key}\n{}", archive.to_str()?).ok()?;
    read_only(part.as_file()).ok()?;
    part.persist(file).ok()?;
    let former = former?.key;
    if !Note::all(folder).any(|note| note.key == former) {
        let _ = fs::remove_file(records::path(folder, former));
        fs::remove_file(folder.join(former.to_hex().as_str())).ok()?;
    }
    Some(())
}
