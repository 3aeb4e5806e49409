//! Tasks of the project, run with `cargo xtask NAME`.
//!
//! A task is one module with its arguments and `run`; this file only dispatches. Start reading at [`Task`].
#![forbid(unsafe_code)]

mod package_fmus;

use std::error::Error;
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
}

/// Exit codes: 0 done, 1 the task failed, 2 wrong usage.
fn main() -> ExitCode {
    let result = match Arguments::parse().task {
        Task::PackageFmus(arguments) => package_fmus::run(&arguments),
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
