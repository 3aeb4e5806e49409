//! `lotka check FMU --hostile`: what the FMU does to its surroundings, as a page and as JSON.
//!
//! The command starts itself again with a home folder and a folder for temporary files that nothing else uses, and removes them
//! afterwards.

use std::{env, fs, io, path::Path, process::Command};

use lotka::{Code, Error, FmuFolder, HostileItem, HostileOptions, HostileReport, HostileVerdict, fmi2::description::Severity};
use serde_json::{Value, json};

use super::{arguments::Arguments, findings::Findings, probe};
use crate::{
    console::Console,
    data,
    exit::ExitCode,
    failure::Failure,
    interrupt, json,
    kind::Kind,
    platform::terminate,
    table::{self, row},
};

/// Longer explanations are cut: an FMU decides what is in them.
const LONGEST: usize = 300;

/// The flag of the command that runs the FMU.
pub(super) const SITE: &str = "--site";

/// Watches the FMU, or has a command in a folder of its own watch it.
pub(super) fn check(arguments: &Arguments, console: &Console) -> Result<ExitCode, Failure> {
    if Kind::of(&arguments.path) == Kind::System {
        let reason = format!("--hostile is for FMUs; use `lotka run --sandbox` for the system {}", arguments.path.display());
        return Err(Failure::Usage { code: Code::WrongKindOfFile, reason });
    }
    match &arguments.site {
        Some(site) => watch(arguments, site, console),
        None => {
            probe::time_limit(arguments)?;
            let site = FmuFolder::new().map_err(Error::Fmu)?;
            elsewhere(site.path(), console).map_err(|source| Failure::System { path: site.path().to_owned(), source })
        }
    }
}

/// Has the same command watch the FMU in this folder.
fn elsewhere(site: &Path, console: &Console) -> io::Result<ExitCode> {
    let folders = ["home", "tmp"].map(|name| site.join(name));
    folders.iter().try_for_each(fs::create_dir)?;
    let [home, tmp] = folders;
    let mut command = Command::new(env::current_exe()?);
    command.args(env::args_os().skip(1)).arg(SITE).arg(site).env("HOME", home).env("TMPDIR", tmp);
    for name in ["XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"] {
        command.env_remove(name);
    }
    let signals = interrupt::hold();
    interrupt::catch(console);
    let mut child = command.spawn()?;
    signals.act(terminate(&child));
    let code = child.wait()?.code();
    Ok(code.map_or(ExitCode::Process, |code| u8::try_from(code).map_or(ExitCode::Internal, ExitCode::from_child)))
}

fn watch(arguments: &Arguments, site: &Path, console: &Console) -> Result<ExitCode, Failure> {
    let mut findings = Findings::of_fmu(lotka::check_fmu_file(&arguments.path)?);
    if arguments.strict {
        findings.be_strict();
    }
    let is_usable = findings.count(Severity::Error) == 0;
    let options = HostileOptions { time_limit: probe::time_limit(arguments)?, host_program: None, site: site.to_owned() };
    let report = is_usable.then(|| lotka::probe_hostile(&arguments.path, &options));
    print(arguments, console, &findings, report.as_ref())?;
    Ok(report.as_ref().map_or(ExitCode::Fmu, exit_code))
}

/// The exit code for a report; an FMU that could not be watched has that of the reason.
fn exit_code(report: &HostileReport) -> ExitCode {
    match &report.failure {
        Some(_) if report.process_ended => ExitCode::Process,
        Some(_) => ExitCode::Fmu,
        None if report.count(HostileVerdict::Found) > 0 => ExitCode::Limited,
        None => ExitCode::Done,
    }
}

fn print(arguments: &Arguments, console: &Console, findings: &Findings, report: Option<&HostileReport>) -> Result<(), Failure> {
    if arguments.json {
        let mut object = findings.json(&arguments.path);
        object["hostile"] = report.map(json).into();
        return data::print(&json::lines(&object));
    }
    findings.show(&arguments.path, console);
    let path = arguments.path.display();
    match report {
        Some(report) => data::print(&format!("{path}: {}", page(report))),
        None => {
            console.conclude(&format!("{path}: {}", findings.summary()));
            Ok(())
        }
    }
}

/// Formats a summary, how the FMU ran, and a line for each question.
fn page(report: &HostileReport) -> String {
    use HostileVerdict::{Found, NotDeclared, NotSeen, Note, Unknown};
    let is_shown = |verdict: &HostileVerdict| *verdict == Found || report.count(*verdict) > 0;
    let counts = [Found, Note, NotSeen, NotDeclared, Unknown].into_iter().filter(is_shown);
    let counts: Vec<_> = counts.map(|verdict| format!("{} {}", report.count(verdict), verdict.name())).collect();
    let line = |item: &HostileItem| row([item.name, item.verdict.name(), &harmless(&item.explanation)]);
    let lines = table::columns("  ", &report.items.iter().map(line).collect::<Vec<_>>());
    format!("{}\n{}\n{lines}", counts.join(", "), harmless(&report.way))
}

/// Text in which an FMU had a say.
fn harmless(text: &str) -> String {
    table::shortened(&table::clean(text), Some(LONGEST))
}

fn json(report: &HostileReport) -> Value {
    let item = |item: &HostileItem| json!({ "name": item.name, "verdict": item.verdict.name(), "explanation": item.explanation });
    json!({
        "way": report.way,
        "sandbox": report.is_confined,
        "failure": report.failure,
        "found": report.count(HostileVerdict::Found),
        "notes": report.count(HostileVerdict::Note),
        "not_seen": report.count(HostileVerdict::NotSeen),
        "not_declared": report.count(HostileVerdict::NotDeclared),
        "unknown": report.count(HostileVerdict::Unknown),
        "items": report.items.iter().map(item).collect::<Vec<_>>(),
    })
}
