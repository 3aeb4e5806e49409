//! `cargo xtask study NAME`: repeats the experiments of a published test case, or measures work and error of methods,
//! integrators or event localization. Writes figures and numbers next to the examples.
#![forbid(unsafe_code)]

use std::{
    env,
    error::Error,
    fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

use clap::Parser;
use coupled::campaign::{self, Through};
use gallery::Figure;
use study::{Fmus, Study};

/// Repeats a study, and writes its figures and numbers into `examples/`.
#[derive(Parser)]
#[command(bin_name = "cargo xtask study")]
struct Arguments {
    /// Study to repeat.
    case: Case,
    /// Use the FMUs of this folder instead of building and packing them.
    #[arg(long, value_name = "DIR")]
    fmus: Option<PathBuf>,
    /// Write figures and numbers here [default: the folder of the example].
    #[arg(long, value_name = "DIR")]
    output: Option<PathBuf>,
    #[command(flatten)]
    campaign: Campaign,
}

/// Result of a study. An error ends the program with its message.
type TaskResult<T = ()> = Result<T, Box<dyn Error>>;

/// Exit codes: 0 done, 1 the study failed, 2 wrong usage.
fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Returns the root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Writes a text file; an error message includes its path.
fn write(path: &Path, text: &str) -> TaskResult {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()).into())
}

/// A set of FMUs that are packed together.
#[derive(Clone, Copy, PartialEq)]
enum Set {
    OfProject,
    OfTests,
}

impl Set {
    /// Returns the absolute path of the folder of FMUs: `given`, or the folder into which this call builds and packs them.
    fn folder(self, given: Option<&Path>) -> TaskResult<PathBuf> {
        let folder = match given {
            Some(folder) => folder.to_owned(),
            None => self.pack()?,
        };
        folder.canonicalize().map_err(|error| format!("{}: {error}", folder.display()).into())
    }

    fn pack(self) -> TaskResult<PathBuf> {
        let (folder, tests): (_, &[&str]) = match self {
            Self::OfProject => ("target/fmus", &[]),
            Self::OfTests => ("target/fmus/tests", &["--tests"]),
        };
        let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.args(["xtask", "package-fmus", "--output", folder]).args(tests).current_dir(root());
        if command.status()?.success() { Ok(root().join(folder)) } else { Err("`cargo xtask package-fmus` failed".into()) }
    }
}

/// What `promise` runs.
#[derive(clap::Args)]
#[command(next_help_heading = "Options of the study `promise`")]
struct Campaign {
    /// Run so many systems of each family.
    #[arg(long, value_name = "COUNT", default_value_t = 20)]
    systems: u64,
    /// Seed of the first system of each family.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// Run this family; can be given several times [default: all].
    #[arg(long, value_name = "NAME")]
    family: Vec<String>,
    /// Run with these tolerances.
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_values_t = [1e-3, 1e-6])]
    tolerances: Vec<f64>,
    /// Print each result that is refused, failed or false.
    #[arg(long)]
    show: bool,
    /// Run the models in this way.
    #[arg(long, value_enum, default_value = "joined")]
    through: Way,
}

/// How the models of a campaign are run.
#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Way {
    /// Linked into this program.
    Joined,
    /// As FMUs.
    Fmus,
    /// As FMUs, each instance in its own process; needs `cargo build --package lotka-host`.
    Processes,
}

impl Way {
    /// Returns the way with its FMUs: those of a folder, or freshly packed ones.
    fn with(self, fmus: Option<&Path>) -> TaskResult<Through> {
        Ok(match self {
            Self::Joined => Through::Joined,
            Self::Fmus => Through::Fmus(Set::OfTests.folder(fmus)?),
            Self::Processes => Through::Processes(Set::OfTests.folder(fmus)?, None),
        })
    }
}

impl Campaign {
    /// Returns the page, and how its numbers differ from those of the committed page.
    fn run(&self, through: &Through, committed: &str) -> (String, Vec<String>) {
        let is_chosen = |family: &&campaign::Family| self.family.is_empty() || self.family.iter().any(|name| name == family.name);
        let mut scores = Vec::new();
        for family in campaign::FAMILIES.iter().filter(is_chosen) {
            for &tolerance in &self.tolerances {
                let score = campaign::measure(family, tolerance, self.seed..self.seed + self.systems, through);
                for outcome in score.outcomes.iter().filter(|outcome| self.show && (!outcome.kept || outcome.error > 1.0)) {
                    let campaign::Outcome { seed, kept, error, estimate, calls, reason, .. } = outcome;
                    println!(
                        "{} {seed} {tolerance:e}: kept {kept}, error {error:.2e}, estimate {estimate:.2e}, {calls} calls {reason}",
                        family.name
                    );
                }
                scores.push(score);
            }
        }
        let Self { systems, seed, .. } = self;
        let tolerances: Vec<_> = self.tolerances.iter().map(|tolerance| format!("{tolerance:e}")).collect();
        let (way, models) = match self.through {
            Way::Joined => ("", "The models are part of the program that runs them."),
            Way::Fmus => (" --through fmus", "Each model runs as an FMU, from an archive."),
            Way::Processes => (" --through processes", "Each model runs as an FMU, in a process of its own."),
        };
        let mut page = format!(
            "# How often a tolerance is broken\n\nThis page shows how often Lotka reports a result as within the `tolerance` although it is not, on random systems with known solutions.\n\
             [Global error](methods/tolerance.md#how-often-it-is-wrong) explains the limits that these numbers show. This command generates the page:\n\
             `cargo xtask study promise --systems {systems} --seed {seed} --tolerances {}{way} --output docs`. {models}\n\n\
             Errors and estimates are in multiples of the tolerance.\n\n\
             | column | meaning |\n\
             |---|---|\n\
             | kept | results that Lotka reports as within the tolerance |\n\
             | refused | results that Lotka reports as not within the tolerance (exit code 15), with the reason and the place |\n\
             | failed | an error instead of a result, for example because of contradictory settings |\n\
             | false > 1, > 2, > 10 | kept results whose error exceeds 1, 2 and 10 times the tolerance |\n\
             | false at most | upper end of the 95 % confidence interval for the share of false results (false > 1) among those kept |\n\
             | worst error | largest error of the kept results |\n\
             | median … | median over all results that did not fail, kept or refused |\n\n\
             The families:\n\n",
            tolerances.join(",")
        );
        for family in campaign::FAMILIES.iter().filter(is_chosen) {
            page += &format!("- {}: {}\n", family.name, family.what);
        }
        (format!("{page}\n{}", campaign::table(&scores)), campaign::compare(&scores, committed))
    }
}

/// Studies.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Case {
    /// The test case of A. Nicolai, 2018: predator and prey.
    PredatorPrey,
    /// Work against error: all methods on all systems with a known answer.
    Accuracy,
    /// All integrators of the kit on a circular motion.
    Circle,
    /// All integrators of the kit on a stiff system.
    Stiff,
    /// Switching times of ARGESIM comparison C5.
    ArgesimC5,
    /// How often a result reported as within the tolerance is not: random systems.
    Promise,
}

impl Case {
    /// Returns the folder of its example.
    fn folder(self) -> &'static str {
        match self {
            Self::PredatorPrey => "predator-prey",
            Self::Accuracy => "accuracy",
            Self::Circle => integrators::Case::Circle.name(),
            Self::Stiff => integrators::Case::Stiff.name(),
            Self::ArgesimC5 => "argesim-c5",
            Self::Promise => "promise",
        }
    }

    /// Runs the study; returns its figures and its table.
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
            Self::Promise => Ok((Vec::new(), String::new())),
        }
    }
}

fn integrators_on(case: integrators::Case, fmus: &Path) -> TaskResult<(Vec<Figure>, String)> {
    let fmu = lotka::Fmu::open(fmus.join(format!("{}.fmu", case.name())))?;
    Ok((Vec::new(), integrators::Study::run(case, &fmu)?.table()))
}

/// Runs the study and writes the figures and the table.
fn run(arguments: &Arguments) -> TaskResult {
    if let Case::Promise = arguments.case {
        let committed = fs::read_to_string(root().join("docs/promise.md")).unwrap_or_default();
        let (page, differences) =
            arguments.campaign.run(&arguments.campaign.through.with(arguments.fmus.as_deref())?, &committed);
        print!("{page}");
        differences.iter().for_each(|difference| println!("against docs/promise.md: {difference}"));
        return arguments.output.as_ref().map_or(Ok(()), |folder| write(&folder.join("promise.md"), &page));
    }
    let fmus = Set::OfProject.folder(arguments.fmus.as_deref())?;
    let examples = root().join("examples");
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
