//! Contents of FMUs, kept for the next opening of the same file: to inflate a library takes longer than everything else that
//! opening an FMU needs.
//!
//! What is kept of an archive is one file: the contents of its files, in the order of its directory, then a BLAKE3 hash of its
//! key, of the names and sizes of the files, and of the contents. Its name is the key, the BLAKE3 hash of the archive. An FMU is
//! not given it: contents are copied into its own folder, and checked while they are copied. Any file may be changed, cut off or
//! removed at any time; what does not match is unpacked again. [`notes`] say which archive has which contents; [`records`] hold
//! what others know of an archive.

mod list;
mod notes;
mod records;

use std::{
    fs::{self, DirBuilder, File},
    io::{self, BufReader, Read, Write},
    path::{Component, Path, PathBuf},
    time::{Duration, SystemTime},
};

use blake3::{Hash, Hasher, OUT_LEN};
use lotka_message::limits;
use tempfile::NamedTempFile;

pub use list::{CachedFmu, cached_fmus, clear_cache};
use notes::Note;
pub use records::{find_record, keep_record};

use crate::platform::{is_own, is_private, private, read_exact_at};

/// Names the format: another one would lead to other hashes.
const FORMAT: &[u8] = b"lotka contents of an FMU, 1";
/// Prefix of files that are being written. Keys start with other characters.
const PART: &str = "part-";
/// Age at which such a file is known to be left over.
const ABANDONED: Duration = Duration::from_secs(24 * 3600);
/// Time without use after which contents are removed.
const UNUSED: Duration = Duration::from_secs(90 * 24 * 3600);
/// Interval in which uses are noted.
const NOTED: Duration = Duration::from_secs(3600);
/// Contents that fill more than this part of the limit are not kept.
const LARGEST_PART: u64 = 4;
const CHUNK: usize = 64 * 1024;

/// Returns the folder in which Lotka keeps contents of FMUs for this user: `lotka/fmus` below `XDG_CACHE_HOME`, by default
/// `~/.cache`. `None` without these variables. It is used on Linux only.
#[must_use]
pub fn user_cache() -> Option<PathBuf> {
    let folder = |variable| std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = folder("XDG_CACHE_HOME").or_else(|| folder("HOME").map(|home| home.join(".cache")));
    base.map(|base| base.join("lotka").join("fmus"))
}

/// Whether one of two folders contains the other, or they are the same; neither needs to exist.
#[must_use]
pub fn are_nested(one: &Path, other: &Path) -> bool {
    let (one, other) = (resolved(one), resolved(other));
    one.starts_with(&other) || other.starts_with(&one)
}

/// The absolute path without links and `..`, as far as it exists.
fn resolved(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut resolved = PathBuf::new();
    for component in absolute.components() {
        match component {
            Component::ParentDir => _ = resolved.pop(),
            other => resolved.push(other),
        }
        resolved = resolved.canonicalize().unwrap_or(resolved);
    }
    resolved
}

/// A place for the contents of one archive.
pub(crate) struct CacheEntry {
    folder: PathBuf,
    /// The archive.
    archive: PathBuf,
    key: Hash,
    /// Of the names and sizes of the files.
    listing: Hash,
    /// Number of bytes of the contents.
    size: u64,
    limit: u64,
}

impl CacheEntry {
    /// The place of an archive with these files in this folder, which is made if necessary. `None` if the contents are too large;
    /// if the archive cannot be read; or if the folder cannot be made, is not the user's own, or can be read or changed by
    /// others.
    pub fn of<'a>(folder: &Path, path: &Path, archive: &File, files: impl Iterator<Item = (&'a str, u64)>) -> Option<Self> {
        Self::limited(folder, (path, archive), files, limits::CACHE_BYTES)
    }

    fn limited<'a>(
        folder: &Path,
        (path, archive): (&Path, &File),
        files: impl Iterator<Item = (&'a str, u64)>,
        limit: u64,
    ) -> Option<Self> {
        let (mut listing, mut size) = (Hasher::new(), 0_u64);
        for (name, length) in files {
            // No name contains a zero byte.
            listing.update(name.as_bytes()).update(&[0]).update(&length.to_le_bytes());
            size = size.saturating_add(length);
        }
        if size > limit / LARGEST_PART {
            return None;
        }
        ensure_own(folder).ok()?;
        Some(Self {
            folder: folder.to_owned(),
            archive: path.to_owned(),
            key: hash(archive).ok()?,
            listing: listing.finalize(),
            size,
            limit,
        })
    }

    fn path(&self) -> PathBuf {
        self.folder.join(self.key.to_hex().as_str())
    }

    /// Contents of all files one after the other, if they are kept.
    pub fn find(&self) -> Option<CachedContents> {
        let file = File::open(self.path()).ok()?;
        let data = file.metadata().ok()?;
        if !is_trusted(&data) || data.len() != self.size + OUT_LEN as u64 {
            return None;
        }
        note_use(&file, &data);
        // If this fails, contents that the archive had before stay longer.
        let _ = notes::update(&self.folder, &self.archive, self.key);
        Some(CachedContents { file: BufReader::with_capacity(CHUNK, file), hasher: self.hasher() })
    }

    /// Keeps contents that are written in the same order, once they are whole.
    pub fn write(self) -> Option<EntryWriter> {
        let file = tempfile::Builder::new().prefix(PART).tempfile_in(&self.folder).ok()?;
        Some(EntryWriter { file, hasher: self.hasher(), written: Some(0), place: self })
    }

    fn hasher(&self) -> Hasher {
        let mut hasher = Hasher::new();
        hasher.update(FORMAT).update(self.key.as_bytes()).update(self.listing.as_bytes());
        hasher
    }

    /// Removes files that nobody finished, contents without use for a long time, and the ones with the oldest use until the limit
    /// is met. Files with other names are not Lotka's.
    fn clean(&self) {
        let Ok(files) = fs::read_dir(&self.folder) else { return };
        let now = SystemTime::now();
        let mut kept = Vec::new();
        for file in files.flatten() {
            let Ok(data) = file.metadata() else { continue };
            let age = data.modified().ok().and_then(|modified| now.duration_since(modified).ok()).unwrap_or_default();
            let name = file.file_name().to_string_lossy().into_owned();
            let (is_part, is_record) = (name.starts_with(PART), records::is_name(&name));
            if !is_part && !is_record && Hash::from_hex(&name).is_err() {
                continue;
            }
            if age > if is_part { ABANDONED } else { UNUSED } {
                // Another process may have removed it.
                let _ = fs::remove_file(file.path());
            } else if !is_part && !is_record {
                kept.push((age, data.len(), file.path()));
            }
        }
        kept.sort_by_key(|(age, ..)| *age);
        let mut total = 0;
        for (_, size, path) in kept {
            total += size;
            if total > self.limit {
                let _ = fs::remove_file(path);
            }
        }
        for note in Note::all(&self.folder) {
            if !note.archive.exists() || !self.folder.join(note.key.to_hex().as_str()).exists() {
                let _ = fs::remove_file(note.file);
            }
        }
    }
}

/// Contents in the cache; correct only if [`CachedContents::verify`] says so after all were read.
pub(crate) struct CachedContents {
    file: BufReader<File>,
    hasher: Hasher,
}

impl CachedContents {
    /// Copies the contents of the next file.
    pub fn copy(&mut self, size: u64, to: &mut impl Write) -> io::Result<()> {
        let mut left = size;
        let mut bytes = vec![0; CHUNK.min(usize::try_from(size).unwrap_or(CHUNK))];
        while left > 0 {
            let chunk = &mut bytes[..CHUNK.min(usize::try_from(left).unwrap_or(CHUNK))];
            self.file.read_exact(chunk)?;
            self.hasher.update(chunk);
            to.write_all(chunk)?;
            left -= chunk.len() as u64;
        }
        Ok(())
    }

    /// `Some` if the contents are those that were kept under this key, and nothing follows.
    pub fn verify(self) -> Option<()> {
        let mut rest = Vec::new();
        self.file.take(OUT_LEN as u64 + 1).read_to_end(&mut rest).ok()?;
        (rest == self.hasher.finalize().as_bytes()).then_some(())
    }
}

/// Contents that are being written to the cache. If that fails, the archive is read again next time, and nobody notices.
pub(crate) struct EntryWriter {
    file: NamedTempFile,
    hasher: Hasher,
    /// Number of bytes; `None` after a failure.
    written: Option<u64>,
    place: CacheEntry,
}

impl EntryWriter {
    /// Appends to the contents.
    pub fn append(&mut self, bytes: &[u8]) {
        let Some(written) = self.written else { return };
        self.hasher.update(bytes);
        self.written = self.file.write_all(bytes).ok().map(|()| written + bytes.len() as u64);
    }

    /// Makes the contents visible, if they are whole and the archive is still the same, and cleans up.
    pub fn finish(self, archive: &File) {
        let Self { mut file, hasher, written, place } = self;
        let is_same = hash(archive).is_ok_and(|now| now == place.key);
        if !is_same || written != Some(place.size) || file.write_all(hasher.finalize().as_bytes()).is_err() {
            return;
        }
        if read_only(file.as_file()).is_ok() && file.persist(place.path()).is_ok() {
            let _ = notes::update(&place.folder, &place.archive, place.key);
            place.clean();
        }
    }
}

/// Closes a file to changes.
fn read_only(file: &File) -> io::Result<()> {
    let mut permissions = file.metadata()?.permissions();
    permissions.set_readonly(true);
    file.set_permissions(permissions)
}

/// Makes a folder unless it exists; it must be this user's own, and closed to others.
fn ensure_own(folder: &Path) -> io::Result<()> {
    let refused = || io::Error::new(io::ErrorKind::PermissionDenied, "the folder is not this user's own, or is open to others");
    let nearest = folder.ancestors().find_map(|folder| fs::metadata(folder).ok()).ok_or_else(refused)?;
    if !is_own(&nearest) {
        return Err(refused());
    }
    if !folder.is_dir() {
        private(DirBuilder::new().recursive(true)).create(folder)?;
    }
    if is_trusted(&fs::metadata(folder)?) { Ok(()) } else { Err(refused()) }
}

/// Notes that a file of the cache is used. If this fails, it is removed earlier.
fn note_use(file: &File, data: &fs::Metadata) {
    let now = SystemTime::now();
    if data.modified().ok().and_then(|last| now.duration_since(last).ok()).is_some_and(|unused| unused > NOTED) {
        let _ = file.set_modified(now);
    }
}

/// Whether a file or folder is this user's own, and closed to others.
fn is_trusted(data: &fs::Metadata) -> bool {
    is_private(data) && is_own(data)
}

fn hash(file: &File) -> io::Result<Hash> {
    let (mut hasher, size) = (Hasher::new(), file.metadata()?.len());
    let mut bytes = vec![0; CHUNK];
    let mut position = 0;
    while position < size {
        let count = CHUNK.min(usize::try_from(size - position).unwrap_or(CHUNK));
        read_exact_at(file, &mut bytes[..count], position)?;
        hasher.update(&bytes[..count]);
        position += count as u64;
    }
    Ok(hasher.finalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An archive that differs from the others.
    fn archive(folder: &Path, name: &str) -> Archive {
        let path = folder.join(name);
        fs::write(&path, name).unwrap();
        Archive { file: File::open(&path).unwrap(), path }
    }

    struct Archive {
        file: File,
        path: PathBuf,
    }

    impl Archive {
        fn place(&self, cache: &Path, size: u64, limit: u64) -> Option<CacheEntry> {
            CacheEntry::limited(cache, (&self.path, &self.file), [("a", size)].into_iter(), limit)
        }

        fn keep(&self, cache: &Path) {
            let mut cached = self.place(cache, 1000, 4000).unwrap().write().unwrap();
            cached.append(&[0; 1000]);
            cached.finish(&self.file);
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri cannot set the times of files")]
    fn the_least_recently_used_contents_are_removed_at_the_limit() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("cache");
        // With their hashes, three fit below the limit.
        let (size, limit) = (1000, 4000);
        let archives = ["a", "b", "c", "d"].map(|name| archive(dir.path(), name));
        let place = |archive: &Archive| archive.place(&folder, size, limit).unwrap();
        for (archive, age) in archives.iter().zip([1, 2, 3, 4]).rev() {
            archive.keep(&folder);
            let time = SystemTime::now() - Duration::from_secs(age * 7200);
            File::open(place(archive).path()).unwrap().set_modified(time).unwrap();
        }
        let is_kept = || archives.each_ref().map(|archive| place(archive).path().exists());
        assert_eq!(is_kept(), [true, true, true, false]);
        // `c` is used, `d` is kept again.
        assert!(place(&archives[2]).find().is_some());
        archives[3].keep(&folder);
        assert_eq!(is_kept(), [true, false, true, true]);
    }

    #[test]
    fn an_archive_that_is_rebuilt_has_one_place_and_what_others_have_stays() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("cache");
        let rebuilt = |contents: &str| {
            let path = dir.path().join("a");
            fs::write(&path, contents).unwrap();
            Archive { file: File::open(&path).unwrap(), path }
        };
        (0..12).for_each(|version| rebuilt(&version.to_string()).keep(&folder));
        let list = || cached_fmus(&folder).unwrap().into_iter().map(|fmu| fmu.archives).collect::<Vec<_>>();
        assert_eq!(list(), [[dir.path().join("a")]]);
        let other = dir.path().join("b");
        fs::copy(dir.path().join("a"), &other).unwrap();
        Archive { file: File::open(&other).unwrap(), path: other.clone() }.place(&folder, 1000, 4000).unwrap().find().unwrap();
        rebuilt("13").keep(&folder);
        let mut both = list();
        both.sort();
        assert_eq!(both, [[dir.path().join("a")], [other]]);
        fs::write(folder.join("notes.txt"), "mine").unwrap();
        clear_cache(&folder).unwrap();
        assert_eq!((list().len(), fs::read_dir(&folder).unwrap().count()), (0, 1));
    }

    #[test]
    fn a_record_is_found_by_contents_and_goes_with_them() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("cache");
        let (a, b) = (archive(dir.path(), "a"), archive(dir.path(), "b"));
        assert_eq!(find_record(&folder, &a.path), None, "there is no folder yet");
        keep_record(&folder, &a.path, b"first").unwrap();
        keep_record(&folder, &a.path, b"second").unwrap();
        let found = |archive: &Archive| find_record(&folder, &archive.path);
        assert_eq!((found(&a).as_deref(), found(&b)), (Some(&b"second"[..]), None));
        let records = || cached_fmus(&folder).unwrap().iter().filter(|fmu| fmu.has_record).count();
        assert_eq!(records(), 1, "without contents");
        a.keep(&folder);
        assert_eq!((records(), cached_fmus(&folder).unwrap().len()), (1, 1), "with contents");
        b.keep(&folder);
        assert!(found(&a).is_some(), "that of another archive");
        fs::write(&a.path, "rebuilt").unwrap();
        Archive { file: File::open(&a.path).unwrap(), path: a.path.clone() }.keep(&folder);
        assert_eq!((found(&a), records()), (None, 0));
        fs::set_permissions(&folder, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        assert!(keep_record(&folder, &b.path, b"others could change it").is_err());
        clear_cache(&folder).unwrap();
    }

    #[test]
    fn contents_that_are_too_large_or_not_whole_are_not_kept() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("cache");
        let archive = archive(dir.path(), "a");
        let place = |size| archive.place(&folder, size, 4000);
        assert!(place(1001).is_none());
        for count in [0, 999, 1001] {
            let mut cached = place(1000).unwrap().write().unwrap();
            cached.append(&vec![0; count]);
            cached.finish(&archive.file);
            assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "{count}");
        }
    }

    #[test]
    fn folders_in_each_other_are_recognized_by_any_name() {
        let dir = tempfile::tempdir().unwrap();
        let inside = |path: &str| dir.path().join(path);
        fs::create_dir(inside("a")).unwrap();
        std::os::unix::fs::symlink(inside("a"), inside("link")).unwrap();
        for (one, other) in
            [("a", "a"), ("a", "a/b/c"), ("link/b", "a"), ("a/b/../c", "link/c"), ("gone/../a/b", "link"), ("", "gone/b")]
        {
            assert!(are_nested(&inside(one), &inside(other)) && are_nested(&inside(other), &inside(one)), "{one} {other}");
        }
        assert!(are_nested(Path::new("cache"), &std::env::current_dir().unwrap()));
        for (one, other) in [("a", "ab"), ("a/b", "a/c"), ("link/../b", "a")] {
            assert!(!are_nested(&inside(one), &inside(other)), "{one} {other}");
        }
    }
}
