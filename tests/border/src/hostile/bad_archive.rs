//! Archives that an importer must reject, or at least not trust.

use std::path::{Path, PathBuf};

use super::{Entry, Hostile};

/// A kind of bad archive. All are rejected except [`BadArchive::Misnamed`], [`BadArchive::DotSlash`] and
/// [`BadArchive::Backslash`], which are accepted with a warning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "each says what it says")]
pub enum BadArchive {
    Empty,
    NotAZip,
    Truncated,
    ParentPath,
    HiddenParentPath,
    AbsolutePath,
    DrivePath,
    DotSlash,
    Backslash,
    BackslashParent,
    Link,
    LinkToDirectory,
    Duplicate,
    Repeated,
    DuplicateNormalized,
    FileAndDirectory,
    Encrypted,
    ForeignMethod,
    BadChecksum,
    WrongSize,
    Bomb,
    NoDescription,
    NoBinary,
    ForeignPlatform,
    Misnamed,
    TwoMisnamed,
    EmptyLibrary,
    TextLibrary,
    TruncatedLibrary,
    ForeignMachine,
    ForeignClass,
    NotALibrary,
}

impl BadArchive {
    /// All kinds.
    pub const ALL: [Self; 32] = [
        Self::Empty,
        Self::NotAZip,
        Self::Truncated,
        Self::ParentPath,
        Self::HiddenParentPath,
        Self::AbsolutePath,
        Self::DrivePath,
        Self::DotSlash,
        Self::Backslash,
        Self::BackslashParent,
        Self::Link,
        Self::LinkToDirectory,
        Self::Duplicate,
        Self::Repeated,
        Self::DuplicateNormalized,
        Self::FileAndDirectory,
        Self::Encrypted,
        Self::ForeignMethod,
        Self::BadChecksum,
        Self::WrongSize,
        Self::Bomb,
        Self::NoDescription,
        Self::NoBinary,
        Self::ForeignPlatform,
        Self::Misnamed,
        Self::TwoMisnamed,
        Self::EmptyLibrary,
        Self::TextLibrary,
        Self::TruncatedLibrary,
        Self::ForeignMachine,
        Self::ForeignClass,
        Self::NotALibrary,
    ];

    /// Writes `dir/bad.fmu` and returns its path. An escaping path would write `escaped.txt` beside or above `dir`.
    pub fn build(self, dir: &Path) -> PathBuf {
        let path = dir.join("bad.fmu");
        std::fs::write(&path, self.bytes(dir)).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        path
    }

    fn bytes(self, dir: &Path) -> Vec<u8> {
        let mut sound = Hostile::new("bad").bytes();
        match self {
            Self::Empty => Vec::new(),
            Self::NotAZip => b"<html>404 not found</html>".to_vec(),
            Self::Truncated => {
                sound.truncate(sound.len() / 2);
                sound
            }
            _ => {
                let absolute = dir.join("escaped.txt").display().to_string();
                Hostile::new("bad").edit_archive(move |entries| self.spoil(entries, &absolute)).bytes()
            }
        }
    }

    fn spoil(self, entries: &mut Vec<Entry>, absolute: &str) {
        if self.is_about_the_library() {
            return self.spoil_library(entries);
        }
        match self {
            Self::Encrypted => entries[0].flags |= 1,
            Self::ForeignMethod => entries[0].method = 12,
            Self::BadChecksum => entries[1].crc ^= 1,
            Self::WrongSize => entries[0].size -= 1,
            Self::NoDescription => drop(entries.remove(0)),
            Self::NoBinary => entries.truncate(1),
            Self::DotSlash => entries.iter_mut().for_each(|entry| entry.name.insert_str(0, "./")),
            Self::Backslash => entries.iter_mut().for_each(|entry| entry.name = entry.name.replace('/', "\\")),
            Self::ForeignPlatform => {
                entries[1] = Entry::stored("binaries/win64/bad.dll", "MZ");
                entries.push(Entry::stored("binaries/darwin64/bad.dylib", "\u{1}"));
            }
            Self::Duplicate => entries.push(Entry::stored(&entries[0].name.clone(), "escaped")),
            Self::Repeated => entries.push(entries[0].clone()),
            Self::LinkToDirectory => {
                entries.push(Entry::link("resources/up", "../.."));
                entries.push(Entry::stored("resources/up/escaped.txt", "escaped"));
            }
            Self::FileAndDirectory => {
                entries.push(Entry::stored("resources/a", "a file"));
                entries.push(Entry::stored("resources/a/b", "in a directory of the same name"));
            }
            _ => entries.push(self.extra_entry(absolute)),
        }
    }

    fn extra_entry(self, absolute: &str) -> Entry {
        let name = match self {
            Self::ParentPath => "../escaped.txt",
            Self::HiddenParentPath => "resources/../../escaped.txt",
            Self::DrivePath => "C:\\escaped.txt",
            Self::BackslashParent => "resources\\..\\..\\escaped.txt",
            Self::DuplicateNormalized => "./modelDescription.xml",
            Self::Link => return Entry::link("resources/link", "/etc/passwd"),
            Self::Bomb => return Entry::deflated("resources/zeros.bin", &vec![0; 64 << 20]),
            _ => absolute,
        };
        Entry::stored(name, "escaped")
    }

    fn is_about_the_library(self) -> bool {
        matches!(
            self,
            Self::Misnamed
                | Self::TwoMisnamed
                | Self::EmptyLibrary
                | Self::TextLibrary
                | Self::TruncatedLibrary
                | Self::ForeignMachine
                | Self::ForeignClass
                | Self::NotALibrary
        )
    }

    fn spoil_library(self, entries: &mut Vec<Entry>) {
        let mut library = entries[1].data.clone();
        let name = if matches!(self, Self::Misnamed | Self::TwoMisnamed) { "other.so" } else { "bad.so" };
        match self {
            Self::TwoMisnamed => entries.push(Entry::stored("binaries/linux64/another.so", library.clone())),
            Self::EmptyLibrary => library.clear(),
            Self::TextLibrary => library = b"version https://git-lfs.github.com/spec/v1\n".to_vec(),
            Self::TruncatedLibrary => library.truncate(library.len() / 3),
            Self::ForeignMachine => library[18..20].copy_from_slice(&183_u16.to_le_bytes()), // AArch64
            Self::ForeignClass => library[4] = 1,                                            // 32 bit
            Self::NotALibrary => library[16..18].copy_from_slice(&1_u16.to_le_bytes()),      // an object file
            _ => {}
        }
        entries[1] = Entry::stored(&format!("binaries/linux64/{name}"), library);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bad_archive_differs_from_a_sound_one() {
        let dir = tempfile::tempdir().unwrap();
        let sound = Hostile::new("bad").bytes();
        for bad in BadArchive::ALL {
            let bytes = std::fs::read(bad.build(dir.path())).unwrap();
            assert_ne!(bytes, sound, "{bad:?}");
            assert!(bytes.len() < 1 << 20, "{bad:?}: {} bytes", bytes.len());
        }
    }
}
