//! The program that runs isolated FMUs.

use std::path::{Path, PathBuf};

use lotka_host::{HostOptions, HostedFmu};

/// Returns the path of `lotka-fmu-host`, beside the other programs of this build.
///
/// # Panics
/// Panics if the program does not exist.
pub fn host_program() -> PathBuf {
    let test = std::env::current_exe().unwrap_or_else(|error| panic!("the path of this program: {error}"));
    let folder = test.parent().and_then(Path::parent).unwrap_or(&test);
    let program = folder.join("lotka-fmu-host");
    assert!(program.is_file(), "{} is missing; run `cargo build --package lotka-host`", program.display());
    program
}

/// Opens an FMU file; each instance runs in its own process.
///
/// # Panics
/// Panics if the FMU cannot be opened.
pub fn hosted(path: impl AsRef<Path>) -> HostedFmu {
    let options = HostOptions { program: Some(host_program()), ..HostOptions::default() };
    HostedFmu::open(path, options).unwrap_or_else(|error| panic!("{error}"))
}
