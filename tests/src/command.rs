//! Programs to be tested.

use std::path::PathBuf;

/// The built command, beside the test that asks for it.
///
/// # Panics
/// As [`program`].
pub fn lotka() -> PathBuf {
    program("lotka")
}

/// A built program of the workspace, beside the test that asks for it.
///
/// # Panics
/// It was not built, or with another profile.
pub fn program(name: &str) -> PathBuf {
    let test = std::env::current_exe().unwrap_or_default();
    let path = test.ancestors().nth(2).map(|folder| folder.join(name)).unwrap_or_default();
    assert!(path.is_file(), "{} is missing: run `cargo build --workspace --bins` with the profile of the tests", path.display());
    path
}
