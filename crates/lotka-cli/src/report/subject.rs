//! The content of a report, from a run or from files.

use std::{
    collections::HashSet,
    path::{Path, PathBuf},
};

use lotka::{Code, FileIdentity, Memory, Results};
use lotka_report::{Run, Subject, Table};
use serde_json::{Value, json};

use crate::{failure::Failure, manifest};

/// Describes a run that has just ended. The rows are in memory; those of a run that continued from a checkpoint are in their
/// file.
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
pub(crate) fn read(path: &Path) -> Result<Subject, Failure> {
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

/// The rows of other runs, with names that tell them from each other.
#[derive(Default)]
pub(crate) struct Overlays {
    pub(crate) tables: Vec<(String, Table)>,
    /// What is wrong with the files.
    pub(crate) notes: Vec<String>,
}

impl Overlays {
    /// Returns them as runs to draw.
    pub(crate) fn runs(&self) -> Vec<Run<'_>> {
        self.tables.iter().map(|(name, table)| Run { name, table }).collect()
    }
}

/// Reads files of results, or the rows that manifests name.
///
/// # Errors
/// A file cannot be read, or has no rows.
pub(crate) fn overlays(paths: &[PathBuf]) -> Result<Overlays, Failure> {
    let mut overlays = Overlays::default();
    for (path, name) in paths.iter().zip(short_names(paths)) {
        let subject = read(path)?;
        overlays.notes.extend(subject.notes.iter().map(|note| format!("{}: {note}", path.display())));
        let Some(table) = subject.table.filter(|table| !table.time.is_empty()) else {
            let reason = format!("{} has no rows to plot", path.display());
            return Err(Failure::Usage { code: Code::NothingToPlot, reason });
        };
        overlays.tables.push((name, table));
    }
    Ok(overlays)
}

/// Returns the shortest ends of some paths that tell them from each other.
fn short_names(paths: &[PathBuf]) -> Vec<String> {
    let ends = |count: usize| {
        let end = |path: &PathBuf| {
            let parts: Vec<_> = path.components().collect();
            parts[parts.len().saturating_sub(count)..].iter().collect::<PathBuf>().display().to_string()
        };
        paths.iter().map(end).collect::<Vec<_>>()
    };
    let longest = paths.iter().map(|path| path.components().count()).max().unwrap_or(1);
    let are_different = |names: &Vec<String>| names.iter().collect::<HashSet<_>>().len() == names.len();
    (1..=longest).map(ends).find(are_different).unwrap_or_else(|| {
        // The same file twice.
        ends(1).into_iter().enumerate().map(|(number, name)| format!("{name} {}", number + 1)).collect()
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_as_short_as_they_can_be() {
        let of = |paths: &[&str]| short_names(&paths.iter().map(PathBuf::from).collect::<Vec<_>>());
        assert_eq!(of(&["x/a.csv"]), ["a.csv"]);
        assert_eq!(of(&["x/a.csv", "y/b.csv"]), ["a.csv", "b.csv"]);
        assert_eq!(of(&["x/a.csv", "y/a.csv"]), ["x/a.csv", "y/a.csv"]);
        assert_eq!(of(&["a.csv", "a.csv"]), ["a.csv 1", "a.csv 2"]);
    }
}
