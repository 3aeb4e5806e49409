//! Results as CSV, Parquet, Arrow and trajectories of MATLAB: a table that is read is sound and equal to itself. One that has
//! no types of its own reads back bit for bit when it is written again, with a line end after each row.

use std::{fmt::Write, io::Cursor};

use lotka::{ComparisonSettings, Results, Values, Verdict, compare};

pub(super) fn run(bytes: &[u8]) {
    let lines = bytes.iter().filter(|byte| **byte == b'\n').count() as u64 + 1;
    let first = match Results::read(Cursor::new(bytes)) {
        Ok(results) => results,
        Err(error) => {
            assert!(error.line.is_none_or(|line| (1..=lines).contains(&line)), "line {:?} of {lines}: {error}", error.line);
            return;
        }
    };
    assert!(first.time().windows(2).all(|times| times[0] <= times[1]));
    assert!(first.columns().iter().all(|column| column.values.len() == first.time().len()));
    let last = first.unfinished();
    assert!(last.is_none_or(|last| last.line == lines && !bytes.ends_with(b"\n")), "{last:?} of {lines} lines");
    let found = compare(&first, &first, &ComparisonSettings::default());
    assert!(found.variables.iter().all(|variable| variable.verdict == Verdict::Same), "{found:?}");
    if bytes.starts_with(b"PAR1") || bytes.starts_with(b"ARROW1") {
        return;
    }
    let text = write(&first);
    let second = Results::read(Cursor::new(text.as_bytes())).unwrap_or_else(|error| panic!("{error}\n{text}"));
    if first.time().is_empty() {
        return;
    }
    // As text, where not a number is the same as not a number and zeros have a sign.
    let columns = |results: &Results| {
        results.columns().iter().map(|column| format!("{} {:?}", column.name, column.values)).collect::<Vec<_>>()
    };
    let table = |results: &Results| format!("{:?} {:?}", results.time(), columns(results));
    assert_eq!(table(&first), table(&second), "{text}");
    assert_eq!(second.unfinished(), None);
}

fn write(results: &Results) -> String {
    let mut text = "time".to_owned();
    for column in results.columns() {
        // Brackets at the end would be a unit.
        let mark = if column.name.ends_with(']') { " [-]" } else { "" };
        quoted(&mut text, &format!("{}{mark}", column.name));
    }
    text.push('\n');
    for (row, time) in results.time().iter().enumerate() {
        let _ = write!(text, "{time:?}");
        for column in results.columns() {
            let _ = match &column.values {
                Values::Real(values) => write!(text, ",{:?}", values[row]),
                Values::Integer(values) => write!(text, ",{}", values[row]),
                Values::Boolean(values) => write!(text, ",{}", values[row]),
                Values::Text(values) => {
                    quoted(&mut text, &values[row]);
                    Ok(())
                }
            };
        }
        text.push('\n');
    }
    text
}

fn quoted(text: &mut String, field: &str) {
    *text += &format!(",\"{}\"", field.replace('"', "\"\""));
}
