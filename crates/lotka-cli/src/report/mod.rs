//! `lotka report` and `lotka run --report`: write a run as one HTML file, with plots that can be zoomed.
//!
//! [`subject`] makes the content of a report from a run, a manifest or a results file; the crate `lotka-report` makes the page. Start reading
//! at [`run`].

pub(crate) mod subject;

use std::path::{Path, PathBuf};

use lotka::{
    Code, Warning,
    command::{is_archive, replace_file},
};
use lotka_report::Subject;
use subject::Overlays;

use crate::{console::Console, console_flags::Verbosity, exit::ExitCode, failure::Failure, paths};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Manifest of `lotka run --manifest`, or file of results.
    ///
    /// Results are CSV, .mat or .parquet files.
    run: PathBuf,
    /// Write the report here [default: the name of RUN with the extension .html].
    #[arg(short, long, visible_alias = "output", value_name = "HTML")]
    output_file: Option<PathBuf>,
    /// Draw the rows of this file over those of the run; can be given several times.
    ///
    /// Another run in dashed lines: a file of results, or a manifest.
    #[arg(long, value_name = "ROWS")]
    overlay: Vec<PathBuf>,
}

/// Writes the report of an earlier run.
pub(crate) fn run(arguments: &Arguments, console: &Console) -> ExitCode {
    console.end(report(arguments, console).map(|()| ExitCode::Done))
}

fn report(arguments: &Arguments, console: &Console) -> Result<(), Failure> {
    let path = arguments.output_file.clone().unwrap_or_else(|| arguments.run.with_extension("html"));
    let subject = subject::read(&arguments.run)?;
    let overlays = subject::overlays(&arguments.overlay)?;
    let is_needed = subject::files(&subject)
        .iter()
        .chain([&arguments.run])
        .chain(&arguments.overlay)
        .any(|file| paths::is_same_file(&path, file));
    if is_needed || is_archive(&path) {
        let reason = format!("the report reads {}; choose another file with --output-file", path.display());
        return Err(Failure::Usage { code: Code::WouldOverwrite, reason });
    }
    subject.notes.iter().chain(&overlays.notes).for_each(|note| console.warn(&Warning::new(Code::ReportIncomplete, note)));
    write(&path, &subject, &overlays)?;
    console.say(Verbosity::Normal, &format!("the report is in {}", path.display()));
    Ok(())
}

/// Writes a report, with the rows of other runs over those of the subject.
///
/// # Errors
/// The file cannot be written.
pub(crate) fn write(path: &Path, subject: &Subject, overlays: &Overlays) -> Result<(), Failure> {
    let text = lotka_report::html_over(subject, &overlays.runs());
    replace_file(path, text.as_bytes()).map_err(|source| Failure::Report { path: path.to_owned(), source })
}
