//! The flags of `lotka run`, and what they make of the system file.

use std::{fs, io, path::PathBuf};

use clap::ArgAction;
use lotka::{Error, System};

use crate::{console::Verbosity, failure::Failure, isolation::Isolation, kind, log::Level, trial::Method};

/// Flags override the system file.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// System file.
    system: PathBuf,
    /// Write the rows to this file; without it they go to stdout, unless --json is given.
    #[arg(long, value_name = "CSV")]
    pub(crate) output_file: Option<PathBuf>,
    /// Add a column `instance.variable (error)` for each Real column: the estimated absolute error of its values; needs `tolerance`.
    #[arg(long)]
    pub(crate) error_bars: bool,
    /// Print one JSON object to stdout: end, time, statistics, instances, warnings, error; with `tolerance` also the estimated errors.
    #[arg(long)]
    pub(crate) json: bool,
    /// Start time in seconds.
    #[arg(long, value_name = "TIME", value_parser = finite, allow_negative_numbers = true)]
    start_time: Option<f64>,
    /// Stop time in seconds.
    #[arg(long, value_name = "TIME", value_parser = finite, allow_negative_numbers = true)]
    stop_time: Option<f64>,
    /// Fixed communication steps of this size in seconds.
    #[arg(long, value_name = "STEP", value_parser = positive, conflicts_with_all = ["tolerance", "local_tolerance"])]
    step_size: Option<f64>,
    /// Bound of the error of the results: the run is repeated on finer meshes until it is known to be kept (exit code 15 if it is not).
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
    #[command(flatten)]
    pub(crate) isolation: Isolation,
    /// Run several methods instead and print work against error. A method is a sweep, with the degree of its inputs and the
    /// acceleration of its iteration if it has one: jacobi,gauss-seidel:1,symmetric,gauss-seidel:2+anderson.
    #[arg(long = "try", value_name = "METHODS", value_delimiter = ',', value_parser = Method::parse,
          conflicts_with_all = ["output_file", "error_bars", "profile"])]
    pub(crate) methods: Vec<Method>,
    /// Log lines of the FMUs to show.
    #[arg(long, value_name = "LEVEL", default_value = "warn")]
    pub(crate) log_level: Level,
    /// Measure the time spent in each FMU.
    #[arg(long)]
    profile: bool,
    /// Tell which algorithm is used and why, each event, and each finished run of a run with `tolerance`; twice: each rejected step, too.
    #[arg(short, long, action = ArgAction::Count, conflicts_with = "quiet")]
    verbose: u8,
    /// Tell errors only.
    #[arg(short, long)]
    quiet: bool,
}

/// Sets a number of the system.
type Set = fn(System, f64) -> System;

impl Arguments {
    pub(crate) fn verbosity(&self) -> Verbosity {
        match (self.quiet, self.verbose) {
            (true, _) => Verbosity::Quiet,
            (_, 0) => Verbosity::Normal,
            (_, 1) => Verbosity::Verbose,
            _ => Verbosity::Detailed,
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

    /// Refuses results that there is no place or no number for.
    pub(super) fn check_output(&self, is_verified: bool) -> Result<(), Failure> {
        if self.error_bars && !is_verified {
            let reason = "--error-bars shows the estimates of a run with `tolerance`, which neither the system file nor --tolerance asks for";
            return Err(Failure::Usage { reason: reason.to_owned() });
        }
        if self.error_bars && self.json && self.output_file.is_none() {
            let reason = "--error-bars adds columns to the rows, which --json leaves out; give --output-file, too";
            return Err(Failure::Usage { reason: reason.to_owned() });
        }
        self.spare_inputs()
    }

    /// The `tolerance` of the system file, whatever the flags say.
    pub(crate) fn tolerance_of_file(&self) -> Result<Option<f64>, Error> {
        let system = System::from_file(&self.system)?;
        Ok(system.description().experiment.tolerance.as_ref().map(|tolerance| tolerance.value))
    }

    /// The system file with what the flags change.
    pub(crate) fn system(&self) -> Result<System, Error> {
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
            (self.tolerance, System::tolerance),
        ];
        for (value, set) in settings {
            system = match value {
                Some(value) => set(system, value),
                None => system,
            };
        }
        system = self.isolation.apply(system);
        Ok(self.start_value.iter().fold(system, |system, (name, value)| system.start_value(name, value)))
    }
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
