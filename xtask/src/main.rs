//! Tasks of the project, run with `cargo xtask NAME`.
//!
//! A task is one module with its arguments and `run`; this file only dispatches. Start reading at [`Task`].
#![forbid(unsafe_code)]

mod bench;
mod book;
mod build;
mod demo;
mod deny;
mod dist;
mod files;
mod fuzz;
mod gallery;
mod miri;
mod new_fmu;
mod package_fmus;
mod packed_examples;
mod python;
mod sanitize;
mod semver;
mod study;
mod test;
mod third_party;
mod tools;
mod wheel;

use std::error::Error;
use std::ffi::OsStr;
use std::iter;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use clap::{Parser, Subcommand};

/// Tasks of the Lotka project.
#[derive(Parser)]
#[command(bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Make a new FMU of the project: a crate under fmus/ and a model to change.
    NewFmu(new_fmu::Arguments),
    /// Build every FMU under fmus/ and pack it into target/fmus/NAME.fmu.
    PackageFmus(package_fmus::Arguments),
    /// Build the FMUs and run the predator-prey example.
    ///
    /// Its rows and picture go to target/demo/. With --all, run every example, compare it with its expected numbers, and write
    /// one page with all pictures.
    Demo(demo::Arguments),
    /// Install the packages that the tests need, and run every test of the project.
    ///
    /// The task first checks that the programs it needs are installed. It installs Python packages under target/ only.
    Test(test::Arguments),
    /// Measure the overhead of the master over bare loops.
    Bench(bench::Arguments),
    /// Find memory errors at the border of Rust and C.
    ///
    /// The task runs tests in valgrind and with AddressSanitizer. It needs a nightly toolchain.
    Sanitize(sanitize::Arguments),
    /// Find undefined behavior in the kit and the importer, with Miri.
    Miri,
    /// Fuzz the readers of archives, descriptions, system files and results.
    ///
    /// The task needs cargo-fuzz and a nightly toolchain.
    Fuzz(fuzz::Arguments),
    /// Make a book of the guide in docs/: target/book/index.html; needs mdbook.
    Book,
    /// Make the wheel of the Python package: target/wheels/lotka-*.whl.
    ///
    /// It holds the command, the host program and examples with their FMUs. The task needs strip and Python 3 with venv, and
    /// installs maturin under target/python.
    Wheel(wheel::Arguments),
    /// Make what users install: archive, wheel and checksums in dist/.
    ///
    /// The archive has the command, its completions and manual pages, and the examples with their FMUs. The task needs strip and
    /// Python 3 with venv, and installs maturin under target/python.
    Dist(dist::Arguments),
    /// Check the dependencies: licenses, sources, and crates that are not wanted.
    ///
    /// The task needs cargo-deny, which reads deny.toml.
    Deny(deny::Arguments),
    /// Check that the public interface is compatible with the last release.
    Semver(semver::Arguments),
    /// Repeat a study, and write its figures and numbers into examples/.
    Study(study::Arguments),
}

/// Exit codes: 0 done, 1 the task failed, 2 wrong usage.
fn main() -> ExitCode {
    let result = match Arguments::parse().task {
        Task::NewFmu(arguments) => new_fmu::run(&arguments),
        Task::PackageFmus(arguments) => package_fmus::run(&arguments),
        Task::Demo(arguments) => demo::run(&arguments),
        Task::Test(arguments) => test::run(&arguments),
        Task::Bench(arguments) => bench::run(&arguments),
        Task::Sanitize(arguments) => sanitize::run(&arguments),
        Task::Fuzz(arguments) => fuzz::run(&arguments),
        Task::Wheel(arguments) => wheel::run(&arguments),
        Task::Dist(arguments) => dist::run(&arguments),
        Task::Book => book::run(),
        Task::Deny(arguments) => deny::run(&arguments),
        Task::Miri => miri::run(),
        Task::Semver(arguments) => semver::run(&arguments),
        Task::Study(arguments) => study::run(&arguments),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Result of a task. An error ends the task; its message is complete.
type TaskResult<T = ()> = Result<T, Box<dyn Error>>;

/// Runs cargo in the workspace. If cargo fails, the task fails.
fn cargo(arguments: &[&str], variables: &[(&str, &OsStr)]) -> TaskResult {
    let status = in_workspace(arguments).envs(variables.iter().copied()).status()?;
    if status.success() { Ok(()) } else { Err(format!("cargo {} failed", arguments.join(" ")).into()) }
}

/// Returns a call of cargo in the workspace.
fn in_workspace(arguments: &[&str]) -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(arguments).current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."));
    cargo
}

/// Runs a command. If it fails, the task fails.
fn succeed(command: &mut Command) -> TaskResult {
    let status = command.status().map_err(|error| format!("{command:?}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?} failed").into()) }
}

/// Runs a command, and prints what it told when it has ended: several can run at the same time. If it fails, the task fails.
fn succeed_beside(command: &mut Command) -> TaskResult {
    let words = iter::once(command.get_program()).chain(command.get_args()).map(OsStr::to_string_lossy);
    let told = words.collect::<Vec<_>>().join(" ");
    let output = command.output().map_err(|error| format!("{told}: {error}"))?;
    let [lines, warnings] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    println!("{told}\n{lines}{warnings}");
    if output.status.success() { Ok(()) } else { Err(format!("{told} failed").into()) }
}

/// Returns the folder of the examples.
fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples")
}

/// Writes a text file; an error message includes its path.
fn write(path: &Path, text: &str) -> TaskResult {
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()).into())
}
