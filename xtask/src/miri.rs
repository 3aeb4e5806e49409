//! `cargo xtask miri`: runs the tests of the kit and of the importer in Miri.
//!
//! Miri finds undefined behavior in Rust: invalid pointers, reads of uninitialized memory, data races. Kit and importer are
//! linked through the table of functions, without a shared library.

use std::process::Command;

use crate::{TaskResult, tools};

/// The functions that the kit exports, called both as a generic importer calls them and as the importer of this project does.
const KIT: &[&str] = &["--package", "fmu-sdk", "--test", "exported", "--test", "joined"];

/// How the importer handles replies, log lines, saved states and shared memory. Miri does not support files, archives and
/// libraries.
const IMPORTER: &[&str] = &[
    "--package",
    "fmu",
    "--lib",
    "--test",
    "linked",
    "--",
    "--skip",
    "archive::",
    "--skip",
    "library::",
    "--skip",
    "check::",
    "--skip",
    "loading::elf::",
    "--skip",
    "cache::",
];

/// Use the time and working directory of the system.
const FLAGS: &str = "-Zmiri-disable-isolation";

/// Runs the tests; stops at the first finding.
pub fn run() -> TaskResult {
    let toolchain = tools::nightly("miri")?;
    // Does nothing if the components are installed.
    succeed(
        Command::new("rustup").args(["component", "add", "--toolchain", &toolchain, "miri", "rust-src"]),
        "Miri cannot be installed",
    )?;
    for tests in [KIT, IMPORTER] {
        println!("Miri ({toolchain}): {}", tests[..2].join(" "));
        let mut miri = Command::new("rustup");
        miri.args(["run", &toolchain, "cargo", "miri", "test"]).args(tests).env("MIRIFLAGS", FLAGS);
        succeed(&mut miri, "Miri found something, or the tests could not be built for it")?;
    }
    println!("Miri: no undefined behavior");
    Ok(())
}

fn succeed(command: &mut Command, otherwise: &'static str) -> TaskResult {
    if command.status()?.success() { Ok(()) } else { Err(otherwise.into()) }
}
