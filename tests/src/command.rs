//! Built programs for tests.

use std::path::PathBuf;

/// Returns the path of the built command, beside the running test.
///
/// # Panics
/// As [`program`] does.
pub fn lotka() -> PathBuf {
    program("lotka")
}

/// Returns the path of a built program of the workspace, beside the running test.
///
/// # Panics
/// Panics if the program was not built, or was built with another profile.
pub fn program(name: &str) -> PathBuf {
    let test = std::env::current_exe().unwrap_or_default();
    let path = test.ancestors().nth(2).map(|folder| folder.join(name)).unwrap_or_default();
    assert!(path.is_file(), "{} is missing: run `cargo build --workspace --bins` with the profile of the tests", path.display());
    path
}
