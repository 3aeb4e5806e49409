//! The archive with an additional entry.

use std::{
    fs::File,
    io::{self, BufReader, Cursor, Write as _},
    path::Path,
};

use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter, write::SimpleFileOptions};

use super::CompileError;

/// Copies all entries of an archive unchanged, compressed data included, and adds a library.
pub(super) fn with_entry(path: &Path, name: &str, bytes: &[u8]) -> Result<Vec<u8>, CompileError> {
    copied(path, name, bytes).map_err(|reason| CompileError::Copy { path: path.to_owned(), reason })
}

fn copied(path: &Path, name: &str, bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut from = ZipArchive::new(BufReader::new(File::open(path)?))?;
    let mut to = ZipWriter::new(Cursor::new(Vec::new()));
    for index in 0..from.len() {
        to.raw_copy_file(from.by_index_raw(index)?)?;
    }
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(DateTime::default())
        .unix_permissions(0o755);
    to.start_file(name, options)?;
    to.write_all(bytes)?;
    Ok(to.finish()?.into_inner())
}
