//! `lotka resume`: continues a run from its last checkpoint.

use std::path::{PathBuf, absolute};

use lotka::CheckpointFile;

use crate::{
    checkpoint::Note, console::Console, exit::ExitCode, failure::Failure, log::Level, request, run, supervise::CrashReport,
};

/// The checkpoint contains the system and the output file; these options only affect what is reported.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Checkpoint of `lotka run --checkpoint-every` or `lotka resume`.
    ///
    /// The continued run replaces it.
    checkpoint: PathBuf,
    /// Print one JSON object about the whole run, as `lotka run --json`.
    #[arg(long)]
    json: bool,
    /// Show log lines of the FMUs up to this level.
    #[arg(long, value_name = "LEVEL", default_value = "warn")]
    log_level: Level,
    /// Measure the time spent in each FMU from here on.
    #[arg(long)]
    profile: bool,
}

/// Continues a run.
pub(crate) fn run(arguments: &Arguments, console: &Console) -> ExitCode {
    match open(arguments) {
        Ok((arguments, from)) => run::resume(&arguments, from, console),
        Err(failure) => run::report_failure(failure, arguments.json, console),
    }
}

/// Reads the arguments of the run from its checkpoint, and the point where it continues.
fn open(arguments: &Arguments) -> Result<(request::Arguments, run::Continuation), Failure> {
    let file = CheckpointFile::read(&arguments.checkpoint)?;
    let Note { folder, arguments: of_run, position } = Note::of(&file)?;
    let Arguments { checkpoint: path, json, log_level, profile } = arguments;
    let path = absolute(path).unwrap_or_else(|_| path.clone());
    let mut of_run = of_run.in_folder(&folder);
    of_run.checkpoint = Some(path);
    (of_run.json, of_run.log_level, of_run.profile) = (*json, *log_level, *profile);
    Ok((of_run, run::Continuation { checkpoint: file.checkpoint, position }))
}

/// Returns what to report if FMUs end the process.
pub(crate) fn crash_report(arguments: &Arguments) -> CrashReport {
    // The child process reports any problem with the checkpoint.
    let of_run = open(arguments).ok().map(|(of_run, _)| of_run);
    CrashReport {
        is_json: arguments.json,
        manifest: of_run.as_ref().and_then(|of_run| of_run.manifest.clone()),
        report: of_run.as_ref().and_then(|of_run| Some((of_run.system.clone(), of_run.report.clone()?))),
        rows: of_run.and_then(|of_run| of_run.output_file),
        culprits: None,
    }
}
