//! `lotka check`: everything that can go wrong before a run.

use std::path::PathBuf;

use lotka::{System, Warning};

use crate::{
    console::{Console, Verbosity},
    data,
    exit::ExitCode,
    failure::Failure,
    kind::Kind,
};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// FMU or system file.
    path: PathBuf,
    /// Warnings are errors, too.
    #[arg(long)]
    strict: bool,
}

/// Checks an FMU or a system. Findings go to stderr, one sentence that all is well to stdout.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let console = Console::new(Verbosity::Normal);
    check(arguments, &console).unwrap_or_else(|failure| {
        console.fail(&failure);
        failure.code()
    })
}

fn check(arguments: &Arguments, console: &Console) -> Result<ExitCode, Failure> {
    let path = arguments.path.display();
    let (warnings, code) = warnings(arguments)?;
    for warning in &warnings {
        match arguments.strict {
            true => console.say(Verbosity::Quiet, &format!("error: {path}: {warning}")),
            false => console.warn(format!("{path}: {warning}")),
        }
    }
    if arguments.strict && !warnings.is_empty() {
        return Ok(code);
    }
    data::print(&match warnings.len() {
        0 => format!("{path}: no problems\n"),
        1 => format!("{path}: can be used, 1 warning\n"),
        count => format!("{path}: can be used, {count} warnings\n"),
    })?;
    Ok(ExitCode::Done)
}

/// The warnings, and the code if they count as errors.
fn warnings(arguments: &Arguments) -> Result<(Vec<Warning>, ExitCode), Failure> {
    Ok(match Kind::of(&arguments.path) {
        Kind::Fmu => (lotka::check_fmu(&arguments.path)?, ExitCode::Fmu),
        Kind::System => (System::from_file(&arguments.path)?.build()?.warnings().to_vec(), ExitCode::System),
    })
}
