//! `cargo xtask sanitize`: runs the tests that cross the border to C, statically joined and through `dlopen`, where memory errors and
//! leaks show: in valgrind, and with AddressSanitizer if there is a nightly toolchain.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{TaskResult, cargo, nightly, package_fmus, runs};

/// Arguments of the task.
#[derive(clap::Args)]
pub struct Arguments {
    /// Folder of FMUs to use instead of building and packing them.
    #[arg(long, value_name = "DIR")]
    fmus: Option<PathBuf>,
}

/// As a runner of cargo: errors and lost memory fail the test.
const VALGRIND: &str = "target.'cfg(all())'.runner = ['valgrind', '--quiet', '--error-exitcode=99', '--num-callers=30', \
    '--leak-check=full', '--show-leak-kinds=definite', '--errors-for-leak-kinds=definite']";

/// AddressSanitizer needs the target to be named; it is the one FMUs are packed for.
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// The kit, every implementation of an instance, and the import of FMUs and archives with faults.
const SUITES: [&[&str]; 2] =
    [&["--package", "fmu-sdk", "--lib"], &["--package", "tests", "--test", "conformance", "--test", "import"]];

/// Runs both tools; the first finding ends the task.
pub fn run(arguments: &Arguments) -> TaskResult {
    let fmus = package_fmus::folder(arguments.fmus.as_deref())?;
    valgrind(&fmus)?;
    address_sanitizer(&fmus)
}

fn valgrind(fmus: &Path) -> TaskResult {
    if !runs("valgrind") {
        return Err("valgrind is missing; install it, for instance with `apt-get install valgrind`".into());
    }
    println!("valgrind: the kit, the conformance suite, the import of FMUs with faults");
    for suite in SUITES {
        let tests = [&["--config", VALGRIND, "test"], suite, &["--", "--test-threads=1"]].concat();
        cargo(&tests, &[("LOTKA_FMUS", fmus.as_os_str())])?;
    }
    println!("valgrind: no errors, no lost memory");
    Ok(())
}

fn address_sanitizer(fmus: &Path) -> TaskResult {
    let Some(toolchain) = nightly() else {
        println!("AddressSanitizer: skipped, there is no nightly toolchain; `rustup toolchain install nightly` adds one");
        return Ok(());
    };
    println!("AddressSanitizer ({toolchain}): the same, and saved states");
    for suite in SUITES.into_iter().chain([["--package", "tests", "--test", "rollback"].as_slice()]) {
        let status = Command::new("rustup")
            .args(["run", &toolchain, "cargo", "test", "--target", TARGET])
            .args(suite)
            .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."))
            .env("RUSTFLAGS", "-Zsanitizer=address")
            .env("LOTKA_FMUS", fmus)
            .status()?;
        if !status.success() {
            return Err("AddressSanitizer found something, or the tests could not be built with it".into());
        }
    }
    println!("AddressSanitizer: no errors, no leaks");
    Ok(())
}
