//! `cargo xtask study NAME`: repeats the experiments of a published test case, or measures work and error of all methods, and writes
//! figures and numbers next to the examples.

use std::{
    fs,
    path::{Path, PathBuf},
};

use ::study::{Figure, Fmus, Study};

use crate::{TaskResult, package_fmus, write};

/// Arguments of the task.
#[derive(clap::Args)]
pub struct Arguments {
    /// What is studied.
    case: Case,
    /// Folder of FMUs to use instead of building and packing them.
    #[arg(long, value_name = "DIR")]
    fmus: Option<PathBuf>,
    /// Folder for figures and numbers [default: that of the example].
    #[arg(long, value_name = "DIR")]
    output: Option<PathBuf>,
}

/// Studies.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Case {
    /// A. Nicolai, Co-Simulation-Test Case: Predator-Prey (Lotka-Volterra) System, 2018.
    PredatorPrey,
    /// Error against doStep calls, all methods on all systems whose answer is known.
    Accuracy,
}

impl Case {
    /// The folder of its example.
    fn folder(self) -> &'static str {
        match self {
            Self::PredatorPrey => "predator-prey",
            Self::Accuracy => "accuracy",
        }
    }

    /// Its figures and its table.
    fn run(self, examples: &Path, fmus: &Path) -> TaskResult<(Vec<Figure>, String)> {
        match self {
            Self::PredatorPrey => {
                let study = Study::run(&Fmus::open(fmus)?)?;
                Ok((study.figures()?, study.table()))
            }
            Self::Accuracy => {
                let study = accuracy::Study::run(|case| case.example(examples, fmus), accuracy::LIMIT)?;
                Ok((study.figures()?, study.table()))
            }
        }
    }
}

/// Runs everything and writes the figures and the table.
pub fn run(arguments: &Arguments) -> TaskResult {
    let fmus = package_fmus::folder(arguments.fmus.as_deref())?;
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let (figures, table) = arguments.case.run(&examples, &fmus)?;
    let output = arguments.output.clone().unwrap_or_else(|| examples.join(arguments.case.folder()));
    fs::create_dir_all(&output).map_err(|error| format!("{}: {error}", output.display()))?;
    for figure in figures {
        write(&output.join(&figure.name), &figure.svg)?;
    }
    write(&output.join("results.md"), &table)?;
    print!("{table}");
    Ok(())
}
