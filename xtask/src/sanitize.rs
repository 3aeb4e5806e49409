//! `cargo xtask sanitize`: runs the tests that cross the C boundary, statically linked and through `dlopen`, in valgrind and
//! with AddressSanitizer (which needs the nightly toolchain). They find memory errors and leaks.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{TaskResult, build::TARGET, cargo, package_fmus, tools};

/// Arguments of the task.
#[derive(clap::Args)]
pub struct Arguments {
    /// Use the FMUs of this folder instead of building and packing them.
    #[arg(long, value_name = "DIR")]
    fmus: Option<PathBuf>,
    /// Also run the command with every fault of the hostile suite.
    #[arg(long)]
    hostile: bool,
}

/// Returns valgrind as a cargo runner. Errors and leaks fail the test, except leaks of the C library itself.
fn runner() -> String {
    let suppressions = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/valgrind.supp");
    format!(
        "target.'cfg(all())'.runner = ['valgrind', '--quiet', '--error-exitcode=99', '--num-callers=30', '--leak-check=full', \
         '--show-leak-kinds=definite', '--errors-for-leak-kinds=definite', '--suppressions={}']",
        suppressions.display()
    )
}

/// Every implementation of an instance, with models of the kit linked statically and as libraries, the import of FMUs and
/// faulty archives, and saved states. Skips fatal errors: the standard forbids freeing such an FMU, so its memory leaks.
const BORDER: &[&str] = &["--test", "border", "--", "--skip", "after_a_fatal_error"];

/// All of the kit, for the faster tool only.
const KIT: &[&str] = &["test", "--package", "fmu-sdk", "--lib"];

/// What the faster tool builds for the tests.
const FEW: &[&str] = &["--package", "border", "--package", "lotka-host"];

/// The program that runs isolated FMUs.
const HOST: &[&str] = &["--bin", "lotka-fmu-host"];

/// The sanitizer slows the optimizer down, and these tests compute little.
const UNOPTIMIZED: [&str; 20] = [
    "--config",
    "profile.dev.package.lotka-plan.opt-level=0",
    "--config",
    "profile.dev.package.lotka-step.opt-level=0",
    "--config",
    "profile.dev.package.lotka-prepare.opt-level=0",
    "--config",
    "profile.dev.package.lotka-run.opt-level=0",
    "--config",
    "profile.dev.package.lotka-tolerance.opt-level=0",
    "--config",
    "profile.dev.package.fmu.opt-level=0",
    "--config",
    "profile.dev.package.integrator.opt-level=0",
    "--config",
    "profile.dev.package.campaign-models.opt-level=0",
    "--config",
    "profile.dev.package.models.opt-level=0",
    "--config",
    "profile.dev.package.coupled.opt-level=0",
];

/// The command, and the tests that run it with every fault.
const COMMAND: &[&str] = &["build", "--workspace", "--bin", "lotka"];
const HOSTILE: &[&str] = &["test", "--workspace", "--test", "command", "--", "hostile_suite::"];

/// Leak detection is off because processes that FMUs terminate leak. Signal handling is off because the tests examine the
/// signals themselves. Where the C library aborts (double free), the sanitizer aborts too.
const FAULTS_OF_FMUS: &str =
    "detect_leaks=0:abort_on_error=1:handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0:handle_abort=0";

/// Runs both tools; stops at the first finding.
pub fn run(arguments: &Arguments) -> TaskResult {
    tools::require("sanitize", &[tools::C_COMPILER, tools::NM, tools::VALGRIND, tools::NIGHTLY])?;
    let fmus = package_fmus::folder(arguments.fmus.as_deref())?;
    address_sanitizer(&fmus, arguments.hostile)?;
    valgrind(&fmus)
}

fn valgrind(fmus: &Path) -> TaskResult {
    println!("valgrind: the conformance suite, and the import of FMUs with faults");
    // Many versions of valgrind do not support the system calls that watch processes. Archives are safe Rust, and slow here, as
    // are saved states.
    let without = ["--skip", "hosted", "--skip", "archives", "--skip", "rollback::"];
    let runner = runner();
    let tests = [&["--config", &runner, "test", "--workspace"], BORDER, &["--test-threads=1"], &without].concat();
    cargo(&tests, &[("LOTKA_FMUS", fmus.as_os_str())])?;
    println!("valgrind: no errors, no lost memory");
    Ok(())
}

fn address_sanitizer(fmus: &Path, is_hostile: bool) -> TaskResult {
    let toolchain = tools::nightly("sanitize")?;
    println!("AddressSanitizer ({toolchain}): the conformance suite, the import of FMUs with faults, the kit, and saved states");
    let of_few = [("build", HOST), ("test", BORDER)].map(|(task, what)| [&[task], FEW, what].concat());
    let sound = of_few.into_iter().chain([KIT.to_vec()]).map(|arguments| (arguments, ""));
    let hostile = [COMMAND, HOSTILE].map(|arguments| (arguments.to_vec(), FAULTS_OF_FMUS));
    for (arguments, options) in sound.chain(hostile.into_iter().filter(|_| is_hostile)) {
        let status = Command::new("rustup")
            .args(["run", &toolchain, "cargo"])
            .args(UNOPTIMIZED)
            .args(arguments)
            // AddressSanitizer requires an explicit target. In a folder of its own, it keeps no other build waiting.
            .env("CARGO_BUILD_TARGET", TARGET)
            .env("CARGO_TARGET_DIR", package_fmus::workspace()?.target_directory.join("sanitize"))
            .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."))
            .env("RUSTFLAGS", "-Zsanitizer=address")
            .env("ASAN_OPTIONS", options)
            .env("LOTKA_FMUS", fmus)
            .status()?;
        if !status.success() {
            return Err("AddressSanitizer found something, or the tests could not be built with it".into());
        }
    }
    println!("AddressSanitizer: no errors, no leaks");
    Ok(())
}
