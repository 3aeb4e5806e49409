//! Study files: every problem has a place in the text, and what is read has a bounded number of runs.

use std::{cell::LazyCell, fs};

use lotka_system::{Error, read_sweep};
use tempfile::TempDir;

use crate::system::check_problems;

thread_local! {
    static FOLDER: LazyCell<TempDir> =
        LazyCell::new(|| tempfile::tempdir().unwrap_or_else(|error| panic!("no scratch folder: {error}")));
}

pub(super) fn run(bytes: &[u8]) {
    let path = FOLDER.with(|folder| folder.path().join("study.toml"));
    fs::write(&path, bytes).unwrap_or_else(|error| panic!("{error}"));
    match read_sweep(&path) {
        Ok(description) => assert!(description.parameters.len() <= bytes.len()),
        Err(Error::System(problems)) => check_problems(&problems, String::from_utf8_lossy(bytes).trim_start_matches('\u{feff}')),
        Err(error) => assert!(str::from_utf8(bytes).is_err(), "text is no reason for: {error}"),
    }
}
