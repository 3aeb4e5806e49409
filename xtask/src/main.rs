//! Tasks of the project, run with `cargo xtask NAME`.
//!
//! A task is one module with its arguments and `run`; this file only dispatches. Start reading at [`Task`].
#![forbid(unsafe_code)]

mod demo;
mod package_fmus;
mod study;

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

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
    /// Build every FMU under fmus/ and pack it to target/fmus/NAME.fmu.
    PackageFmus(package_fmus::Arguments),
    /// Build the FMUs and run the predator-prey example: numbers, rows and a picture in target/demo/.
    Demo(demo::Arguments),
    /// Repeat the experiments of a published test case: figures and numbers in examples/.
    Study(study::Arguments),
}

/// Exit codes: 0 done, 1 the task failed, 2 wrong usage.
fn main() -> ExitCode {
    let result = match Arguments::parse().task {
        Task::PackageFmus(arguments) => package_fmus::run(&arguments),
        Task::Demo(arguments) => demo::run(&arguments),
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

/// What a task returns: any error ends it, its message says everything.
type TaskResult<T = ()> = Result<T, Box<dyn Error>>;

/// Writes a text file; a failure names it.
fn write(path: &Path, text: &str) -> TaskResult {
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()).into())
}
