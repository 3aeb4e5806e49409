//! Files and their hashes.

use std::{
    fs::File,
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use serde::{Serialize, Serializer};
use sha2::{Digest, Sha256};

/// A file as it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct FileIdentity {
    /// Where it is, as it was given.
    #[serde(serialize_with = "lossy")]
    pub path: PathBuf,
    /// Its size \[bytes\]; `None` if it could not be read.
    pub size: Option<u64>,
    /// SHA-256 of its bytes in hexadecimal digits; `None` if it could not be read.
    pub sha256: Option<String>,
}

impl FileIdentity {
    /// Reads a file, as far as there is one.
    pub fn of(path: impl AsRef<Path>) -> Self {
        let path = path.as_ref();
        let read = || {
            let digest = FileDigest::default();
            io::copy(&mut File::open(path)?, &mut digest.follow(io::sink())).map(|_| digest.identity(path))
        };
        read().unwrap_or_else(|_: io::Error| Self { path: path.to_owned(), size: None, sha256: None })
    }

    /// A file whose bytes are known.
    #[must_use]
    pub fn of_bytes(path: &Path, bytes: &[u8]) -> Self {
        Self { path: path.to_owned(), size: Some(bytes.len() as u64), sha256: Some(hexadecimal(&Sha256::digest(bytes))) }
    }
}

/// A path that is not UTF-8 is shown lossily.
fn lossy<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&path.to_string_lossy())
}

/// Writes on, and hashes what was written: so the hash of results is known without reading them again.
///
/// ```
/// use std::io::Write;
///
/// let digest = lotka::FileDigest::default();
/// digest.follow(Vec::new()).write_all(b"abc")?;
/// let file = digest.identity("abc.txt");
/// assert_eq!(file.size, Some(3));
/// assert!(file.sha256.is_some_and(|hash| hash.starts_with("ba7816bf8f01cfea")));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct HashingWriter<W> {
    writer: W,
    digest: FileDigest,
}

/// Size and hash of what a [`HashingWriter`] wrote so far.
#[derive(Debug, Clone, Default)]
pub struct FileDigest(Arc<Mutex<(u64, Sha256)>>);

impl FileDigest {
    /// Writes to `writer`, and adds what was written. The digest stays when the writer is gone.
    pub fn follow<W: Write>(&self, writer: W) -> HashingWriter<W> {
        HashingWriter { writer, digest: self.clone() }
    }

    /// The file at `path`, if that is where the bytes went.
    pub fn identity(&self, path: impl AsRef<Path>) -> FileIdentity {
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (size, hash) = (state.0, hexadecimal(&state.1.clone().finalize()));
        FileIdentity { path: path.as_ref().to_owned(), size: Some(size), sha256: Some(hash) }
    }
}

impl<W: Write> Write for HashingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.writer.write(bytes)?;
        let mut state = self.digest.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.0 += written as u64;
        state.1.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes one byte at a time.
    struct Slow(Vec<u8>);

    impl Write for Slow {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.extend(bytes.first());
            Ok(bytes.len().min(1))
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn only_what_was_written_is_hashed() {
        // The example of FIPS 180-2, appendix B.1.
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let digest = FileDigest::default();
        digest.follow(Slow(Vec::new())).write_all(b"abc").unwrap();
        assert_eq!(digest.identity("x"), FileIdentity::of_bytes(Path::new("x"), b"abc"));
        assert_eq!(digest.identity("x").sha256.as_deref(), Some(expected));
    }

    #[test]
    fn a_file_that_is_not_there_has_no_hash() {
        assert_eq!(FileIdentity::of("nowhere").sha256, None);
        let this = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/manifest/file.rs");
        assert_eq!(FileIdentity::of(&this), FileIdentity::of_bytes(&this, &std::fs::read(&this).unwrap()));
    }
}
