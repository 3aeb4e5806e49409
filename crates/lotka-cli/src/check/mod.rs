//! `lotka check`: everything that can go wrong before a run.

mod findings;

use std::path::PathBuf;

use lotka::{System, description::Severity};

use crate::{
    console::{Console, Verbosity},
    data,
    exit::ExitCode,
    failure::Failure,
    json,
    kind::Kind,
};
use findings::Findings;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// FMU or system file.
    path: PathBuf,
    /// Warnings are errors, too; notes never are.
    #[arg(long)]
    strict: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Checks an FMU or a system. Findings go to stderr, one sentence that all is well to stdout; with `--json` all goes to stdout.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let console = Console::new(Verbosity::Normal);
    check(arguments, &console).unwrap_or_else(|failure| {
        console.fail(&failure);
        failure.code()
    })
}

fn check(arguments: &Arguments, console: &Console) -> Result<ExitCode, Failure> {
    let (mut findings, code) = match Kind::of(&arguments.path) {
        Kind::Fmu => (Findings::of_fmu(lotka::check_fmu(&arguments.path)?), ExitCode::Fmu),
        Kind::System => (Findings::of_system(System::from_file(&arguments.path)?.build()?.warnings()), ExitCode::System),
    };
    if arguments.strict {
        findings.be_strict();
    }
    let sentence = format!("{}: {}\n", arguments.path.display(), findings.summary());
    let is_usable = findings.count(Severity::Error) == 0;
    if arguments.json {
        data::print(&json::lines(&findings.json(&arguments.path)))?;
    } else {
        findings.lines(&arguments.path).iter().for_each(|line| console.say(Verbosity::Quiet, line));
        match is_usable {
            true => data::print(&sentence)?,
            false => console.say(Verbosity::Quiet, &format!("error: {}", sentence.trim_end())),
        }
    }
    Ok(if is_usable { ExitCode::Done } else { code })
}
