//! The file around a checkpoint: mark, versions, length, body, checksum.
//!
//! ```text
//! 16 bytes  mark
//!  4 bytes  format
//!  1 byte   length of the version of the program, and the version
//!  8 bytes  length of the body, and the body
//! 32 bytes  SHA-256 of all bytes before
//! ```
//! Numbers are little-endian. Only the body depends on the format, so that files of all versions are recognized.

use std::{fs, io, path::Path};

use sha2::{Digest as _, Sha256};

use super::CheckpointError;
use crate::replace::replace_file;

const MARK: &[u8; 16] = b"lotka checkpoint";

/// Changes with every change of the body.
const FORMAT: u32 = 7;

const VERSION: &str = env!("CARGO_PKG_VERSION");

const CHECKSUM: usize = 32;

/// Replaces the file at `path` by one with this body.
pub(super) fn write(path: &Path, body: &[u8]) -> io::Result<()> {
    replace_file(path, &pack(body))
}

/// The body of a file.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, CheckpointError> {
    let bytes = fs::read(path).map_err(|reason| CheckpointError::Read { path: path.to_owned(), reason })?;
    unpack(path, &bytes).map(<[u8]>::to_vec)
}

fn pack(body: &[u8]) -> Vec<u8> {
    let mut bytes = MARK.to_vec();
    bytes.extend(FORMAT.to_le_bytes());
    bytes.push(VERSION.len() as u8);
    bytes.extend(VERSION.as_bytes());
    bytes.extend((body.len() as u64).to_le_bytes());
    bytes.extend(body);
    let checksum = Sha256::digest(&bytes);
    bytes.extend(checksum);
    bytes
}

fn unpack<'a>(path: &Path, bytes: &'a [u8]) -> Result<&'a [u8], CheckpointError> {
    let path = || path.to_owned();
    let begin = &bytes[..bytes.len().min(MARK.len())];
    if begin.is_empty() || !MARK.starts_with(begin) {
        return Err(CheckpointError::Foreign { path: path() });
    }
    // A truncated header does not contain the length of the rest.
    let shortest = (MARK.len() + 4 + 1 + VERSION.len() + 8 + CHECKSUM) as u64;
    let cut = |expected: u64| CheckpointError::Cut { path: path(), found: bytes.len() as u64, expected };
    let header = header(bytes).ok_or_else(|| cut(shortest.max(bytes.len() as u64 + 1)))?;
    let expected = (header.body as u64).saturating_add(header.length).saturating_add(CHECKSUM as u64);
    if (bytes.len() as u64) < expected {
        return Err(cut(expected));
    }
    let (content, checksum) = bytes.split_at(bytes.len() - CHECKSUM);
    if bytes.len() as u64 > expected || Sha256::digest(content)[..] != *checksum {
        return Err(CheckpointError::Damaged { path: path() });
    }
    if (header.format, header.version) != (FORMAT, VERSION.as_bytes()) {
        let made_by = String::from_utf8_lossy(header.version).into_owned();
        let (format, own, own_format) = (header.format, VERSION, FORMAT);
        return Err(CheckpointError::Version { path: path(), made_by, format, own, own_format });
    }
    Ok(&content[header.body..])
}

struct Header<'a> {
    format: u32,
    version: &'a [u8],
    /// Where the body begins, and its length.
    body: usize,
    length: u64,
}

/// Returns the header; `None` if it is truncated.
fn header(bytes: &[u8]) -> Option<Header<'_>> {
    let rest = bytes.strip_prefix(MARK)?;
    let (format, rest) = rest.split_first_chunk()?;
    let (&length, rest) = rest.split_first()?;
    let (version, rest) = rest.split_at_checked(length.into())?;
    let (length, rest) = rest.split_first_chunk()?;
    let (format, length) = (u32::from_le_bytes(*format), u64::from_le_bytes(*length));
    Some(Header { format, version, body: bytes.len() - rest.len(), length })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unpacked(bytes: &[u8]) -> Result<&[u8], CheckpointError> {
        unpack(Path::new("a.checkpoint"), bytes)
    }

    #[test]
    fn what_is_packed_is_unpacked() {
        for body in [&b""[..], b"abc", &[7; 1000]] {
            assert_eq!(unpacked(&pack(body)).unwrap(), body);
        }
    }

    #[test]
    fn a_file_that_was_cut_anywhere_is_known_as_such() {
        let bytes = pack(b"some state");
        for length in 1..bytes.len() {
            let error = unpacked(&bytes[..length]).unwrap_err();
            assert!(matches!(error, CheckpointError::Cut { found, expected, .. } if found < expected), "{length}: {error}");
        }
        assert!(matches!(unpacked(b"").unwrap_err(), CheckpointError::Foreign { .. }));
        assert!(matches!(unpacked(b"time,prey.x\n").unwrap_err(), CheckpointError::Foreign { .. }));
    }

    #[test]
    fn every_changed_bit_is_noticed() {
        let bytes = pack(b"some state");
        for position in 0..bytes.len() {
            for bit in 0..8 {
                let mut changed = bytes.clone();
                changed[position] ^= 1 << bit;
                assert!(unpacked(&changed).is_err(), "bit {bit} of byte {position}");
            }
        }
        let longer = [bytes.as_slice(), b"x"].concat();
        assert!(matches!(unpacked(&longer).unwrap_err(), CheckpointError::Damaged { .. }));
    }

    #[test]
    fn files_of_other_versions_are_named_with_their_version() {
        let mut bytes = pack(b"some state");
        bytes.truncate(bytes.len() - CHECKSUM);
        bytes[MARK.len()] = 9;
        let checksum = Sha256::digest(&bytes);
        bytes.extend(checksum);
        let text = unpacked(&bytes).unwrap_err().to_string();
        assert!(text.contains("(format 9)") && text.contains(VERSION), "{text}");
    }
}
