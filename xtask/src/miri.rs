//! `cargo xtask miri`: runs the tests of the kit and of the importer in Miri, which finds undefined behavior of Rust: pointers that lost the right to
//! what they point to, memory read before it was written, data races. Both sides are joined by the table of functions, without a library.

use std::process::Command;

use crate::{TaskResult, tools};

/// The functions that the kit exports, called as an importer calls them, and as the importer of this project does.
const KIT: &[&str] = &["--package", "fmu-sdk", "--test", "exported", "--test", "joined"];

/// What the importer does with replies, log lines, saved states and memory that others read. Files, archives and libraries are beyond Miri.
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
];

/// Time and the working directory are those of the system.
const FLAGS: &str = "-Zmiri-disable-isolation";

/// Runs them; the first finding ends the task.
pub fn run() -> TaskResult {
    let toolchain = tools::nightly("miri")?;
    // Does nothing if it is there.
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
