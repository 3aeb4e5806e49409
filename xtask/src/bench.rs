//! `cargo xtask bench`: what the master costs, as ratios to loops without it.

use test_setup::PythonPackage;

use crate::{
    TaskResult,
    build::{Build, root},
    cargo, package_fmus, python, succeed,
};

/// Arguments of the task.
#[derive(clap::Args)]
pub struct Arguments {
    /// Measure only the lines whose name contains this text.
    filter: Option<String>,
    /// Count instructions, too; needs valgrind.
    #[arg(long)]
    instructions: bool,
    /// Fail if a line is more than 10 % worse than in the committed table.
    #[arg(long)]
    check: bool,
    /// Replace the lines of the committed table.
    #[arg(long, conflicts_with = "check")]
    write: bool,
    /// Measure what the Python package adds to runs, and nothing else.
    #[arg(long, conflicts_with_all = ["filter", "instructions", "check", "write"])]
    python: bool,
}

/// Packs the FMUs and runs the benchmark with them.
pub fn run(arguments: &Arguments) -> TaskResult {
    let fmus = package_fmus::folder(None)?;
    if arguments.python {
        let package = PythonPackage::prepare(&root())?;
        python::install(&package, &Build::here("release")?, &fmus)?;
        return succeed(package.program("python").arg("benches/runs.py"));
    }
    cargo(&["build", "--release", "--package", "lotka-host", "--package", "lotka-cli"], &[])?;
    let mut bench = vec!["bench", "--package", "tests", "--bench", "overhead", "--"];
    bench.extend(arguments.filter.as_deref());
    let flags = [("--instructions", arguments.instructions), ("--check", arguments.check), ("--write", arguments.write)];
    bench.extend(flags.into_iter().filter(|(_, is_set)| *is_set).map(|(flag, _)| flag));
    cargo(&bench, &[("LOTKA_FMUS", fmus.as_os_str())])
}
