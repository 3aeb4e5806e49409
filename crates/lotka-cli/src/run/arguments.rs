//! The flags of `lotka run`, and what they make of the system file.

use std::path::{Path, PathBuf};

use lotka::Code;

use crate::{failure::Failure, isolation::Isolation, log::Level, method_comparison::Method, output::Format};

/// Flags override the system file.
#[derive(clap::Args, serde::Serialize, serde::Deserialize)]
pub(crate) struct Arguments {
    /// System file, or an FMU, which runs alone over its default experiment.
    pub(crate) system: PathBuf,
    /// Feed the inputs of an FMU that runs alone from this CSV file: `time` first, then columns called like the inputs. Values follow straight
    /// lines between rows.
    #[arg(long, value_name = "CSV")]
    pub(super) input_file: Option<PathBuf>,
    /// Write the rows to this file; without it they go to stdout, unless --json or --report is given. Its extension says the format: .csv, .mat or .parquet.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output_file: Option<PathBuf>,
    /// Format of the rows, whatever the extension of the output file.
    #[arg(long, value_name = "FORMAT")]
    output_format: Option<Format>,
    /// Add a column `instance.variable (error)` for each Real column: the estimated absolute error of its values; needs `tolerance`.
    #[arg(long)]
    pub(crate) error_bars: bool,
    /// With `step` or `local-tolerance`, run once more with half the step, or a tenth of the tolerance, and say about how large the error is. Nothing
    /// bounds it: for that, use `tolerance`.
    #[arg(long, conflicts_with = "checkpoint_every")]
    pub(super) estimate: bool,
    /// Print one JSON object to stdout: end, time, statistics, instances, warnings, error; with `tolerance` also the estimated errors.
    #[arg(long)]
    pub(crate) json: bool,
    /// Write a manifest of the run to this file, whatever its end: files with their hashes, all settings, versions, times, the end, the hash of
    /// the rows. `lotka compare` compares two of them.
    #[arg(long, value_name = "JSON")]
    pub(crate) manifest: Option<PathBuf>,
    /// Write a report of the run to this file, whatever its end: an HTML page with plots, errors, steps, time per FMU, the system as a picture.
    /// Without --output-file, no rows go to stdout then.
    #[arg(long, value_name = "HTML")]
    pub(crate) report: Option<PathBuf>,
    /// Start time in seconds.
    #[arg(long, value_name = "TIME", value_parser = finite, allow_hyphen_values = true)]
    pub(super) start_time: Option<f64>,
    /// Stop time in seconds.
    #[arg(long, value_name = "TIME", value_parser = finite, allow_hyphen_values = true)]
    pub(super) stop_time: Option<f64>,
    /// Fixed communication steps of this size in seconds.
    #[arg(long, value_name = "STEP", value_parser = positive, allow_hyphen_values = true, conflicts_with_all = ["tolerance", "local_tolerance"])]
    pub(super) step_size: Option<f64>,
    /// Bound of the error of the results: the run is repeated on finer meshes until it is known to be kept (exit code 15 if it is not).
    #[arg(long, value_name = "TOLERANCE", value_parser = positive, allow_hyphen_values = true, conflicts_with = "local_tolerance")]
    pub(super) tolerance: Option<f64>,
    /// Bound of the error of each step, relative and absolute.
    #[arg(long, value_name = "TOLERANCE", value_parser = positive, allow_hyphen_values = true)]
    pub(super) local_tolerance: Option<f64>,
    /// Rows at this distance in seconds instead of at every step.
    #[arg(long, value_name = "INTERVAL", value_parser = positive, allow_hyphen_values = true)]
    pub(super) output_interval: Option<f64>,
    /// Record this variable instead of all outputs (or of what the system file lists): a name, a pattern such as 'prey.*' or '*.temperature', or one
    /// of the words outputs, inputs, locals, parameters; with ! in front, leave it out. Can be given several times; the last that matches decides.
    #[arg(long, value_name = "PATTERN")]
    pub(super) record: Vec<String>,
    /// Start value of a variable; can be given several times. For an FMU that runs alone, the instance can be left out.
    #[arg(long, value_name = "INSTANCE.VARIABLE=VALUE", value_parser = start_value)]
    pub(super) start_value: Vec<(String, String)>,
    #[command(flatten)]
    pub(crate) isolation: Isolation,
    /// Run several methods instead and print work against error. A method is a sweep, with the degree of its inputs and the
    /// acceleration of its iteration if it has one: jacobi,gauss-seidel:1,symmetric,gauss-seidel:2+anderson.
    #[arg(long = "try", value_name = "METHODS", value_delimiter = ',', value_parser = Method::parse,
          conflicts_with_all = ["output_file", "output_format", "error_bars", "manifest", "report", "profile", "checkpoint_every", "estimate"])]
    #[serde(skip)]
    pub(crate) methods: Vec<Method>,
    /// Every so many seconds of real time write all that `lotka resume` needs to go on with the run, should it be killed; 0: after every step.
    /// The rows stay the same. The FMUs must serialize their states.
    #[arg(long, value_name = "SECONDS", value_parser = not_negative, allow_hyphen_values = true, requires = "output_file")]
    pub(crate) checkpoint_every: Option<f64>,
    /// The file of the last checkpoint; without it, the name of the output file with `.checkpoint` after it.
    #[arg(long, value_name = "FILE", requires = "checkpoint_every")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// Run again when the system file or an FMU changes, until Ctrl-C ends it; a run that fails does not.
    #[arg(long)]
    #[serde(skip)]
    pub(crate) watch: bool,
    /// With `tolerance`, make at most so many runs at the same time; the results are the same.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) threads: Option<u32>,
    /// Log lines of the FMUs to show.
    #[arg(long, value_name = "LEVEL", default_value = "warn")]
    pub(crate) log_level: Level,
    /// Measure the time spent in each FMU.
    #[arg(long)]
    pub(crate) profile: bool,
}

impl Arguments {
    /// The same with paths from another folder than the working directory.
    pub(crate) fn in_folder(self, folder: &Path) -> Self {
        let written = [self.output_file, self.manifest, self.report];
        let [output_file, manifest, report] = written.map(|path| path.map(|path| folder.join(path)));
        let input_file = self.input_file.map(|path| folder.join(path));
        Self { system: folder.join(self.system), input_file, output_file, manifest, report, ..self }
    }

    /// Format of the rows.
    pub(crate) fn output_format(&self) -> Format {
        self.output_format.or_else(|| Format::of(self.output_file.as_deref())).unwrap_or(Format::Csv)
    }

    /// Refuses a file whose name says a format that there is not.
    pub(super) fn check_format(&self) -> Result<(), Failure> {
        let path = self.output_file.as_deref();
        if self.output_format.is_some() || Format::of(path).is_some() {
            return Ok(());
        }
        self.check_rows()?;
        let name = path.map(|path| path.display().to_string()).unwrap_or_default();
        let reason = format!(
            "cannot infer a format from `{name}`; use the extension .csv (or .txt), .mat or .parquet (or .pq), or pass --output-format csv, mat or parquet"
        );
        Err(Failure::Usage { code: Code::UnknownFormat, reason })
    }

    /// Where checkpoints go, if there are any.
    pub(crate) fn checkpoint_path(&self) -> Option<PathBuf> {
        self.checkpoint_every?;
        let beside = || {
            let mut name = self.output_file.clone()?.into_os_string();
            name.push(".checkpoint");
            Some(name.into())
        };
        self.checkpoint.clone().or_else(beside)
    }

    /// Refuses results that there is no place or no number for.
    pub(super) fn check_output(&self, is_verified: bool) -> Result<(), Failure> {
        if self.error_bars && !is_verified {
            let reason = "--error-bars needs a run with `tolerance`; set it in the system file, or pass --tolerance";
            return Err(Failure::Usage { code: Code::WrongUsage, reason: reason.to_owned() });
        }
        if self.error_bars && !self.has_rows() {
            let reason = "--error-bars adds columns to the rows, which --json and --report leave out; also pass --output-file";
            return Err(Failure::Usage { code: Code::WrongUsage, reason: reason.to_owned() });
        }
        if self.output_format() == Format::Parquet && self.checkpoint_every.is_some() {
            let reason = "--checkpoint-every: a run cannot be resumed in a Parquet file; choose .csv or .mat";
            return Err(Failure::Usage { code: Code::WrongUsage, reason: reason.to_owned() });
        }
        if self.output_file.is_none() && !self.output_format().is_stream() {
            let reason = "--output-format: only CSV can go to stdout; also pass --output-file";
            return Err(Failure::Usage { code: Code::WrongUsage, reason: reason.to_owned() });
        }
        self.check_rows()
    }

    /// Whether rows go to a file or to stdout.
    pub(super) fn has_rows(&self) -> bool {
        self.output_file.is_some() || !(self.json || self.report.is_some())
    }
}

fn finite(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|number: &f64| number.is_finite()).ok_or_else(|| "expected a number".to_owned())
}

fn positive(text: &str) -> Result<f64, String> {
    finite(text).and_then(|number| if number > 0.0 { Ok(number) } else { Err("expected a number greater than 0".to_owned()) })
}

fn not_negative(text: &str) -> Result<f64, String> {
    finite(text).and_then(|number| if number >= 0.0 { Ok(number) } else { Err("expected a number, 0 or greater".to_owned()) })
}

fn start_value(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write instance.variable=value, as in prey.x=12")?;
    Ok((name.trim().to_owned(), value.to_owned()))
}
