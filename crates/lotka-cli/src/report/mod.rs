//! `lotka report` and `lotka run --report`: write a run as one HTML file, with plots that can be zoomed.
//!
//! [`subject`] makes the content of a report from a run, a manifest or a results file; the crate `lotka-report` makes the page.
//! Start reading at [`run`].

pub(crate) mod subject;

use std::path::{Path, PathBuf};

use lotka::{
    Code, SweepRecords, Warning,
    command::{is_archive, replace_file},
};
use lotka_report::Subject;
use subject::Overlays;

use crate::{console::Console, console_flags::Verbosity, failure::Failure, paths};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Manifest of a run, file of results, or records of a study.
    ///
    /// `lotka run --manifest` writes manifests, `lotka sweep` records: one file, or one for each shard. Results are CSV, .mat,
    /// .parquet or .arrow files.
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
    /// Write the report here [default: the name of the first RUN with the extension .html].
    #[arg(short, long, visible_alias = "output", value_name = "HTML")]
    output_file: Option<PathBuf>,
    /// Draw the rows of this file over those of the run; can be given several times.
    ///
    /// Another run in dashed lines: a file of results, or a manifest.
    #[arg(long, value_name = "ROWS")]
    overlay: Vec<PathBuf>,
}

/// Writes the report of an earlier run.
pub(crate) fn run(arguments: &Arguments, console: &Console) -> Result<(), Failure> {
    let first = &arguments.runs[0];
    let path = arguments.output_file.clone().unwrap_or_else(|| first.with_extension("html"));
    if SweepRecords::is_in(first) {
        if let Some(other) = arguments.overlay.first() {
            let reason =
                format!("{} has the records of a study, which have no rows to draw {} over", first.display(), other.display());
            return Err(misused(format!("{reason}; remove --overlay")));
        }
        refuse_inputs(&path, arguments.runs.iter())?;
        return write_study(&path, &name_of(first), &arguments.runs, console);
    }
    if let Some(second) = arguments.runs.get(1) {
        return Err(misused(format!("a report is about one run; to draw {} over it, pass --overlay {0}", second.display())));
    }
    let subject = subject::read(first)?;
    let overlays = subject::overlays(&arguments.overlay)?;
    refuse_inputs(&path, subject::files(&subject).iter().chain([first]).chain(&arguments.overlay))?;
    subject.notes.iter().chain(&overlays.notes).for_each(|note| console.warn(&Warning::new(Code::ReportIncomplete, note)));
    write(&path, &subject, &overlays)?;
    console.say(Verbosity::Normal, &format!("the report is in {}", path.display()));
    Ok(())
}

/// Refuses to write the report over a file that it reads.
fn refuse_inputs<'a>(path: &Path, mut inputs: impl Iterator<Item = &'a PathBuf>) -> Result<(), Failure> {
    if inputs.any(|file| paths::is_same_file(path, file)) || is_archive(path) {
        let reason = format!("{} is an input or an archive; choose another file with --output-file", path.display());
        return Err(Failure::Usage { code: Code::WouldOverwrite, reason });
    }
    Ok(())
}

fn misused(reason: String) -> Failure {
    Failure::Usage { code: Code::WrongUsage, reason }
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Writes the report of a study, from the records in these files.
///
/// # Errors
/// A file has no records of this study, or the report cannot be written.
pub(crate) fn write_study(path: &Path, name: &str, files: &[PathBuf], console: &Console) -> Result<(), Failure> {
    let text = lotka_report::study_html(name, &SweepRecords::read(files)?, &[]);
    replace_file(path, text.as_bytes()).map_err(|source| Failure::Report { path: path.to_owned(), source })?;
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
