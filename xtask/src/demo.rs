//! `cargo xtask demo`: builds the FMUs, runs `examples/predator-prey/system.toml`, shows numbers, rows and a picture.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use ::study::{Experiment, Reference, Trajectory, largest, overview};
use lotka::{Csv, Memory, Report, StepSizes, System};

use crate::{TaskResult, package_fmus, write};

/// Arguments of the task.
#[derive(clap::Args)]
pub struct Arguments {
    /// Folder of FMUs to use instead of building and packing them.
    #[arg(long, value_name = "DIR")]
    fmus: Option<PathBuf>,
    /// Folder for rows and picture [default: demo next to the folder of FMUs].
    #[arg(long, value_name = "DIR")]
    output: Option<PathBuf>,
}

/// What is left of the run, beside the rows in the file.
struct Ran {
    algorithm: String,
    report: Report,
    elapsed: Duration,
    trajectory: Trajectory,
    steps: StepSizes,
}

/// Packs, simulates, writes rows and picture, prints the summary.
pub fn run(arguments: &Arguments) -> TaskResult {
    let fmus = package_fmus::folder(arguments.fmus.as_deref())?;
    let output = arguments.output.clone().unwrap_or_else(|| fmus.with_file_name("demo"));
    fs::create_dir_all(&output).map_err(|error| format!("{}: {error}", output.display()))?;
    let (rows, picture) = (output.join("predator-prey.csv"), output.join("predator-prey.svg"));
    let ran = simulate(&fmus, &rows)?;
    write(&picture, &overview(&ran.trajectory, &ran.steps)?)?;
    println!("\nPredator and prey, an FMU each, coupled until t = {} s", ran.report.time);
    println!("{}\n", ran.algorithm);
    print_counters(&ran.report);
    print_accuracy(&ran)?;
    print_times(&ran);
    println!("  rows     {}\n  picture  {}", rows.display(), picture.display());
    Ok(())
}

/// Runs the example with the FMUs of a folder.
fn simulate(fmus: &Path, rows: &Path) -> TaskResult<Ran> {
    let mut simulation = system(fmus)?.profile(true).build()?;
    let failed = |error| format!("{}: {error}", rows.display());
    let mut csv = Csv::new(File::create(rows).map_err(failed)?);
    let (mut results, mut steps) = (Memory::new(), StepSizes::new());
    let start = Instant::now();
    let report = simulation.run(&mut [&mut csv, &mut results, &mut steps])?;
    let elapsed = start.elapsed();
    csv.finish().map_err(failed)?;
    let trajectory = Trajectory::from_results(&results, Experiment::Controlled.variables())?;
    Ok(Ran { algorithm: simulation.describe_algorithm(), report, elapsed, trajectory, steps })
}

/// The example, with the FMUs from this folder.
fn system(fmus: &Path) -> TaskResult<System> {
    let mut system = System::from_file(Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/predator-prey/system.toml"))?;
    for instance in &mut system.description_mut().instances {
        if let Some(name) = instance.fmu.value.file_name() {
            instance.fmu.value = fmus.join(name);
        }
    }
    Ok(system)
}

fn print_counters(report: &Report) {
    let counters = &report.statistics;
    println!("  accepted steps            {:>10}", counters.n_steps);
    println!("  rejected steps            {:>10}", counters.n_step_attempts - counters.n_steps);
    println!("  doStep calls, both FMUs   {:>10}", counters.n_do_step_calls);
    println!("  rollbacks                 {:>10}\n", counters.n_rollbacks);
}

/// Local estimates beside the true global error: they are not the same thing.
fn print_accuracy(ran: &Ran) -> TaskResult {
    let [prey, predators] = ran.trajectory.end();
    let deviation = 100.0 * largest(&Reference::read()?.relative_deviations(&ran.trajectory));
    println!("  prey at the end           {prey:>17.6}");
    println!("  predators at the end      {predators:>17.6}");
    if let Some(estimate) = ran.report.largest_error_estimate {
        println!("  largest error estimate    {estimate:>17.6}    of one step, in units of the local tolerance");
    }
    println!("  largest deviation         {deviation:>17.6} %  from the exact solution, in any row: local errors add up\n");
    Ok(())
}

fn print_times(ran: &Ran) {
    let milliseconds = |time: Duration| 1e3 * time.as_secs_f64();
    for instance in &ran.report.instances {
        if let Some(time) = instance.time {
            println!("  time in {:<17} {:>13.2}     ms", instance.name, milliseconds(time));
        }
    }
    println!("  time of the run           {:>13.2}     ms  with recording and clock reads\n", milliseconds(ran.elapsed));
}
