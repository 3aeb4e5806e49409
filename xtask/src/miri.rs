//! `cargo xtask miri`: runs the tests of the kit and of the importer in Miri.
//!
//! Miri finds undefined behavior in Rust: invalid pointers, reads of uninitialized memory, data races. Kit and importer are
//! linked through the table of functions, without a shared library.

use std::{process::Command, thread};

use crate::{TaskResult, succeed, succeed_beside, tools};

/// The functions of FMI 2.0 and 3.0 that the kit exports, called as a generic importer calls them.
const KIT_2: &[&str] = &["--package", "fmu-sdk", "--test", "exported", "--", "--skip", "fmi3::"];
const KIT_3: &[&str] = &["--package", "fmu-sdk", "--test", "exported", "--", "fmi3::"];

/// The same functions, called by the importer of this project.
const JOINED: &[&str] = &["--package", "fmu-sdk", "--test", "joined"];

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

/// Runs the tests.
pub fn run() -> TaskResult {
    let toolchain = tools::nightly("miri")?;
    // Does nothing if the components are installed.
    succeed(Command::new("rustup").args(["component", "add", "--toolchain", &toolchain, "miri", "rust-src"]))?;
    let run = |tests: &[&str]| {
        let mut miri = Command::new("rustup");
        miri.args(["run", &toolchain, "cargo", "miri", "test"]).args(tests).env("MIRIFLAGS", FLAGS);
        succeed_beside(&mut miri).map_err(|error| format!("{error}: Miri found something, or cannot build the tests"))
    };
    // Miri uses one processor.
    thread::scope(|scope| -> TaskResult {
        let running = [KIT_2, KIT_3, JOINED, IMPORTER].map(|tests| scope.spawn(|| run(tests)));
        for tests in running {
            tests.join().map_err(|_| "a task of Miri ended early")??;
        }
        Ok(())
    })?;
    println!("Miri: no undefined behavior");
    Ok(())
}
