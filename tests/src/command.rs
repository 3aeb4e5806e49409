//! The command to be tested.

use std::path::PathBuf;

/// The built command, beside the test that asks for it.
///
/// # Panics
/// It was not built, or with another profile.
pub fn lotka() -> PathBuf {
    let test = std::env::current_exe().unwrap_or_default();
    let path = test.ancestors().nth(2).map(|folder| folder.join("lotka")).unwrap_or_default();
    assert!(path.is_file(), "{} is missing: run `cargo build -p lotka-cli` with the profile of the tests", path.display());
    path
}
