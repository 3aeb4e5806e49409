//! `cargo xtask sanitize`: runs the tests that cross the border to C, statically joined and through `dlopen`, where memory errors and
//! leaks show: in valgrind, and with AddressSanitizer if there is a nightly toolchain.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::{TaskResult, cargo, package_fmus};

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
    println!("valgrind: the conformance suite");
    let tests = ["--config", VALGRIND, "test", "--package", "tests", "--test", "conformance", "--", "--test-threads=1"];
    cargo(&tests, &[("LOTKA_FMUS", fmus.as_os_str())])?;
    println!("valgrind: no errors, no lost memory");
    Ok(())
}

fn address_sanitizer(fmus: &Path) -> TaskResult {
    let Some(toolchain) = nightly() else {
        println!("AddressSanitizer: skipped, there is no nightly toolchain; `rustup toolchain install nightly` adds one");
        return Ok(());
    };
    println!("AddressSanitizer ({toolchain}): the conformance suite and saved states");
    let tests = ["test", "--package", "tests", "--test", "conformance", "--test", "rollback", "--target", TARGET];
    let status = Command::new("rustup")
        .args(["run", &toolchain, "cargo"])
        .args(tests)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."))
        .env("RUSTFLAGS", "-Zsanitizer=address")
        .env("LOTKA_FMUS", fmus)
        .status()?;
    if !status.success() {
        return Err("AddressSanitizer found something, or the tests could not be built with it".into());
    }
    println!("AddressSanitizer: no errors, no leaks");
    Ok(())
}

/// Whether a program can be started.
fn runs(program: &str) -> bool {
    Command::new(program)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// The first nightly toolchain that rustup lists.
fn nightly() -> Option<String> {
    let output = Command::new("rustup").args(["toolchain", "list"]).output().ok()?;
    let list = String::from_utf8_lossy(&output.stdout);
    let names = list.lines().filter_map(|line| line.split_whitespace().next());
    names.into_iter().find(|name| name.starts_with("nightly")).map(str::to_owned)
}
