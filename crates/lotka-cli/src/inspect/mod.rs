//! `lotka inspect`: describes an FMU or a system, as text or JSON.

mod coupling;
mod description;
mod fmu;
mod system;

use std::path::PathBuf;

use crate::{console::Console, data, exit::ExitCode, failure::Failure, json, kind::Kind};
use description::Description;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// FMU or system file.
    path: PathBuf,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// List all variables of an FMU, not only the first 20 of each causality.
    #[arg(long)]
    all: bool,
    /// Analyze the coupling of a system; this loads and steps the FMUs.
    ///
    /// The analysis prints sensitivities, the convergence of iterations, and the largest stable steps.
    #[arg(long)]
    coupling: bool,
    /// Analyze with this step size [default: the fixed step, or an estimate].
    #[arg(long, value_name = "SECONDS", requires = "coupling")]
    step_size: Option<f64>,
}

impl Arguments {
    /// Returns whether FMUs are loaded, not only read.
    pub(crate) fn loads_fmus(&self) -> bool {
        self.coupling
    }
}

/// Describes an FMU or a system.
pub(crate) fn run(arguments: &Arguments, console: &Console) -> ExitCode {
    let shown = describe(arguments)
        .and_then(|description| data::print(&if arguments.json { json::lines(&description.json) } else { description.text }));
    console.end(shown.map(|()| ExitCode::Done))
}

fn describe(arguments: &Arguments) -> Result<Description, Failure> {
    if arguments.coupling {
        return Ok(coupling::describe(&arguments.path, arguments.step_size)?);
    }
    match Kind::of(&arguments.path) {
        Kind::Fmu => Ok(fmu::describe(&lotka::inspect_fmu(&arguments.path)?, arguments.all)),
        Kind::System => Ok(system::describe(&arguments.path)?),
    }
}
