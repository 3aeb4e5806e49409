//! The document of a manifest, from the beginning of a run to its end.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Instant,
};

use lotka::{FileDigest, FileIdentity, Notification, Observer, Results, System, command::replace_file};
use lotka_report::History;
use serde_json::{Value, json};

use super::surroundings;
use crate::{failure::Failure, graph, json, outcome::Outcome, request::Arguments};

/// Value of `format` in the document.
pub(super) const FORMAT: &str = "lotka-manifest-1";

/// The manifest of a run. It is written three times: when the command begins, when the files are known, and at the end. A run
/// that was killed leaves a manifest without an end. A run that continues from a checkpoint changes the manifest only after the
/// checkpoint is accepted. If only a report is requested, the manifest is not written.
pub(crate) struct Manifest {
    path: Option<PathBuf>,
    document: Value,
    history: History,
    /// Whether an earlier file at the path may be replaced.
    is_begun: bool,
    begun: Instant,
    output: Option<PathBuf>,
    rows: u64,
    source: RowSource,
}

/// Where the final size and hash of the rows come from.
enum RowSource {
    /// There are no rows.
    None,
    /// All rows were seen while they were written.
    Seen(FileDigest),
    /// The rows must be read from their file, because some are older than this process.
    File,
}

impl Manifest {
    /// Begins the manifest that the arguments request. `goes_on` means that the run continues from a checkpoint.
    ///
    /// # Errors
    /// The file cannot be written, or the run needs the file at this path.
    pub(crate) fn begin(arguments: &Arguments, goes_on: bool) -> Result<Option<Self>, Failure> {
        let path = arguments.manifest.clone();
        if path.is_none() && arguments.report.is_none() {
            return Ok(None);
        }
        arguments.check_written()?;
        let manifest = Self {
            path,
            document: opening(&arguments.system),
            history: History::default(),
            is_begun: !goes_on,
            begun: Instant::now(),
            output: arguments.output_file.clone(),
            rows: 0,
            source: RowSource::None,
        };
        manifest.write()?;
        Ok(Some(manifest))
    }

    /// Adds files and settings.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn describe(&mut self, system: &System) -> Result<(), Failure> {
        extend(&mut self.document, to_json(&system.manifest()));
        self.document["versions"]["rustc"] = env!("RUSTC_VERSION").into();
        // If the system is inconsistent, the run reports it.
        self.document["picture"] = graph::picture(system).ok().into();
        self.write()
    }

    /// Adds the description of the chosen algorithm.
    pub(crate) fn set_algorithm(&mut self, algorithm: &str) {
        self.document["algorithm"] = algorithm.into();
    }

    /// Expects rows from here on. Without a digest, or if the file already contains rows, the file is read at the end.
    pub(crate) fn set_rows(&mut self, digest: Option<FileDigest>) {
        self.source = digest.map_or(RowSource::File, RowSource::Seen);
    }

    /// Adds how the run ended, and its results.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn finish(&mut self, outcome: &Outcome) -> Result<(), Failure> {
        self.document["steps"] = self.history.document();
        self.document["wall_time"] = self.begun.elapsed().as_secs_f64().into();
        self.document["outcome"] = json::run(outcome.report.as_ref(), outcome.rough.as_ref(), outcome.failures.first());
        self.document["outcome"]["exit_code"] = (outcome.code() as u8).into();
        // If writing failed, the file was cut to whole rows.
        let has_failed = outcome.failures.iter().any(|failure| matches!(failure, Failure::Output { .. }));
        let result = match (&self.source, &self.output) {
            (RowSource::None, _) => None,
            (RowSource::Seen(_), Some(path)) if has_failed && path.is_file() => in_file(path),
            (RowSource::Seen(digest), path) => Some(self.seen(digest, path.as_deref())),
            (RowSource::File, path) => path.as_deref().and_then(in_file),
        };
        self.document["result"] = result.unwrap_or_default();
        self.write()
    }

    /// Returns the manifest so far.
    pub(crate) fn document(&self) -> &Value {
        &self.document
    }

    /// Returns the manifest.
    pub(crate) fn into_document(self) -> Value {
        self.document
    }

    fn seen(&self, digest: &FileDigest, path: Option<&Path>) -> Value {
        let mut result = to_json(&digest.identity(path.unwrap_or(Path::new(""))));
        result["rows"] = self.rows.into();
        if path.is_none() {
            result["path"] = Value::Null;
        }
        result
    }

    fn write(&self) -> Result<(), Failure> {
        self.path.as_ref().filter(|_| self.is_begun).map_or(Ok(()), |path| write(path, &self.document))
    }
}

fn write(path: &Path, document: &Value) -> Result<(), Failure> {
    replace_file(path, json::compact_lines(document).as_bytes())
        .map_err(|source| Failure::Manifest { path: path.to_owned(), source })
}

/// Adds the end to the manifest of a run that lost its process; `rows` is the file with the remaining rows. A manifest that
/// already has an end belongs to an earlier run and is not changed.
///
/// # Errors
/// The file cannot be read or written.
pub(crate) fn complete(path: &Path, failure: &Failure, rows: Option<&Path>) -> Result<(), Failure> {
    let failed = |source| Failure::Manifest { path: path.to_owned(), source };
    let bytes = fs::read(path).map_err(failed)?;
    let mut document: Value = serde_json::from_slice(&bytes).map_err(|error| failed(error.into()))?;
    if document.get("outcome").is_some() {
        return Ok(());
    }
    conclude(&mut document, failure, rows);
    write(path, &document)
}

/// Returns what is known about a run that lost its process and has no manifest.
pub(crate) fn lost(system: &Path, failure: &Failure, rows: Option<&Path>) -> Value {
    let mut document = opening(system);
    conclude(&mut document, failure, rows);
    document
}

/// Returns what is known before the run.
fn opening(system: &Path) -> Value {
    let mut document = json!({ "format": FORMAT, "name": name(system) });
    extend(&mut document, surroundings::describe());
    document["system"] = to_json(&FileIdentity::of(system));
    document
}

/// Adds the end of a run that lost its process.
fn conclude(document: &mut Value, failure: &Failure, rows: Option<&Path>) {
    let begun = document["started"].as_str().and_then(|text| humantime::parse_rfc3339(text).ok());
    let elapsed = begun.and_then(|begun| begun.elapsed().ok());
    document["wall_time"] = elapsed.map(|time| time.as_secs_f64()).into();
    document["outcome"] = json::run(None, None, Some(failure));
    document["outcome"]["exit_code"] = (failure.code() as u8).into();
    document["result"] = rows.and_then(in_file).unwrap_or_default();
}

/// Describes the rows in a file; `None` if they cannot be read.
fn in_file(path: &Path) -> Option<Value> {
    let rows = Results::open(path).ok()?.time().len();
    let mut result = to_json(&FileIdentity::of(path));
    result["rows"] = rows.into();
    Some(result)
}

/// Counts the rows, records the history of the run, and begins the manifest when a checkpoint is accepted.
impl Observer for Manifest {
    fn observe(&mut self, notification: &Notification<'_>) {
        self.history.observe(notification);
        if let Notification::Started { columns, .. } | Notification::Resumed { columns, .. } = notification {
            let about = columns.iter().map(|column| (column.name.clone(), to_json(column)));
            self.document["columns"] = Value::Object(about.collect());
        }
        match notification {
            Notification::Row(_) => self.rows += 1,
            Notification::Resumed { .. } => {
                self.is_begun = true;
                // If it cannot be written at the end either, the command reports that.
                let _ = self.write();
            }
            _ => {}
        }
    }
}

/// Returns the name of a system: that of its file, or that of its folder if the file is called `system`.
fn name(system: &Path) -> Option<String> {
    let text = |name: Option<&std::ffi::OsStr>| name.map(|name| name.to_string_lossy().into_owned());
    let stem = text(system.file_stem());
    let folder = || fs::canonicalize(system).ok().and_then(|path| text(path.parent()?.file_name()));
    if stem.as_deref() == Some("system") { folder().or(stem) } else { stem }
}

/// Adds the entries of another object.
fn extend(document: &mut Value, more: Value) {
    if let (Value::Object(document), Value::Object(more)) = (document, more) {
        document.extend(more);
    }
}

/// Converts a description from the library to JSON. Its keys are texts, so this always succeeds.
fn to_json(value: &impl serde::Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_an_earlier_run_is_not_replaced() {
        let path = std::env::temp_dir().join(format!("lotka-manifest-{}", std::process::id()));
        let outcome = |document: &Value| {
            write(&path, document).unwrap_or_else(|failure| panic!("{}", failure.text()));
            let failure = Failure::Usage { code: lotka::Code::WrongUsage, reason: "lost".to_owned() };
            complete(&path, &failure, None).unwrap_or_else(|failure| panic!("{}", failure.text()));
            let text = fs::read_to_string(&path).unwrap_or_default();
            serde_json::from_str::<Value>(&text).map(|document| document["outcome"].clone()).unwrap_or_default()
        };
        assert_eq!(outcome(&json!({ "format": FORMAT }))["error"], "lost");
        let earlier = json!({ "format": FORMAT, "outcome": { "end": "stop-time" } });
        assert_eq!(outcome(&earlier), earlier["outcome"]);
        assert!(fs::remove_file(&path).is_ok());
    }
}
