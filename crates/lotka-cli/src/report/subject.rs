//! The content of a report, from a run or from files.

use std::path::{Path, PathBuf};

use lotka::{FileIdentity, Memory, Results};
use lotka_report::{Subject, Table};
use serde_json::{Value, json};

use crate::{failure::Failure, manifest};

/// Describes a run that has just ended. The rows are in memory; those of a run that continued from a checkpoint are in their file.
pub(crate) fn of_run(document: Value, rows: Option<&Memory>) -> Subject {
    let mut subject = Subject { document, ..Subject::default() };
    match rows {
        Some(rows) => subject.table = Some(Table::of_memory(rows, &subject.document["columns"])),
        None => read_rows(&mut subject),
    }
    subject
}

/// Describes a run that has begun.
pub(crate) fn begun(document: Value) -> Subject {
    Subject { document, ..Subject::default() }
}

/// Reads an earlier run from its manifest or its results.
///
/// # Errors
/// The file cannot be read, or is neither.
pub(super) fn read(path: &Path) -> Result<Subject, Failure> {
    if !manifest::is_manifest(path) {
        let results = Results::open(path)?;
        let table = Some(Table::of_results(&results, &Value::Null));
        let document = json!({ "name": path.file_name().map(|name| name.to_string_lossy()) });
        return Ok(Subject { document, table, notes: unfinished(&results) });
    }
    let mut subject = Subject { document: manifest::read(path)?, ..Subject::default() };
    read_rows(&mut subject);
    Ok(subject)
}

/// Reads the rows that the manifest names.
fn read_rows(subject: &mut Subject) {
    let Some(name) = subject.document["result"]["path"].as_str() else {
        let outcome = &subject.document["outcome"];
        let note = match outcome["error"].is_string() && outcome["time"].is_null() {
            true => "no rows: they were in memory and lost with the process; pass --output-file to keep rows in a file",
            false => "there are no rows: they went to no file; pass --output-file or --report when you run the system",
        };
        subject.notes.push(note.to_owned());
        return;
    };
    let path = place(subject, name);
    let hash = &subject.document["result"]["sha256"];
    if hash.is_string() && FileIdentity::of(&path).sha256.as_deref() != hash.as_str() {
        subject.notes.push(format!("{}: missing, or changed since the run; the report omits its rows", path.display()));
        return;
    }
    match Results::open(&path) {
        Ok(results) => {
            subject.table = Some(Table::of_results(&results, &subject.document["columns"]));
            subject.notes.extend(unfinished(&results));
        }
        Err(error) => subject.notes.push(format!("the report omits the rows: {error}")),
    }
}

/// Returns the files that the run needed or wrote, which the report must not replace.
pub(super) fn files(subject: &Subject) -> Vec<PathBuf> {
    let lists = ["fmus", "sources"].map(|key| subject.document[key].as_array().map(Vec::as_slice).unwrap_or_default());
    let single = ["system", "result"].map(|key| &subject.document[key]);
    let entries = lists.into_iter().flatten().chain(single);
    entries.filter_map(|entry| entry["path"].as_str()).map(|name| place(subject, name)).collect()
}

/// Returns the path of a file that the command line named.
fn place(subject: &Subject, name: &str) -> PathBuf {
    Path::new(subject.document["folder"].as_str().unwrap_or_default()).join(name)
}

fn unfinished(results: &Results) -> Vec<String> {
    results.unfinished().iter().map(|last| format!("the rows: {last}")).collect()
}
