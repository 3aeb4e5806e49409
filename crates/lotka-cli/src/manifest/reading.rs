//! Reads manifests of earlier runs.

use std::{
    fs::{self, File},
    io::{BufRead, BufReader},
    path::Path,
};

use lotka::Code;
use serde_json::Value;

use super::document::FORMAT;
use crate::failure::Failure;

/// Returns whether a file is a manifest, which is a JSON object, unlike results. The reader of results reports files that cannot
/// be read.
pub(crate) fn is_manifest(path: &Path) -> bool {
    let starts = |file| BufReader::new(file).fill_buf().is_ok_and(|start| start.trim_ascii_start().starts_with(b"{"));
    // Reading from a pipe would consume its data.
    path.is_file() && File::open(path).is_ok_and(starts)
}

/// Reads a manifest.
///
/// # Errors
/// The file cannot be read, or it is not a manifest.
pub(crate) fn read(path: &Path) -> Result<Value, Failure> {
    let odd = |what: String| Failure::Usage { code: Code::NotAManifest, reason: format!("{}: {what}", path.display()) };
    let text = fs::read_to_string(path).map_err(|error| odd(format!("cannot be read: {error}")))?;
    let document: Value = serde_json::from_str(&text).map_err(|error| odd(format!("not a manifest: {error}")))?;
    if document["format"] != FORMAT {
        return Err(odd(format!("not a manifest: its `format` is {}, expected \"{FORMAT}\"", document["format"])));
    }
    Ok(document)
}
