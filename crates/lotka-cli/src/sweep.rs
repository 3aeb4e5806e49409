//! `lotka sweep`: makes the runs of a study.

use std::{
    collections::BTreeMap,
    ops::ControlFlow,
    path::{Path, PathBuf},
    str::FromStr,
    time::{Duration, Instant},
};

use lotka::{Code, Coded as _, RunRecord, Shard, Sweep, SweepTable, SweepTableError, command::is_archive};
use serde_json::json;

use crate::{
    console::{BAR_LENGTH, Console},
    console_flags::Verbosity,
    counted::counted,
    data,
    exit::ExitCode,
    failure::Failure,
    interrupt,
    isolation::Isolation,
    json, paths, report,
    supervise::CrashReport,
};

/// Shortest time between two writes of records that are not full groups.
const FLUSH: Duration = Duration::from_secs(1);

/// Status of a run that did not reach its tolerance.
const MISSED: &str = Code::ToleranceNotReached.as_str();

/// Number of failures whose messages are shown.
const SHOWN: usize = 5;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Study: a system file, parameters that vary, and what is kept of each run.
    #[arg(value_name = "STUDY")]
    study: PathBuf,
    /// Write the records to this file (.parquet) [default: the name of the study, with the shard].
    ///
    /// If the study keeps all rows, they go to a second file, NAME-rows.parquet.
    #[arg(long, short, value_name = "FILE")]
    output_file: Option<PathBuf>,
    /// Make this number of runs at the same time [default: number of processors].
    #[arg(long, short, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Make one part of the runs, such as 3/16.
    ///
    /// The records of all shards together are those of a sweep without shards, bit by bit.
    #[arg(long, value_name = "K/N", default_value = "1/1", hide_default_value = true)]
    shard: ShardArgument,
    /// Continue an interrupted sweep after its last record.
    #[arg(long, conflicts_with = "force")]
    resume: bool,
    /// Overwrite an existing file.
    #[arg(long)]
    force: bool,
    /// Write plots of the records over the parameters as an HTML file.
    #[arg(long, value_name = "HTML")]
    report: Option<PathBuf>,
    /// Print the outcome as JSON on stdout.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    isolation: Isolation,
}

/// `K/N`.
#[derive(Debug, Clone, Copy)]
struct ShardArgument(Shard);

impl FromStr for ShardArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        let shard = numbers.and_then(|(number, of)| Shard::new(number, of));
        shard.map(Self).ok_or_else(|| "expected K/N with K from 1 to N, such as 3/16".to_owned())
    }
}

/// What to report if an FMU ends the process.
pub(crate) fn crash_report() -> CrashReport {
    CrashReport::default()
}

/// Makes the runs of a study.
pub(crate) fn run(arguments: &Arguments, console: &Console) -> Result<ExitCode, Failure> {
    let ShardArgument(shard) = arguments.shard;
    let path = arguments.output_file.clone().unwrap_or_else(|| default_path(&arguments.study, shard));
    if path.exists() && !arguments.force && !arguments.resume {
        let reason = format!("`{}` already exists; pass --resume to continue it, or --force to overwrite it", path.display());
        return Err(Failure::Usage { code: Code::FileExists, reason });
    }
    let mut sweep = Sweep::new(&arguments.study, |system| arguments.isolation.apply(system))?;
    let mut taken = sweep.files();
    check_place("--output-file", &path, &taken)?;
    if let Some(report) = &arguments.report {
        taken.extend([path.clone(), SweepTable::rows_path(&path)]);
        check_place("--report", report, &taken)?;
    }
    if let Some(jobs) = arguments.jobs {
        sweep = sweep.threads(jobs.into());
    }
    let mut table = match arguments.resume {
        true => SweepTable::resume(&sweep, &path, shard)?,
        false => SweepTable::create(&sweep, &path, shard)?,
    };
    interrupt::install(sweep.cancel_token(), console);
    let (done, runs) = (table.done(), shard.len(sweep.n_runs()));
    if done > 0 {
        console.say(Verbosity::Normal, &format!("{} of {} are there already", done, counted(runs as u64, "run")));
    }
    let mut tally = Tally::default();
    let mut progress = Progress::new(console, done, runs);
    let mut written = Instant::now();
    let is_complete = sweep.run(shard, done, |record| {
        table.add(&record);
        tally.add(&record, console);
        if written.elapsed() > FLUSH {
            table.flush_if_worthwhile();
            written = Instant::now();
        }
        progress.advance();
        if table.has_failed() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    progress.finish();
    table.finish().map_err(|source| Failure::Output { path: Some(path.clone()), source })?;
    let is_complete = is_complete?;
    let made = tally.count();
    if arguments.json {
        let object = json!({
            "study": arguments.study,
            "runs": runs,
            "made": made,
            "earlier": done,
            "complete": is_complete,
            "statuses": tally.statuses,
            "file": path,
        });
        data::print(&json::lines(&object))?;
    }
    console.say(Verbosity::Normal, &format!("{} -> {}", tally.text(), path.display()));
    if let Some(report) = &arguments.report {
        let name = arguments.study.file_name().unwrap_or_default().to_string_lossy();
        report::write_study(report, &name, &[path], console)?;
    }
    Ok(match is_complete {
        false => ExitCode::Interrupted,
        true if tally.failures > 0 => ExitCode::Step,
        true if tally.statuses.contains_key(MISSED) => ExitCode::Tolerance,
        true => ExitCode::Done,
    })
}

/// Refuses to write over a file that the sweep reads, or writes otherwise.
fn check_place(flag: &str, path: &Path, taken: &[PathBuf]) -> Result<(), Failure> {
    if is_archive(path) || taken.iter().any(|file| paths::is_same_file(path, file)) {
        let reason = format!("{flag} {}: the sweep reads or writes this file; choose another one", path.display());
        return Err(Failure::Usage { code: Code::WouldOverwrite, reason });
    }
    Ok(())
}

impl From<SweepTableError> for Failure {
    fn from(error: SweepTableError) -> Self {
        match error {
            SweepTableError::File { path, reason } => Self::Output { path: Some(path), source: reason },
            SweepTableError::Read { reason, .. } => Self::Results(reason),
            error => Self::Usage { code: error.code(), reason: error.to_string() },
        }
    }
}

/// `study.parquet`, or `study-3-of-16.parquet` for a shard.
fn default_path(study: &Path, shard: Shard) -> PathBuf {
    match shard.numbers() {
        (1, 1) => study.with_extension("parquet"),
        (number, of) => {
            let stem = study.file_stem().unwrap_or_default().to_string_lossy();
            study.with_file_name(format!("{stem}-{number}-of-{of}.parquet"))
        }
    }
}

/// How many runs ended in which way.
#[derive(Default)]
struct Tally {
    statuses: BTreeMap<String, u64>,
    shown: usize,
    /// Runs without results.
    failures: u64,
}

impl Tally {
    fn add(&mut self, record: &RunRecord, console: &Console) {
        *self.statuses.entry(record.status.clone()).or_default() += 1;
        let Some(message) = &record.message else { return };
        self.failures += u64::from(record.status != MISSED);
        self.shown += 1;
        if self.shown <= SHOWN {
            console.say(Verbosity::Normal, &format!("run {}: {message} [{}]", record.run, record.status));
        }
        if self.shown == SHOWN {
            console.say(Verbosity::Normal, "messages of further failures are not shown; their codes are in the records");
        }
    }

    fn count(&self) -> u64 {
        self.statuses.values().sum()
    }

    /// `64 runs: 2 time-limit, 62 ok`.
    fn text(&self) -> String {
        let mut statuses: Vec<_> = self.statuses.iter().collect();
        statuses.sort_by_key(|(status, _)| *status == "ok");
        let each: Vec<_> = statuses.into_iter().map(|(status, count)| format!("{count} {status}")).collect();
        let all = counted(self.count(), "run");
        if each.is_empty() { all } else { format!("{all}: {}", each.join(", ")) }
    }
}

/// The progress bar.
struct Progress {
    console: Console,
    is_shown: bool,
    done: usize,
    runs: usize,
    begin: Instant,
    first: usize,
}

impl Progress {
    fn new(console: &Console, done: usize, runs: usize) -> Self {
        let is_shown = console.start_bar();
        Self { console: console.clone(), is_shown, done, runs, begin: Instant::now(), first: done }
    }

    fn advance(&mut self) {
        self.done += 1;
        if !self.is_shown {
            return;
        }
        let per_second = (self.done - self.first) as f64 / self.begin.elapsed().as_secs_f64().max(1e-3);
        let share = self.done as f64 / self.runs.max(1) as f64;
        let message = format!("{} of {} runs  {per_second:.1} runs/s", self.done, self.runs);
        self.console.advance_bar((share * BAR_LENGTH as f64) as u64, &message);
    }

    fn finish(&self) {
        self.console.end_bar();
    }
}
