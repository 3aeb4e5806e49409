//! Runs the simulation with everything that observes it.

use lotka::{
    CancelToken, Checkpoint, Code, Column, End, Memory, Observer, RunFailure, Warning, WriteOptions, command::describe_cgroups,
};

use super::{estimate::Finer, memory};
use crate::{
    checkpoint::{self, CheckpointWriter},
    console::Console,
    console_flags::Verbosity,
    data,
    exit::ExitCode,
    explain::Explain,
    failure::Failure,
    interrupt,
    live::Live,
    log::Log,
    manifest::Manifest,
    method_comparison,
    outcome::Outcome,
    output::{Destination, Output},
    overview::{Look, Overview},
    progress::Progress,
    report::{
        self,
        subject::{self, Overlays},
    },
    request::Arguments,
    summary,
    supervise::CrashReport,
    unconnected,
};

/// Runs the system, or compares methods on it.
pub(crate) fn run(arguments: &Arguments, console: &Console) -> ExitCode {
    if !arguments.methods.is_empty() {
        return method_comparison::run(arguments, console);
    }
    conclude(arguments, None, console)
}

/// Point from which a run continues.
pub(crate) struct Continuation {
    pub(crate) checkpoint: Checkpoint,
    /// Length of the output file at the checkpoint \[byte\].
    pub(crate) position: u64,
}

/// Continues a run that was started with `arguments`.
pub(crate) fn resume(arguments: &Arguments, from: Continuation, console: &Console) -> ExitCode {
    conclude(arguments, Some(&from), console)
}

/// Simulates, reports how the run ended, and records it.
fn conclude(arguments: &Arguments, from: Option<&Continuation>, console: &Console) -> ExitCode {
    let begun = begin(arguments, from.is_some()).and_then(|manifest| Ok((manifest, subject::overlays(&arguments.overlay)?)));
    let (mut manifest, overlays) = match begun {
        Ok(begun) => begun,
        Err(failure) => return report_failure(failure, arguments.json, console),
    };
    overlays.notes.iter().for_each(|note| console.warn(&Warning::new(Code::ReportIncomplete, note)));
    // Rows before a checkpoint exist only in their file.
    let mut rows = (arguments.report.is_some() && from.is_none()).then(Memory::new);
    let mut outcome = simulate(arguments, from, console, manifest.as_mut(), rows.as_mut()).unwrap_or_else(Outcome::failed);
    outcome.print(arguments.json);
    outcome.failures.extend(manifest.as_mut().and_then(|manifest| manifest.finish(&outcome).err()));
    if let (Some(path), Some(manifest)) = (&arguments.report, manifest) {
        let page = subject::of_run(manifest.into_document(), rows.as_ref());
        outcome.failures.extend(report::write(path, &page, &overlays).err());
    }
    outcome.report(arguments, console);
    outcome.code()
}

/// Creates the manifest and an empty report, so that a path that cannot be written is reported before the run, not after it.
fn begin(arguments: &Arguments, goes_on: bool) -> Result<Option<Manifest>, Failure> {
    let manifest = Manifest::begin(arguments, goes_on)?;
    if let (Some(path), Some(manifest), false) = (&arguments.report, &manifest, goes_on) {
        report::write(path, &subject::begun(manifest.document().clone()), &Overlays::default())?;
    }
    Ok(manifest)
}

/// Returns what to report if FMUs end the process: as far as possible the messages of a failed run.
pub(crate) fn crash_report(arguments: &Arguments) -> CrashReport {
    CrashReport {
        is_json: arguments.json && arguments.methods.is_empty(),
        rows: arguments.output_file.clone(),
        manifest: arguments.manifest.clone(),
        report: arguments.report.clone().map(|path| (arguments.system.clone(), path)),
        culprits: None,
    }
}

/// Reports why there is no run.
pub(crate) fn report_failure(failure: Failure, json: bool, console: &Console) -> ExitCode {
    let mut outcome = Outcome::failed(failure);
    outcome.print(json);
    outcome.report_failures(console);
    outcome.code()
}

fn simulate(
    arguments: &Arguments,
    from: Option<&Continuation>,
    console: &Console,
    mut manifest: Option<&mut Manifest>,
    kept: Option<&mut Memory>,
) -> Result<Outcome, Failure> {
    arguments.check_format()?;
    let system = arguments.system()?;
    manifest.as_mut().map_or(Ok(()), |manifest| manifest.describe(&system))?;
    let is_verified = system.description().experiment.tolerance.is_some();
    let finer = Finer::of(arguments, &system)?;
    let mut simulation = system.build().map_err(|error| arguments.blame(error))?;
    simulation.warnings().iter().for_each(|warning| console.warn(&arguments.blame_in(warning)));
    let cancel = simulation.cancel_token();
    arguments.check_output(is_verified)?;
    memory::check(arguments, &simulation, console)?;
    warn_of_left_out(arguments, simulation.columns(), console);
    arguments.check_checkpoint()?;
    let token = arguments.checkpoint_every.map(|_| simulation.checkpoint_token()).transpose()?;
    let terminal = data::terminal_width().filter(|_| arguments.prefers_overview());
    let mut overview = terminal.map(|_| Overview::new(console.shows(Verbosity::Verbose)));
    let mut output = open_output(arguments, from, terminal.is_some(), cancel.clone())?
        .map(|output| output.keep_checkpoints(CheckpointWriter::new(arguments, console)));
    let _timer = token.zip(arguments.checkpoint_every).and_then(|(token, every)| checkpoint::ask(token, every));
    if let (Some(manifest), Some(output)) = (&mut manifest, &output) {
        manifest.set_rows(output.digest());
    }
    interrupt::install(cancel, console);
    let algorithm = simulation.describe_algorithm();
    console.say(Verbosity::Verbose, &format!("algorithm: {algorithm}"));
    let unconnected = unconnected::lines(system.description(), simulation.graph());
    unconnected.iter().for_each(|line| console.say(Verbosity::Verbose, line));
    if let Some(runs) = simulation.describe_runs() {
        console.say(Verbosity::Verbose, &runs);
    }
    if let Some(cgroups) = describe_cgroups() {
        console.say(Verbosity::Verbose, &cgroups);
    }
    if let Some(manifest) = &mut manifest {
        manifest.set_algorithm(&algorithm);
    }
    let mut log = Log::new(arguments.log_level, console);
    let mut explain = Explain::new(console);
    let mut compared = finer.as_ref().map(|_| Memory::new());
    let mut live = if arguments.live { Live::start(&name_of(arguments), console) } else { None };
    let mut progress = Progress::new(console, is_verified.then(|| simulation.progress_token()));
    let mut observers: Vec<&mut dyn Observer> = vec![&mut log, &mut explain];
    observers.extend(manifest.map(|manifest| manifest as &mut dyn Observer));
    observers.extend(kept.map(|kept| kept as &mut dyn Observer));
    observers.extend(compared.as_mut().map(|compared| compared as &mut dyn Observer));
    observers.extend(live.as_mut().map(|live| live as &mut dyn Observer));
    observers.extend(overview.as_mut().map(|overview| overview as &mut dyn Observer));
    observers.extend(output.as_mut().map(|output| output as &mut dyn Observer));
    observers.extend(progress.as_mut().map(|progress| progress as &mut dyn Observer));
    let result = match from {
        None => simulation.run(&mut observers),
        Some(from) => simulation.resume(&from.checkpoint, &mut observers),
    };
    let (report, failure) = match result.or_else(RunFailure::accept_missed_tolerance) {
        Ok(report) => (report, None),
        Err(failure) => (failure.report.clone(), Some((*failure).into())),
    };
    if let Some(live) = live {
        let end = summary::end(&report, is_verified);
        live.finish(&failure.as_ref().map_or_else(|| end.clone(), |failure: &Failure| format!("{end}: {}", failure.text())));
    }
    let mut failures: Vec<Failure> = failure.into_iter().collect();
    failures.extend(output.and_then(|output| output.finish().err()));
    match simulation.close() {
        Ok(warnings) => warnings.iter().for_each(|warning| console.warn(warning)),
        Err(error) => failures.push(error.into()),
    }
    let mut rough = None;
    if let (Some(finer), Some(rows), true) = (finer, compared, failures.is_empty() && report.end == End::StopTime) {
        match finer.compare(&rows) {
            Ok(Some(found)) => {
                finer.warning(&found).iter().for_each(|warning| console.warn(warning));
                rough = Some(found);
            }
            Ok(None) => {
                let text = "no error estimate: with smaller steps, events differ and rows are at other times";
                console.warn(&Warning::new(Code::NotEstimated, text.to_owned()));
            }
            Err(failure) => failures.push(failure),
        }
    }
    let look = |width| Look { width, has_blocks: data::has_unicode(), has_colors: console.has_colors() };
    let overview = overview.zip(terminal).map(|(overview, width)| overview.text(look(width)));
    Ok(Outcome { report: Some(report), failures, is_verified, overview, rough })
}

/// The name of the run: that of its system.
fn name_of(arguments: &Arguments) -> String {
    arguments.system.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Warns of columns that the file format cannot hold.
fn warn_of_left_out(arguments: &Arguments, columns: &[Column], console: &Console) {
    let texts = columns.iter().filter(|column| !column.value_type.is_number());
    let names: Vec<_> = texts.map(|column| format!("`{}`", column.name)).collect();
    if !arguments.output_format().has_texts && !names.is_empty() {
        let extension = arguments.output_format().extensions[0];
        let text = format!("a .{extension} file cannot hold strings; Lotka omits {}", names.join(", "));
        console.warn(&Warning::new(Code::TextsLeftOut, text));
    }
}

/// Opens the output of the rows, if there is one. Hidden rows are hashed for the manifest, and go nowhere.
fn open_output<'a>(
    arguments: &Arguments,
    from: Option<&Continuation>,
    is_hidden: bool,
    cancel: CancelToken,
) -> Result<Option<Output<'a>>, Failure> {
    let path = arguments.output_file.as_deref();
    let to = Destination {
        path,
        format: arguments.output_format(),
        options: WriteOptions { error_bars: arguments.error_bars, spreadsheet: arguments.spreadsheet },
        is_hidden,
    };
    if let (Some(path), Some(from)) = (path, from) {
        return Output::open_after(path, to, from.position, cancel).map(Some);
    }
    let is_needed = arguments.has_rows() && (!is_hidden || arguments.manifest.is_some());
    is_needed.then(|| Output::open(to, arguments.manifest.is_some(), cancel)).transpose()
}
