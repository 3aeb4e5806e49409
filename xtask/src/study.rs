//! `cargo xtask study NAME`: repeats the experiments of a published test case, or measures work and error of methods, integrators or events,
//! and writes figures and numbers next to the examples.

use std::{
    fs,
    path::{Path, PathBuf},
};

use ::gallery::Figure;
use ::study::{Fmus, Study};

use crate::{TaskResult, examples, package_fmus, write};

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
    /// All integrators of the kit on motion on a circle.
    Circle,
    /// All integrators of the kit on a stiff system.
    Stiff,
    /// Switching times of ARGESIM comparison C5.
    ArgesimC5,
}

impl Case {
    /// The folder of its example.
    fn folder(self) -> &'static str {
        match self {
            Self::PredatorPrey => "predator-prey",
            Self::Accuracy => "accuracy",
            Self::Circle => integrators::Case::Circle.name(),
            Self::Stiff => integrators::Case::Stiff.name(),
            Self::ArgesimC5 => "argesim-c5",
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
            Self::Circle => integrators_on(integrators::Case::Circle, fmus),
            Self::Stiff => integrators_on(integrators::Case::Stiff, fmus),
            Self::ArgesimC5 => {
                let open = |name: &str| lotka::Fmu::open(fmus.join(format!("{name}.fmu")));
                let (exact, integrated) = (open("two_state_plant")?, open("two_state_ode")?);
                let study = switching::Study::run(&switching::Fmus { exact, integrated, switch: open("two_state_switch")? })?;
                Ok((Vec::new(), study.table()))
            }
        }
    }
}

fn integrators_on(case: integrators::Case, fmus: &Path) -> TaskResult<(Vec<Figure>, String)> {
    let fmu = lotka::Fmu::open(fmus.join(format!("{}.fmu", case.name())))?;
    Ok((Vec::new(), integrators::Study::run(case, &fmu)?.table()))
}

/// Runs everything and writes the figures and the table.
pub fn run(arguments: &Arguments) -> TaskResult {
    let fmus = package_fmus::folder(arguments.fmus.as_deref())?;
    let examples = examples();
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
