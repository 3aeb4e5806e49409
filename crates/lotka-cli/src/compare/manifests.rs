//! Comparison of the manifests of two runs.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use lotka::{Comparison, FileIdentity};
use serde_json::{Value, json};

use super::{Arguments, Compared, open, rows};
use crate::{console::Console, failure::Failure, json, manifest::read, table};

/// An entry that differs: its name and both values.
struct Change {
    name: String,
    values: [String; 2],
    /// Whether the difference counts. Files, settings, end and results count; user, time and machine do not.
    counts: bool,
}

pub(super) fn compare(arguments: &Arguments, console: &Console) -> Result<Compared, Failure> {
    let paths = [&arguments.first, &arguments.second];
    let documents = [read(paths[0])?, read(paths[1])?];
    let files = paths.map(|path| path.display().to_string());
    let results = match lacking(&documents, &files) {
        Some(reason) => Err(reason),
        None => Ok(results(&documents, arguments, console)?),
    };
    let same_hash = documents[0]["result"]["sha256"] == documents[1]["result"]["sha256"];
    let are_results_equal = results.as_ref().is_ok_and(|rows| same_hash || rows.as_ref().is_some_and(Comparison::is_equal));
    let mut changes = changes(&documents);
    changes.retain(|change| !(are_results_equal && change.name == RESULT));
    let is_equal = are_results_equal && changes.iter().all(|change| !change.counts);
    let text = match arguments.json {
        true => json::lines(&object(&changes, &results, is_equal)),
        false => text(&changes, &results, is_equal, &files),
    };
    Ok(Compared { text, is_equal })
}

/// Result of comparing the rows: `Some` if the rows themselves were compared, `None` if only their hashes were. The error says
/// why there is nothing to compare.
type Rows = Result<Option<Comparison>, String>;

/// Returns why results cannot be compared, if a manifest has none.
fn lacking(documents: &[Value; 2], files: &[String; 2]) -> Option<String> {
    let lacks = documents.iter().zip(files).filter(|(document, _)| !document["result"]["sha256"].is_string());
    let names: Vec<_> = lacks.map(|(_, file)| file.as_str()).collect();
    let reason = || {
        format!(
            "no results to compare: no hash of rows in {}; repeat the run to its end with --output-file",
            names.join(" and in ")
        )
    };
    (!names.is_empty()).then(reason)
}

/// Compares the rows themselves if there are tolerances or selected columns, and both files are unchanged.
fn results(documents: &[Value; 2], arguments: &Arguments, console: &Console) -> Result<Option<Comparison>, Failure> {
    let is_exact = arguments.tolerance == 0.0 && arguments.absolute_tolerance.is_none() && arguments.variable.is_empty();
    let (Some(first), Some(second)) = (unchanged(&documents[0]), unchanged(&documents[1])) else { return Ok(None) };
    if is_exact {
        return Ok(None);
    }
    Ok(Some(lotka::compare(&open(&first, console)?, &open(&second, console)?, &arguments.settings())))
}

/// Returns the file with the rows of a run, if it still exists and is unchanged.
fn unchanged(document: &Value) -> Option<PathBuf> {
    let path = Path::new(document["folder"].as_str().unwrap_or_default()).join(document["result"]["path"].as_str()?);
    let hash = FileIdentity::of(&path).sha256?;
    (document["result"]["sha256"] == hash.as_str()).then_some(path)
}

/// Name of the entry with the hash of the rows.
const RESULT: &str = "result.sha256";

/// Entries that count, besides FMUs, source files and settings.
const COUNTING: [&str; 4] = [RESULT, "system", "outcome.end", "outcome.exit_code"];

/// Returns the entries that differ; those that count come first.
fn changes(documents: &[Value; 2]) -> Vec<Change> {
    let entries = documents.each_ref().map(entries);
    let names: BTreeMap<_, _> = entries.iter().flatten().map(|(name, _)| (name, ())).collect();
    let differing = names.into_keys().filter(|name| entries[0].get(*name) != entries[1].get(*name));
    let change = |name: &String| Change {
        name: name.clone(),
        values: entries.each_ref().map(|entries| entries.get(name).cloned().unwrap_or_else(|| "–".to_owned())),
        counts: COUNTING.contains(&name.as_str()) || ["fmu of", "file of", "settings"].iter().any(|part| name.starts_with(part)),
    };
    let mut changes: Vec<_> = differing.map(change).collect();
    changes.sort_by_key(|change| !change.counts);
    changes
}

/// Returns the entries that say what was run, how, and with what result, each under its name.
fn entries(document: &Value) -> BTreeMap<String, String> {
    let mut entries = BTreeMap::new();
    entries.insert("system".to_owned(), value(&document["system"]["sha256"]));
    for fmu in document["fmus"].as_array().into_iter().flatten() {
        for instance in fmu["instances"].as_array().into_iter().flatten() {
            entries.insert(format!("fmu of {}", value(instance)), value(&fmu["sha256"]));
        }
    }
    for source in document["sources"].as_array().into_iter().flatten() {
        entries.insert(format!("file of {}", value(&source["name"])), value(&source["sha256"]));
    }
    entries.insert(RESULT.to_owned(), value(&document["result"]["sha256"]));
    entries.insert("result.rows".to_owned(), value(&document["result"]["rows"]));
    for part in ["end", "exit_code", "error", "statistics"] {
        flatten(&format!("outcome.{part}"), &document["outcome"][part], &mut entries);
    }
    for part in ["settings", "algorithm", "versions"] {
        flatten(part, &document[part], &mut entries);
    }
    entries
}

fn flatten(name: &str, document: &Value, entries: &mut BTreeMap<String, String>) {
    match document {
        Value::Object(parts) => parts.iter().for_each(|(key, part)| flatten(&format!("{name}.{key}"), part, entries)),
        Value::Array(parts) => {
            let named =
                |(index, part): (usize, &Value)| (part["name"].as_str().map_or(index.to_string(), str::to_owned), part.clone());
            parts.iter().enumerate().map(named).for_each(|(key, part)| flatten(&format!("{name}.{key}"), &part, entries));
        }
        other => drop(entries.insert(name.to_owned(), value(other))),
    }
}

/// Formats a value: text without quotes, a dash for a missing value.
fn value(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => "–".to_owned(),
        other => other.to_string(),
    }
}

fn text(changes: &[Change], results: &Rows, is_equal: bool, files: &[String; 2]) -> String {
    let line = |change: &Change| {
        let [first, second] = change.values.each_ref().map(|value| value.chars().take(40).collect());
        vec![change.name.clone(), first, second, if change.counts { String::new() } else { "(ignored)".to_owned() }]
    };
    let heads = [String::new(), files[0].clone(), files[1].clone()].to_vec();
    let lines: Vec<_> = std::iter::once(heads).chain(changes.iter().map(line)).collect();
    let mut text = if changes.is_empty() { String::new() } else { table::columns("  ", &lines) };
    match results {
        Ok(Some(results)) => text += &rows::text(results, &["the first result".to_owned(), "the second result".to_owned()]),
        Ok(None) => {}
        Err(reason) => text += &format!("{}\n", table::clean(reason)),
    }
    let verdict = if is_equal { "the runs are the same: files, settings, end and results" } else { "the runs are different" };
    format!("{text}{verdict}\n")
}

fn object(changes: &[Change], results: &Rows, is_equal: bool) -> Value {
    let change = |change: &Change| json!({ "entry": change.name, "values": change.values, "counts": change.counts });
    json!({
        "equal": is_equal,
        "differences": changes.iter().map(change).collect::<Vec<_>>(),
        "results": results.as_ref().ok().and_then(Option::as_ref).map(lotka_report::comparison),
        "reason": results.as_ref().err(),
    })
}
