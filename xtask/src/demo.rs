//! `cargo xtask demo`: builds the FMUs and runs `examples/predator-prey/system.toml`. Shows numbers, rows and a picture.
//!
//! For comparison, the same system also runs under local error control: once with the inputs that Lotka chooses and once with
//! held inputs, as in other masters. With `--all`, runs every example: see [`crate::gallery`].

use std::{
    fs::{self, File},
    path::PathBuf,
    time::{Duration, Instant},
};

use ::gallery::system_file;
use ::study::{Experiment, Fmus, LOCAL_TOLERANCE, Reference, Trajectory, largest, overview};
use lotka::{Csv, Memory, Observer, Report, StepSizes, System};

use crate::{TaskResult, examples, gallery, package_fmus, write};

/// Arguments of the task.
#[derive(clap::Args)]
pub struct Arguments {
    /// Use the FMUs of this folder instead of building and packing them.
    #[arg(long, value_name = "DIR")]
    fmus: Option<PathBuf>,
    /// Write rows and pictures here [default: demo beside the folder of FMUs].
    #[arg(long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Run every example, and write one page with numbers and pictures.
    #[arg(long)]
    all: bool,
    /// Also write the pictures into the folders of the examples.
    #[arg(long, requires = "all")]
    update: bool,
}

/// The results of a run besides what the observers received.
struct Ran {
    algorithm: String,
    report: Report,
    elapsed: Duration,
    trajectory: Trajectory,
    /// Largest relative deviation from the exact solution in all rows.
    error: f64,
}

/// Packs the FMUs, simulates, writes rows and picture, and prints the summary.
pub fn run(arguments: &Arguments) -> TaskResult {
    let given = arguments.fmus.as_deref();
    let fmus = if arguments.all { package_fmus::folder(given)? } else { package_fmus::folder_with(given, &Fmus::NAMES)? };
    let output = arguments.output.clone().unwrap_or_else(|| fmus.with_file_name("demo"));
    if arguments.all {
        return gallery::run(&fmus, &output, arguments.update);
    }
    fs::create_dir_all(&output).map_err(|error| format!("{}: {error}", output.display()))?;
    let (rows, picture) = (output.join("predator-prey.csv"), output.join("predator-prey.svg"));
    let failed = |error| format!("{}: {error}", rows.display());
    let mut csv = Csv::with_error_bars(File::create(&rows).map_err(failed)?);
    let system = system_file(&examples().join("predator-prey/system.toml"), &fmus)?;
    let verified = simulate(&system, &mut csv)?;
    csv.finish().map_err(failed)?;
    let mut steps = StepSizes::new();
    let local = simulate(&system.clone().local_tolerance(LOCAL_TOLERANCE), &mut Memory::new())?;
    let controlled = simulate(&Experiment::Controlled.system(&Fmus::open(&fmus)?), &mut steps)?;
    write(&picture, &overview(&controlled.trajectory, &steps)?)?;
    println!("\nPredator and prey, an FMU each, coupled until t = {} s, in three ways\n", verified.report.time);
    println!("A  {}\nB  {}\nC  {}\n", verified.algorithm, local.algorithm, controlled.algorithm);
    compare(&[&verified, &local, &controlled]);
    println!("  rows of A, with error bars  {}\n  picture of C                {}", rows.display(), picture.display());
    Ok(())
}

/// Runs a system with an observer.
fn simulate(system: &System, observer: &mut dyn Observer) -> TaskResult<Ran> {
    let mut simulation = system.build()?;
    let mut results = Memory::new();
    let start = Instant::now();
    let report = simulation.run(&mut [&mut results, observer])?;
    let elapsed = start.elapsed();
    let trajectory = Trajectory::from_results(&results, Experiment::Controlled.variables())?;
    let error = largest(&Reference::read()?.relative_deviations(&trajectory));
    Ok(Ran { algorithm: simulation.describe_algorithm(), report, elapsed, trajectory, error })
}

/// Prints cost and error of the runs. An estimate of the local error does not bound the error of the results.
fn compare(runs: &[&Ran; 3]) {
    let line = |what: &str, value: &dyn Fn(&Ran) -> String| {
        let [a, b, c] = runs.map(value);
        println!("  {what:<36} {a:>16} {b:>16} {c:>16}");
    };
    println!("  {:<36} {:>16} {:>16} {:>16}", "", "A", "B", "C");
    line("doStep calls, both FMUs, all runs", &|ran| ran.report.counters.n_do_step_calls.to_string());
    line("prey at the end", &|ran| format!("{:.6}", ran.trajectory.end()[0]));
    line("predators at the end", &|ran| format!("{:.6}", ran.trajectory.end()[1]));
    line("largest error, as estimated", &|ran| {
        ran.report.global_error.as_ref().map_or_else(|| "not known".to_owned(), |error| format!("{:.1e}", error.largest))
    });
    line("largest error, in truth", &|ran| format!("{:.1e}", ran.error));
    line("time of the run, recording included", &|ran| format!("{:.1} ms", 1e3 * ran.elapsed.as_secs_f64()));
    println!();
}
