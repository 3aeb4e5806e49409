//! `cargo xtask bench`: the overhead of the master over bare loops, as ratios.

use crate::{TaskResult, cargo, package_fmus};

/// Arguments of the task.
#[derive(clap::Args)]
pub struct Arguments {
    /// Measure only the lines whose name contains this text.
    filter: Option<String>,
}

/// Packs the FMUs and runs the benchmark with them.
pub fn run(arguments: &Arguments) -> TaskResult {
    let fmus = package_fmus::folder(None)?;
    cargo(&["build", "--release", "--package", "lotka-host"], &[])?;
    let mut bench = vec!["bench", "--package", "tests", "--bench", "overhead", "--"];
    bench.extend(arguments.filter.as_deref());
    cargo(&bench, &[("LOTKA_FMUS", fmus.as_os_str())])
}
