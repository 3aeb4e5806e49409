//! `lotka run`: from the flags to a simulation, and from its end to an exit code.

use std::{fs, io, path::PathBuf};

use lotka::{End, Error, Observer, Report, System};

use crate::{
    console::{Console, Verbosity},
    data,
    exit::ExitCode,
    failure::Failure,
    interrupt, json, kind,
    log::{Level, Log},
    output::Output,
    progress::Progress,
    summary,
};

/// Flags override the system file.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// System file.
    system: PathBuf,
    /// Write the rows to this file; without it they go to stdout, unless --json is given.
    #[arg(long, value_name = "CSV")]
    output_file: Option<PathBuf>,
    /// Print one JSON object to stdout: end, time, statistics, instances, warnings, error.
    #[arg(long)]
    json: bool,
    /// Start time in seconds.
    #[arg(long, value_name = "TIME", value_parser = finite, allow_negative_numbers = true)]
    start_time: Option<f64>,
    /// Stop time in seconds.
    #[arg(long, value_name = "TIME", value_parser = finite, allow_negative_numbers = true)]
    stop_time: Option<f64>,
    /// Fixed communication steps of this size in seconds.
    #[arg(long, value_name = "STEP", value_parser = positive, conflicts_with_all = ["tolerance", "local_tolerance"])]
    step_size: Option<f64>,
    /// Bound of the error of the results; not available yet, use --local-tolerance.
    #[arg(long, value_name = "TOLERANCE", value_parser = positive, conflicts_with = "local_tolerance")]
    tolerance: Option<f64>,
    /// Bound of the error of each step, relative and absolute.
    #[arg(long, value_name = "TOLERANCE", value_parser = positive)]
    local_tolerance: Option<f64>,
    /// Rows at this distance in seconds instead of at every step.
    #[arg(long, value_name = "INTERVAL", value_parser = positive)]
    output_interval: Option<f64>,
    /// Start value of a variable; can be given several times.
    #[arg(long, value_name = "INSTANCE.VARIABLE=VALUE", value_parser = start_value)]
    start_value: Vec<(String, String)>,
    /// Log lines of the FMUs to show.
    #[arg(long, value_name = "LEVEL", default_value = "warn")]
    log_level: Level,
    /// Measure the time spent in each FMU.
    #[arg(long)]
    profile: bool,
    /// Tell which algorithm is used.
    #[arg(short, long, conflicts_with = "quiet")]
    verbose: bool,
    /// Tell errors only.
    #[arg(short, long)]
    quiet: bool,
}

/// Sets a number of the system.
type Set = fn(System, f64) -> System;

/// A run as far as it came.
#[derive(Default)]
struct Outcome {
    report: Option<Report>,
    failures: Vec<Failure>,
}

/// Runs the system.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let console = Console::new(arguments.verbosity());
    let mut outcome =
        simulate(arguments, &console).unwrap_or_else(|failure| Outcome { failures: vec![failure], ..Outcome::default() });
    if arguments.json {
        let text = json::run(outcome.report.as_ref(), outcome.failures.first());
        outcome.failures.extend(data::print(&text).err());
    }
    outcome.tell(arguments, &console);
    outcome.code()
}

fn simulate(arguments: &Arguments, console: &Console) -> Result<Outcome, Failure> {
    let mut simulation = arguments.system()?.build()?;
    simulation.warnings().iter().for_each(|warning| console.warn(warning));
    let cancel = simulation.cancel_token();
    arguments.spare_inputs()?;
    let has_rows = arguments.output_file.is_some() || !arguments.json;
    let mut output = has_rows.then(|| Output::open(arguments.output_file.as_deref(), cancel.clone())).transpose()?;
    interrupt::install(cancel, console);
    console.say(Verbosity::Verbose, &format!("algorithm: {}", simulation.describe_algorithm()));
    let mut log = Log::new(arguments.log_level, console);
    let mut progress = Progress::new(console);
    let mut observers: Vec<&mut dyn Observer> = vec![&mut log];
    observers.extend(output.as_mut().map(|output| output as &mut dyn Observer));
    observers.extend(progress.as_mut().map(|progress| progress as &mut dyn Observer));
    let mut outcome = match simulation.run(&mut observers) {
        Ok(report) => Outcome { report: Some(report), failures: Vec::new() },
        Err(failure) => Outcome { report: Some(failure.report.clone()), failures: vec![(*failure).into()] },
    };
    outcome.failures.extend(output.and_then(|output| output.finish().err()));
    Ok(outcome)
}

impl Outcome {
    fn tell(&self, arguments: &Arguments, console: &Console) {
        if self.failures.iter().any(Failure::is_silent) {
            return;
        }
        if let Some(report) = &self.report {
            console.say(Verbosity::Normal, &summary::of(report));
            let has_part = report.end != End::StopTime && self.code() != ExitCode::Initialization;
            if let Some(path) = arguments.output_file.as_ref().filter(|_| has_part) {
                console.say(Verbosity::Normal, &format!("the rows so far are in {}", path.display()));
            }
        }
        self.failures.iter().for_each(|failure| console.fail(failure));
    }

    fn code(&self) -> ExitCode {
        match (self.failures.first(), &self.report) {
            (Some(failure), _) => failure.code(),
            (None, Some(report)) if report.end == End::Canceled => ExitCode::Interrupted,
            _ => ExitCode::Done,
        }
    }
}

impl Arguments {
    fn verbosity(&self) -> Verbosity {
        match (self.quiet, self.verbose) {
            (true, _) => Verbosity::Quiet,
            (_, true) => Verbosity::Verbose,
            _ => Verbosity::Normal,
        }
    }

    /// Refuses to overwrite the system file, or an FMU, with the results.
    fn spare_inputs(&self) -> Result<(), Failure> {
        let Some(output) = &self.output_file else { return Ok(()) };
        let what = match fs::canonicalize(output) {
            Ok(path) if fs::canonicalize(&self.system).is_ok_and(|system| system == path) => "it is the system file",
            Ok(path) if kind::is_archive(&path) => "it is an FMU or another archive",
            _ => return Ok(()),
        };
        let source = io::Error::new(io::ErrorKind::InvalidInput, what);
        Err(Failure::Output { path: Some(output.clone()), source })
    }

    /// The system file with what the flags change.
    fn system(&self) -> Result<System, Error> {
        if kind::is_archive(&self.system) {
            let reason = "it is an FMU; name it in a system file, or look at it with `lotka inspect`";
            return Err(Error::Read { path: self.system.clone(), source: io::Error::new(io::ErrorKind::InvalidData, reason) });
        }
        let mut system = System::from_file(&self.system)?.profile(self.profile).debug_logging(self.log_level == Level::Debug);
        let settings: [(Option<f64>, Set); 6] = [
            (self.start_time, System::start),
            (self.stop_time, System::stop),
            (self.step_size, System::step),
            (self.local_tolerance, System::local_tolerance),
            (self.output_interval, System::output_interval),
            (self.tolerance, with_tolerance),
        ];
        for (value, set) in settings {
            system = match value {
                Some(value) => set(system, value),
                None => system,
            };
        }
        Ok(self.start_value.iter().fold(system, |system, (name, value)| system.start_value(name, value)))
    }
}

fn with_tolerance(mut system: System, tolerance: f64) -> System {
    let experiment = &mut system.description_mut().experiment;
    experiment.tolerance = Some(tolerance.into());
    (experiment.step, experiment.local_tolerance) = (None, None);
    system
}

fn finite(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|number: &f64| number.is_finite()).ok_or_else(|| "not a number".to_owned())
}

fn positive(text: &str) -> Result<f64, String> {
    finite(text).and_then(|number| if number > 0.0 { Ok(number) } else { Err("it must be greater than 0".to_owned()) })
}

fn start_value(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write instance.variable=value, as in prey.x=12")?;
    Ok((name.trim().to_owned(), value.to_owned()))
}
