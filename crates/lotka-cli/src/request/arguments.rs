//! The flags of `lotka run`, and their effect on the system file.

use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser};
use lotka::{Code, FORMATS, Format};

use super::Method;
use crate::{failure::Failure, isolation::Isolation, log::Level};

/// Flags override the system file.
#[derive(clap::Args, serde::Serialize, serde::Deserialize)]
pub(crate) struct Arguments {
    /// System file, or an FMU to run alone over its default experiment.
    pub(crate) system: PathBuf,
    /// Feed the inputs of a single FMU from this table.
    ///
    /// CSV, .mat, .parquet or .arrow. The first column is `time`; the other columns have the names of the inputs. Lotka
    /// interpolates linearly between rows.
    #[arg(long, value_name = "TABLE", help_heading = "Experiment options")]
    pub(super) input_file: Option<PathBuf>,
    /// Write the rows to this file [default: stdout, unless --json or --report is given].
    ///
    /// The extension selects the format: .csv, .mat, .parquet or .arrow. Without the flag, a terminal gets a short table instead
    /// of the rows.
    #[arg(short, long, value_name = "FILE", help_heading = "Output options")]
    pub(crate) output_file: Option<PathBuf>,
    /// Select the format of the rows, regardless of the output file's extension.
    #[arg(long, value_name = "FORMAT", help_heading = "Output options", value_parser = formats())]
    output_format: Option<String>,
    /// Print all rows on a terminal, too, instead of a short table.
    ///
    /// A pipe always gets all rows.
    #[arg(long, help_heading = "Output options", conflicts_with_all = ["output_file", "report", "json", "methods"])]
    #[serde(skip)]
    rows: bool,
    /// Add a column with the estimated absolute error for each Real column.
    ///
    /// Its name is `instance.variable (error)`. This needs `tolerance`.
    #[arg(long, help_heading = "Output options")]
    pub(crate) error_bars: bool,
    /// Write CSV for a spreadsheet: no name and no text becomes a formula.
    ///
    /// Names and texts that begin with `=`, `+`, `-` or `@` get an apostrophe. Numbers stay as they are.
    #[arg(long, help_heading = "Output options")]
    pub(crate) spreadsheet: bool,
    /// Run again with smaller steps, and print a rough estimate of the error.
    ///
    /// The second run uses half the `step`, or a tenth of the `local-tolerance`. The estimate is not a bound: use `tolerance` if
    /// you need one.
    #[arg(long, conflicts_with = "checkpoint_every", help_heading = "Accuracy options")]
    pub(crate) estimate: bool,
    /// Print one JSON object to stdout.
    ///
    /// It contains how the run ended, its times, statistics, instances, warnings and error; with `tolerance` also the estimated
    /// errors.
    #[arg(long, help_heading = "Output options")]
    pub(crate) json: bool,
    /// Write a manifest of the run to this file, even if the run fails.
    ///
    /// It lists the files with their hashes, all settings, versions, times, how the run ended, and the hash of the rows. `lotka
    /// compare` compares two manifests.
    #[arg(long, value_name = "JSON", help_heading = "Output options")]
    pub(crate) manifest: Option<PathBuf>,
    /// Write a report of the run to this file, even if the run fails.
    ///
    /// It is an HTML page with plots, errors, steps, time per FMU, and a picture of the system. With --report, rows go to
    /// --output-file only, not to stdout.
    #[arg(long, value_name = "HTML", help_heading = "Output options")]
    pub(crate) report: Option<PathBuf>,
    /// Serve a page that shows the run while it runs, to browsers on this machine.
    ///
    /// The command prints the address of the page to stderr. The page has curves, step sizes and the state of the run; it ends
    /// with the run.
    #[arg(long, help_heading = "Output options", conflicts_with_all = ["methods", "watch"])]
    #[serde(skip)]
    pub(crate) live: bool,
    /// Draw the rows of this file over those of the run, in its report.
    ///
    /// An earlier run in dashed lines: a file of results, or a manifest. Can be given several times.
    #[arg(long, value_name = "ROWS", help_heading = "Output options", requires = "report")]
    pub(crate) overlay: Vec<PathBuf>,
    /// Start at this time.
    #[arg(long, value_name = "SECONDS", help_heading = "Experiment options", value_parser = finite, allow_hyphen_values = true)]
    pub(super) start_time: Option<f64>,
    /// Stop at this time.
    #[arg(long, value_name = "SECONDS", help_heading = "Experiment options", value_parser = finite, allow_hyphen_values = true)]
    pub(super) stop_time: Option<f64>,
    /// Use fixed communication steps of this size.
    #[arg(long, value_name = "SECONDS", help_heading = "Accuracy options", value_parser = positive, allow_hyphen_values = true,
          conflicts_with_all = ["tolerance", "local_tolerance"])]
    pub(super) step_size: Option<f64>,
    /// Bound the global error of the results.
    ///
    /// Lotka repeats the run on finer meshes until the estimated error is below the tolerance (exit code 15 if that fails).
    #[arg(long, value_name = "TOLERANCE", help_heading = "Accuracy options", value_parser = positive, allow_hyphen_values = true,
          conflicts_with = "local_tolerance")]
    pub(super) tolerance: Option<f64>,
    /// Bound the local error of each step, relative and absolute.
    #[arg(long, value_name = "TOLERANCE", help_heading = "Accuracy options", value_parser = positive, allow_hyphen_values = true)]
    pub(super) local_tolerance: Option<f64>,
    /// Write rows at this interval instead of after every step.
    #[arg(long, value_name = "SECONDS", help_heading = "Output options", value_parser = positive, allow_hyphen_values = true)]
    pub(super) output_interval: Option<f64>,
    /// Record this variable instead of all outputs.
    ///
    /// A name, a pattern such as 'prey.*' or '*.temperature', or one of the words outputs, inputs, locals, parameters. A leading
    /// ! excludes what matches. Can be given several times; the last match decides. The option replaces the list of the system
    /// file.
    #[arg(long, value_name = "PATTERN", help_heading = "Output options")]
    pub(super) record: Vec<String>,
    /// Set the start value of a variable; can be given several times.
    ///
    /// For a single FMU, the instance can be left out.
    #[arg(long, value_name = "INSTANCE.VARIABLE=VALUE", help_heading = "Experiment options", value_parser = start_value)]
    pub(super) start_value: Vec<(String, String)>,
    #[command(flatten)]
    pub(crate) isolation: Isolation,
    /// Compare several methods: run each, and print its work and its error.
    ///
    /// A method is SCHEME[:DEGREE][+ACCELERATION]: a coupling scheme, the degree of its inputs, and the acceleration of its
    /// iteration. Example: jacobi,gauss-seidel:1,symmetric,gauss-seidel:2+anderson.
    #[arg(long = "try", value_name = "METHODS", help_heading = "Accuracy options", value_delimiter = ',', value_parser = Method::parse,
          conflicts_with_all = ["output_file", "output_format", "error_bars", "spreadsheet", "manifest", "report", "profile", "checkpoint_every", "estimate"])]
    #[serde(skip)]
    pub(crate) methods: Vec<Method>,
    /// Save a checkpoint of the run each time this much real time has passed.
    ///
    /// If the run is killed, `lotka resume` continues it from the last checkpoint. 0 saves after every step. Checkpoints do not
    /// change the rows. The FMUs must be able to serialize their states.
    #[arg(long, value_name = "SECONDS", help_heading = "Checkpoint options", value_parser = not_negative, allow_hyphen_values = true, requires = "output_file")]
    pub(crate) checkpoint_every: Option<f64>,
    /// Write the last checkpoint to this file.
    ///
    /// The default is the output file with `.checkpoint` after its name.
    #[arg(long, value_name = "FILE", help_heading = "Checkpoint options", requires = "checkpoint_every")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// Run again when the system file or an FMU changes, until Ctrl-C.
    ///
    /// A run that fails does not end the watch.
    #[arg(long)]
    #[serde(skip)]
    pub(crate) watch: bool,
    /// Step instances, or make the runs of a tolerance, on at most this many threads.
    ///
    /// The default is the number of processors. The results do not depend on it. Only FMUs that are known to be thread-safe share
    /// this process with threads; FMUs in processes of their own always step at the same time.
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) threads: Option<u32>,
    /// Show log lines of the FMUs up to this level.
    #[arg(long, value_name = "LEVEL", default_value = "warn")]
    pub(crate) log_level: Level,
    /// Measure the time spent in each FMU.
    #[arg(long)]
    pub(crate) profile: bool,
}

impl Arguments {
    /// Returns the same arguments with paths relative to another folder.
    pub(crate) fn in_folder(self, folder: &Path) -> Self {
        let written = [self.output_file, self.manifest, self.report];
        let [output_file, manifest, report] = written.map(|path| path.map(|path| folder.join(path)));
        let input_file = self.input_file.map(|path| folder.join(path));
        let overlay = self.overlay.into_iter().map(|path| folder.join(path)).collect();
        Self { system: folder.join(self.system), input_file, output_file, manifest, report, overlay, ..self }
    }

    /// Returns the format of the rows.
    pub(crate) fn output_format(&self) -> &'static Format {
        self.known_format().unwrap_or(&FORMATS[0])
    }

    /// Returns the format that a flag or the extension of the file names; text without a file.
    fn known_format(&self) -> Option<&'static Format> {
        match &self.output_format {
            Some(name) => Format::named(name),
            None => Format::of_path(self.output_file.as_deref().unwrap_or(Path::new(""))),
        }
    }

    /// Rejects a file whose extension is not that of a known format.
    pub(crate) fn check_format(&self) -> Result<(), Failure> {
        if self.known_format().is_some() {
            return Ok(());
        }
        self.check_rows()?;
        let name = self.output_file.as_ref().map(|path| path.display().to_string()).unwrap_or_default();
        let extensions = Format::extensions_where(|_| true);
        let names: Vec<_> = FORMATS.iter().map(|format| format.name).collect();
        let reason = format!(
            "cannot infer a format from `{name}`; use the extension {extensions}, or pass --output-format with one of {}",
            names.join(", ")
        );
        Err(Failure::Usage { code: Code::UnknownFormat, reason })
    }

    /// Returns the path of the checkpoints, if there are any.
    pub(crate) fn checkpoint_path(&self) -> Option<PathBuf> {
        self.checkpoint_every?;
        let beside = || {
            let mut name = self.output_file.clone()?.into_os_string();
            name.push(".checkpoint");
            Some(name.into())
        };
        self.checkpoint.clone().or_else(beside)
    }

    /// Rejects combinations of output flags that do not work.
    pub(crate) fn check_output(&self, is_verified: bool) -> Result<(), Failure> {
        if self.error_bars && !is_verified {
            let reason = "--error-bars needs a run with `tolerance`; set it in the system file, or pass --tolerance";
            return Err(Failure::Usage { code: Code::WrongUsage, reason: reason.to_owned() });
        }
        if self.error_bars && !self.has_rows() {
            let reason = "--error-bars adds columns to the rows, which --json and --report leave out; also pass --output-file";
            return Err(Failure::Usage { code: Code::WrongUsage, reason: reason.to_owned() });
        }
        if self.spreadsheet && !(self.has_rows() && self.output_format().is_text) {
            let reason = "--spreadsheet changes rows in CSV only; write them as CSV, or leave out the flag";
            return Err(Failure::Usage { code: Code::WrongUsage, reason: reason.to_owned() });
        }
        if !self.output_format().is_resumable && self.checkpoint_every.is_some() {
            let (kind, others) = (self.output_format().kind, Format::extensions_where(|format| format.is_resumable));
            let reason = format!("--checkpoint-every: a run cannot be resumed in {kind}; choose {others}");
            return Err(Failure::Usage { code: Code::WrongUsage, reason });
        }
        if self.output_file.is_none() && !self.output_format().is_text {
            let reason = "--output-format: only CSV can go to stdout; also pass --output-file";
            return Err(Failure::Usage { code: Code::WrongUsage, reason: reason.to_owned() });
        }
        self.check_rows()
    }

    /// Returns whether a short table takes the place of the rows: on a terminal, unless a flag is about the rows.
    pub(crate) fn prefers_overview(&self) -> bool {
        self.has_rows()
            && self.output_file.is_none()
            && self.output_format.is_none()
            && !(self.rows || self.error_bars || self.spreadsheet)
    }

    /// Returns whether rows go to a file or to stdout.
    pub(crate) fn has_rows(&self) -> bool {
        self.output_file.is_some() || !(self.json || self.report.is_some())
    }
}

/// The names of all formats.
fn formats() -> PossibleValuesParser {
    FORMATS.iter().map(|format| PossibleValue::new(format.name).help(format.about)).collect::<Vec<_>>().into()
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
