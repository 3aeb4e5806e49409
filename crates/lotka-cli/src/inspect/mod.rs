//! `lotka inspect`: describes an FMU or a system, as text or JSON.

mod coupling;
mod fmu;
mod system;

use std::path::PathBuf;

use lotka::Warning;
use serde_json::Value;

use crate::{console::Console, data, exit::ExitCode, failure::Failure, json, kind::Kind, table};

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

/// The same description as text and as JSON.
struct Description {
    text: String,
    json: Value,
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

/// Returns the codes of warnings, in the order of their [`texts`].
fn codes(warnings: &[Warning]) -> Vec<&'static str> {
    warnings.iter().map(|warning| warning.code.as_str()).collect()
}

fn texts(warnings: &[Warning]) -> Vec<String> {
    warnings.iter().map(ToString::to_string).collect()
}

/// Returns a heading with lines under it, or nothing if there are no lines.
fn section(heading: &str, lines: &str) -> String {
    if lines.is_empty() { String::new() } else { format!("\n{heading}\n{lines}") }
}

fn warning_section(warnings: &[Warning]) -> String {
    let lines: String =
        warnings.iter().map(|warning| format!("  {}\n", warning.code.mark(&table::clean(&warning.text)))).collect();
    section("warnings", &lines)
}
