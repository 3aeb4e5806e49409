//! `cargo xtask study NAME`: runs `examples/studies`, a separate program because it has more dependencies than the other tasks.

use crate::{TaskResult, cargo};

/// Arguments of the task.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub struct Arguments {
    /// The study and its options: see `cargo xtask study --help`.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<String>,
}

/// Runs the study.
pub fn run(arguments: &Arguments) -> TaskResult {
    let mut all = vec!["run", "--quiet", "--package", "studies", "--"];
    all.extend(arguments.rest.iter().map(String::as_str));
    cargo(&all, &[])
}
