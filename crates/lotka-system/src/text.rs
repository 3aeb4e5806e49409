//! The text of a file that describes a system.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

use lotka_message::limits::SYSTEM_BYTES;

use crate::Error;
use lotka_message::SourceFile;

/// The text of a file: UTF-8, with or without a byte-order mark, and not too long.
///
/// # Errors
/// The file cannot be read, is too long, or is not UTF-8.
pub fn read(path: &Path) -> Result<SourceFile, Error> {
    bytes(path)
        .and_then(decoded)
        .map_err(|reason| Error::Read { path: path.to_owned(), reason })
        .map(|text| SourceFile { path: path.to_owned(), text: text.into() })
}

/// The bytes of a file, if there are not too many.
pub(super) fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(SYSTEM_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > SYSTEM_BYTES {
        let message = format!("it is larger than {} MiB, the limit for system descriptions", SYSTEM_BYTES >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

/// Text in UTF-8, without its byte-order mark.
pub(super) fn decoded(mut bytes: Vec<u8>) -> io::Result<String> {
    if bytes.starts_with(b"\xef\xbb\xbf") {
        bytes.drain(..3);
    }
    String::from_utf8(bytes)
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, format!("expected UTF-8: {}", error.utf8_error())))
}
