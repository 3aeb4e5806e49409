//! `cargo xtask study NAME`: repeats the experiments of a published test case and writes figures and numbers next to its example.

use std::{
    fs,
    path::{Path, PathBuf},
};

use ::study::{Fmus, Study};

use crate::{TaskResult, package_fmus, write};

/// Arguments of the task.
#[derive(clap::Args)]
pub struct Arguments {
    /// The test case.
    case: Case,
    /// Folder of FMUs to use instead of building and packing them.
    #[arg(long, value_name = "DIR")]
    fmus: Option<PathBuf>,
    /// Folder for figures and numbers [default: that of the example].
    #[arg(long, value_name = "DIR")]
    output: Option<PathBuf>,
}

/// Test cases.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Case {
    /// A. Nicolai, Co-Simulation-Test Case: Predator-Prey (Lotka-Volterra) System, 2018.
    PredatorPrey,
}

/// Runs all experiments and writes the figures and the table.
pub fn run(arguments: &Arguments) -> TaskResult {
    let Case::PredatorPrey = arguments.case;
    let fmus = package_fmus::folder(arguments.fmus.as_deref())?;
    let study = Study::run(&Fmus::open(&fmus)?)?;
    let output =
        arguments.output.clone().unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/predator-prey"));
    fs::create_dir_all(&output).map_err(|error| format!("{}: {error}", output.display()))?;
    for figure in study.figures()? {
        write(&output.join(&figure.name), &figure.svg)?;
    }
    write(&output.join("results.md"), &study.table())?;
    print!("{}", study.table());
    Ok(())
}
