//! `lotka compare`: compares two results files, or the manifests of two runs. Start reading at [`run`].

mod manifests;
mod rows;

use std::path::{Path, PathBuf};

use lotka::{Code, ComparisonSettings, Results, Warning};

use crate::{console::Console, data, exit::ExitCode, failure::Failure, manifest::is_manifest};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// File with results, or manifest of a run.
    first: PathBuf,
    /// Another file of the same kind.
    second: PathBuf,
    /// Accept this relative difference.
    ///
    /// Values agree if |a - b| <= REL max(|a|, |b|, s), where s is a thousandth of the largest value of the column.
    #[arg(long, value_name = "REL", value_parser = tolerance, default_value = "0")]
    tolerance: f64,
    /// Accept this absolute difference.
    ///
    /// Values then agree if |a - b| <= max(ABS, REL max(|a|, |b|)).
    #[arg(long, value_name = "ABS", value_parser = tolerance)]
    absolute_tolerance: Option<f64>,
    /// Compare this column only; can be given several times.
    #[arg(long, value_name = "NAME")]
    variable: Vec<String>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Result of a comparison: the text to print, and whether both files agree.
struct Compared {
    text: String,
    is_equal: bool,
}

/// Compares two files and prints the differences to stdout.
pub(crate) fn run(arguments: &Arguments, console: &Console) -> Result<ExitCode, Failure> {
    let compared = match (is_manifest(&arguments.first), is_manifest(&arguments.second)) {
        (true, true) => manifests::compare(arguments, console)?,
        (false, false) => rows::compare(arguments, console)?,
        _ => {
            return Err(Failure::Usage {
                code: Code::WrongKindOfFile,
                reason: "a manifest can only be compared with a manifest".to_owned(),
            });
        }
    };
    data::print(&compared.text)?;
    Ok(if compared.is_equal { ExitCode::Done } else { ExitCode::Comparison })
}

impl Arguments {
    fn settings(&self) -> ComparisonSettings {
        ComparisonSettings { relative: self.tolerance, absolute: self.absolute_tolerance, variables: self.variable.clone() }
    }
}

/// Reads a results file, and warns if its last line has no line end.
fn open(path: &Path, console: &Console) -> Result<Results, Failure> {
    let results = Results::open(path)?;
    if let Some(last) = results.unfinished() {
        console.warn(&Warning::new(Code::UnfinishedLine, format!("{}: {last}", path.display())));
    }
    Ok(results)
}

fn tolerance(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0);
    number.ok_or_else(|| "expected a number, 0 or greater".to_owned())
}
