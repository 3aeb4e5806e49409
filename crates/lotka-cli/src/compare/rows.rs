//! Comparison of two results files.

use std::{fmt::Write, path::Path};

use lotka::{Code, Comparison, Pairing, Results, VariableComparison, Verdict};

use super::{Arguments, Compared, open};
use crate::{console::Console, counted::counted, failure::Failure, json, table};

pub(super) fn compare(arguments: &Arguments, console: &Console) -> Result<Compared, Failure> {
    let (first, second) = (open(&arguments.first, console)?, open(&arguments.second, console)?);
    let is_unknown = |name: &&String| first.values(name).is_none() && second.values(name).is_none();
    if let Some(name) = arguments.variable.iter().find(is_unknown) {
        return Err(Failure::Usage { code: Code::UnknownColumn, reason: unknown(name, &first, &arguments.first) });
    }
    let found = lotka::compare(&first, &second, &arguments.settings());
    let files = [&arguments.first, &arguments.second].map(|path| table::clean(&path.display().to_string()));
    let text = if arguments.json { json::lines(&lotka_report::comparison(&found)) } else { text(&found, &files) };
    Ok(Compared { text, is_equal: found.is_equal() })
}

/// Maximum number of column names in an error message.
const MOST_NAMES: usize = 10;

fn unknown(name: &str, results: &Results, path: &Path) -> String {
    let columns = results.columns();
    let names: Vec<_> = columns.iter().take(MOST_NAMES).map(|column| column.name.as_str()).collect();
    let more = if columns.len() > MOST_NAMES { ", …" } else { "" };
    format!("neither file has a column `{name}`; {} has {}{more}", path.display(), names.join(", "))
}

/// Formats which rows were compared, a line per column, and the verdict.
pub(super) fn text(found: &Comparison, files: &[String; 2]) -> String {
    let mut text = format!("{}\n", pairing(found, files));
    if found.events[0] != found.events[1] {
        let [first, second] = found.events;
        let _ = writeln!(text, "{} has {first} events, {} has {second}", files[0], files[1]);
    }
    let mut rows = vec![table::row(["column", "", "largest difference", "relative", "at t [s]", "differs from t [s]"])];
    rows.extend(found.variables.iter().map(line));
    text += &table::columns("  ", &rows);
    found.variables.iter().for_each(|variable| text += &missing(variable, files));
    if found.n_left_out > 0 {
        let _ = writeln!(text, "{} columns with estimated errors ignored", found.n_left_out);
    }
    let differing = found.variables.iter().filter(|variable| !variable.verdict.is_equal()).count();
    let _ = match (differing, found.variables.iter().any(|variable| variable.verdict == Verdict::Within)) {
        (0, false) => writeln!(text, "equal"),
        (0, true) => writeln!(text, "equal within the tolerance"),
        _ => writeln!(text, "different: {differing} of {} columns", found.variables.len()),
    };
    text
}

/// Says on which side values of a column are missing.
fn missing(variable: &VariableComparison, files: &[String; 2]) -> String {
    let sides = variable.missing.iter().zip(files).filter(|(count, _)| **count > 0);
    let sides: Vec<_> = sides.map(|(&count, file)| format!("{} missing in {file}", counted(count as u64, "value"))).collect();
    if sides.is_empty() { String::new() } else { format!("{}: {}\n", table::clean(&variable.name), sides.join(", ")) }
}

fn pairing(found: &Comparison, files: &[String; 2]) -> String {
    match found.pairing {
        Pairing::RowByRow => format!("the same times: {} rows, row by row", found.rows[0]),
        Pairing::Interpolated { coarser, n_rows } => format!(
            "the times differ ({} and {} rows): {n_rows} rows of {}, against values of {} that are interpolated linearly",
            found.rows[0],
            found.rows[1],
            files[coarser],
            files[1 - coarser]
        ),
    }
}

fn line(variable: &VariableComparison) -> Vec<String> {
    let difference = |value: Option<f64>| value.map(|value| format!("{value:.1e}")).unwrap_or_default();
    let time = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
    let hides = variable.verdict == Verdict::Same;
    vec![
        variable.name.clone(),
        lotka_report::verdict(variable.verdict).replace('-', " "),
        difference(variable.absolute.filter(|_| !hides)),
        difference(variable.relative.filter(|_| !hides)),
        time(variable.time),
        time(variable.differs_from),
    ]
}
