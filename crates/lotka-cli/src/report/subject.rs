//! The content of a report.

use std::path::{Path, PathBuf};

use lotka::{FileIdentity, Memory, Results};
use serde_json::{Value, json};

use super::table::Table;
use crate::{failure::Failure, manifest};

/// A run, as far as it is known.
#[derive(Debug, Default)]
pub(crate) struct Subject {
    /// The manifest; for a results file, little more than its name.
    pub(super) document: Value,
    pub(super) table: Option<Table>,
    /// Notes on missing parts.
    pub(super) notes: Vec<String>,
}

impl Subject {
    /// Describes a run that has just ended. The rows are in memory; those of a run that continued from a checkpoint are in their file.
    pub(crate) fn of_run(document: Value, rows: Option<&Memory>) -> Self {
        let mut subject = Self { document, ..Self::default() };
        match rows {
            Some(rows) => subject.table = Some(Table::of_memory(rows, &subject.document["columns"])),
            None => subject.read_rows(),
        }
        subject
    }

    /// Describes a run that has begun.
    pub(crate) fn begun(document: Value) -> Self {
        Self { document, ..Self::default() }
    }

    /// Reads an earlier run from its manifest or its results.
    ///
    /// # Errors
    /// The file cannot be read, or is neither.
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        if !manifest::is_manifest(path) {
            let results = Results::open(path)?;
            let table = Some(Table::of_results(&results, &Value::Null));
            let document = json!({ "name": path.file_name().map(|name| name.to_string_lossy()) });
            return Ok(Self { document, table, notes: unfinished(&results) });
        }
        let mut subject = Self { document: manifest::read(path)?, ..Self::default() };
        subject.read_rows();
        Ok(subject)
    }

    /// Reads the rows that the manifest names.
    fn read_rows(&mut self) {
        let Some(name) = self.document["result"]["path"].as_str() else {
            let outcome = &self.document["outcome"];
            let note = match outcome["error"].is_string() && outcome["time"].is_null() {
                true => "no rows: they were in memory and lost with the process; pass --output-file to keep rows in a file",
                false => "there are no rows: they went to no file; pass --output-file or --report when you run the system",
            };
            self.notes.push(note.to_owned());
            return;
        };
        let path = self.place(name);
        let hash = &self.document["result"]["sha256"];
        if hash.is_string() && FileIdentity::of(&path).sha256.as_deref() != hash.as_str() {
            self.notes.push(format!("{}: missing, or changed since the run; the report omits its rows", path.display()));
            return;
        }
        match Results::open(&path) {
            Ok(results) => {
                self.table = Some(Table::of_results(&results, &self.document["columns"]));
                self.notes.extend(unfinished(&results));
            }
            Err(error) => self.notes.push(format!("the report omits the rows: {error}")),
        }
    }

    /// Returns the files that the run needed or wrote, which the report must not replace.
    pub(super) fn files(&self) -> Vec<PathBuf> {
        let lists = ["fmus", "sources"].map(|key| self.document[key].as_array().map(Vec::as_slice).unwrap_or_default());
        let single = ["system", "result"].map(|key| &self.document[key]);
        let entries = lists.into_iter().flatten().chain(single);
        entries.filter_map(|entry| entry["path"].as_str()).map(|name| self.place(name)).collect()
    }

    /// Returns the path of a file that the command line named.
    fn place(&self, name: &str) -> PathBuf {
        Path::new(self.document["folder"].as_str().unwrap_or_default()).join(name)
    }
}

fn unfinished(results: &Results) -> Vec<String> {
    results.unfinished().iter().map(|last| format!("the rows: {last}")).collect()
}
