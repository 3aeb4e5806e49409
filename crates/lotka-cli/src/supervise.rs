//! Runs verbs that load FMUs in a child process. Whatever FMUs do to it, the command reports what happened and ends with an exit
//! code.
//!
//! The child runs the verb. The parent waits, forwards interrupts, and passes on the exit code. If an FMU ends the child, the
//! parent reports in which call, and where the rows are.

use std::{
    fs::OpenOptions,
    io::{self, Write},
    os::unix::fs::FileExt,
    panic::UnwindSafe,
    path::{Path, PathBuf},
};

use lotka::{
    Code, Warning,
    supervisor::{Ending, LeftRows, Lost, ProcessEnd, Side, Supervised, Supervisor, split},
};

use crate::{
    child,
    console::Console,
    console_flags::{ConsoleFlags, Verbosity},
    data,
    exit::{ExitCode, guarded},
    failure::Failure,
    interrupt, json, manifest,
    report::{
        self,
        subject::{self, Overlays},
    },
};

/// What the parent reports if FMUs end the process of the verb.
#[derive(Default)]
pub(crate) struct CrashReport {
    /// Whether the verb would have printed a JSON object.
    pub(crate) is_json: bool,
    /// The output file of the rows.
    pub(crate) rows: Option<PathBuf>,
    /// The file of the manifest.
    pub(crate) manifest: Option<PathBuf>,
    /// The system file, and the file of the report.
    pub(crate) report: Option<(PathBuf, PathBuf)>,
    /// Finds the FMUs to blame if the child fails outside FMU calls.
    pub(crate) culprits: Option<Box<dyn Fn() -> Vec<PathBuf>>>,
}

/// Runs a verb that loads FMUs, in a child process.
pub(crate) fn run(
    crash_report: &CrashReport,
    console_flags: ConsoleFlags,
    verb: impl FnOnce() -> ExitCode + UnwindSafe,
) -> ExitCode {
    let console = || Console::new(console_flags);
    match split() {
        Ok(Side::Child(child)) => match child.and_then(|child| silenced(child, console_flags)) {
            Ok(child) => {
                let child = child::begin(child);
                let code = guarded(verb);
                child.end(code as u8);
                code
            }
            Err(error) => {
                console().error(Code::NoProcess, &format!("cannot prepare the process for the FMUs: {error}"));
                ExitCode::Internal
            }
        },
        Ok(Side::Parent(supervisor)) => watch(crash_report, &console(), supervisor),
        Err(error) => {
            let console = console();
            interrupt::catch(&console);
            let text = format!(
                "cannot start a process for the FMUs: they run in this process, which does not survive their crashes: {error}"
            );
            console.warn(&Warning::new(Code::NoProcess, text));
            verb()
        }
    }
}

fn silenced(child: Supervised, console_flags: ConsoleFlags) -> io::Result<Supervised> {
    if console_flags.verbosity() == Verbosity::Quiet { child.silence() } else { Ok(child) }
}

fn watch(crash_report: &CrashReport, console: &Console, supervisor: Supervisor) -> ExitCode {
    let interrupter = supervisor.interrupter();
    let hold = interrupt::hold();
    interrupt::catch(console);
    hold.act(move || interrupter.interrupt());
    match supervisor.wait() {
        Ok(Ending::Code { code, unrest, is_unreported }) => {
            let code = ExitCode::from_child(code);
            if is_unreported {
                let text = format!("cannot write the messages of the FMU process, which ended with exit code {}: ", code as u8);
                console.error(Code::UnwritableFile, &(text + code.meaning()));
            }
            after(console, code, unrest)
        }
        Ok(Ending::Killed) => ExitCode::Interrupted,
        Ok(Ending::Lost(lost)) => crash_report.report(console, lost),
        Err(error) => {
            console.error(Code::NoProcess, &format!("cannot determine how the FMU process ended: {error}"));
            ExitCode::Process
        }
    }
}

/// Returns the exit code of a finished verb. `unrest` means that the process failed afterwards, for example in exit handlers of
/// FMUs.
fn after(console: &Console, code: ExitCode, unrest: Option<ProcessEnd>) -> ExitCode {
    let Some(end) = unrest else { return code };
    let text = format!("the results are complete, but the FMU process failed at its end: {end}");
    console.error(Code::ProcessEnded, &text);
    if code == ExitCode::Done { ExitCode::Process } else { code }
}

/// Writes rows at their place in a file, or at the end of anything else (a pipe).
fn complete(path: &Path, rows: &LeftRows) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).open(path)?;
    if !file.metadata()?.is_file() {
        return file.write_all(&rows.text);
    }
    file.write_all_at(&rows.text, rows.start)?;
    rows.row_count().map_or(Ok(()), |(place, count)| file.write_all_at(&count.to_le_bytes(), place))
}

impl CrashReport {
    fn report(&self, console: &Console, lost: Lost) -> ExitCode {
        let rows = self.write(&lost.rows);
        let has_rows = rows.is_ok() && lost.rows.has_rows;
        let culprits = self.culprits.as_ref().filter(|_| lost.is_internal()).map_or_else(Vec::new, |culprits| culprits());
        let failure =
            if culprits.is_empty() { Failure::Lost(Box::new(lost)) } else { Failure::Damaged { fmus: culprits, end: lost.end } };
        let json = if self.is_json { data::print(&json::lines(&json::run(None, None, Some(&failure)))) } else { Ok(()) };
        let manifest = self.manifest.as_ref().map_or(Ok(()), |path| manifest::complete(path, &failure, self.rows.as_deref()));
        console.wipe_bar();
        if let Some(path) = self.rows.as_ref().filter(|_| has_rows) {
            console.say(Verbosity::Normal, &format!("the rows so far are in {}", path.display()));
        }
        console.fail(&failure);
        let report = self
            .report
            .as_ref()
            .map_or(Ok(()), |(system, path)| report::write(path, &self.subject(system, &failure), &Overlays::default()));
        [rows, json, manifest, report].into_iter().filter_map(Result::err).for_each(|failure| console.fail(&failure));
        failure.code()
    }

    /// Returns the content of the report: the manifest, if there is one.
    fn subject(&self, system: &Path, failure: &Failure) -> lotka_report::Subject {
        let read = self.manifest.as_ref().and_then(|path| manifest::read(path).ok());
        // A manifest with another error belongs to an earlier run.
        let read = read.filter(|document| document["outcome"]["error"] == failure.text());
        subject::of_run(read.unwrap_or_else(|| manifest::lost(system, failure, self.rows.as_deref())), None)
    }

    /// Writes the rows that the child was unable to write.
    fn write(&self, rows: &LeftRows) -> Result<(), Failure> {
        if rows.text.is_empty() {
            return Ok(());
        }
        let written = match &self.rows {
            Some(path) => complete(path, rows),
            None => data::stdout().and_then(|mut stdout| stdout.write_all(&rows.text).and_then(|()| stdout.flush())),
        };
        written.map_err(|source| Failure::Output { path: self.rows.clone(), source })
    }
}
