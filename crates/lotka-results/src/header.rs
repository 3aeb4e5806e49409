//! Names of columns: blanks outside of quotes do not count, and a unit may follow in brackets.

use std::{borrow::Cow, collections::BTreeSet};

use crate::{Request, ResultsError, ResultsProblem};

/// Units of time and their lengths \[s\].
pub const TIME_UNITS: [(&str, f64); 5] = [("s", 1.0), ("ms", 1e-3), ("min", 60.0), ("h", 3600.0), ("d", 86400.0)];

/// The units of time, for messages.
const TIMES: &str = "`s`, `ms`, `min`, `h`, `d`";

/// The name of a column, and its unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) name: String,
    pub(crate) unit: Option<String>,
}

impl Head {
    /// Splits `name [unit]`. Empty brackets and `[-]` mean that there is no unit.
    pub(crate) fn of(field: &str) -> Self {
        let parts = field.strip_suffix(']').and_then(|field| field.rsplit_once('['));
        match parts.filter(|(name, _)| name.ends_with(char::is_whitespace)) {
            Some((name, unit)) => Self {
                name: name.trim_end().to_owned(),
                unit: Some(unit.trim().to_owned()).filter(|unit| !unit.is_empty() && unit != "-"),
            },
            None => Self { name: field.to_owned(), unit: None },
        }
    }
}

/// Returns the names in the first line of a text. `raw` are its bytes, which tell quoted fields from others.
pub(crate) fn heads<'a>(fields: impl Iterator<Item = &'a str>, raw: &[u8], separator: u8) -> Vec<Head> {
    let head = |(field, is_quoted): (&str, bool)| {
        if is_quoted {
            return Head::of(field);
        }
        // Quotes after a blank are none for CSV.
        let field = field.trim();
        let inner = field.strip_prefix('"').and_then(|field| field.strip_suffix('"'));
        Head::of(inner.unwrap_or(field))
    };
    fields.zip(are_quoted(raw, separator)).map(head).collect()
}

/// Returns for each field of a line whether it begins with a quote.
fn are_quoted(raw: &[u8], separator: u8) -> Vec<bool> {
    let raw = raw.strip_prefix(b"\xef\xbb\xbf").unwrap_or(raw);
    let (mut all, mut is_inside) = (vec![raw.first() == Some(&b'"')], false);
    for (place, byte) in raw.iter().enumerate() {
        match byte {
            b'"' if all.ends_with(&[true]) => is_inside = !is_inside,
            b'\n' | b'\r' if !is_inside => break,
            byte if *byte == separator && !is_inside => all.push(raw.get(place + 1) == Some(&b'"')),
            _ => {}
        }
    }
    all
}

/// Returns a name as it is written, so that it reads back as it is, and whether it needs quotes.
pub(crate) fn written(name: &str) -> (Cow<'_, str>, bool) {
    let is_plain = Head::of(name) == Head { name: name.to_owned(), unit: None };
    let text = if is_plain { name.into() } else { format!("{name} [-]").into() };
    (text, name.trim() != name || name.is_empty())
}

/// Checks the names of a table, and returns the unit of its times \[s\]. `at` adds the place of a problem.
pub(crate) fn check(
    heads: &[Head],
    request: &Request<'_>,
    at: impl Fn(Option<&str>, ResultsProblem) -> ResultsError,
) -> Result<f64, Vec<ResultsError>> {
    let (mut problems, mut seconds) = (Vec::new(), 1.0);
    if request.is_timed {
        let (name, unit) = heads.first().map_or(("", None), |head| (head.name.as_str(), head.unit.as_deref()));
        if !name.eq_ignore_ascii_case("time") {
            problems.push(at(None, ResultsProblem::NoTime { found: name.to_owned() }));
        }
        match unit.map(|unit| (unit, TIME_UNITS.iter().find(|(known, _)| *known == unit))) {
            None => {}
            Some((_, Some((_, length)))) => seconds = *length,
            Some((unit, None)) => {
                let problem = ResultsProblem::NotAUnitOfTime { found: unit.to_owned(), known: TIMES };
                problems.push(at(Some(name), problem));
            }
        }
    }
    let mut known = BTreeSet::new();
    let again = heads.iter().filter(|head| !known.insert(head.name.as_str()));
    problems.extend(again.map(|head| at(Some(&head.name), ResultsProblem::DuplicateColumn)));
    if problems.is_empty() { Ok(seconds) } else { Err(problems) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(line: &str) -> Vec<(String, Option<String>)> {
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(line.as_bytes());
        let row = reader.records().next().unwrap().unwrap();
        heads(row.iter(), line.as_bytes(), b',').into_iter().map(|head| (head.name, head.unit)).collect()
    }

    #[test]
    fn names_may_have_units_and_brackets_of_their_own() {
        let cases = [
            ("T [degC]", "T", Some("degC")),
            ("x[1]", "x[1]", None),
            (" a [-]", "a", None),
            ("b", "b", None),
            ("\t x \t", "x", None),
            ("\" x\"", " x", None),
            (" \"x\" ", "x", None),
            ("\"v, w [m/s]\"", "v, w", Some("m/s")),
            ("\"a [b] [-]\"", "a [b]", None),
            ("\u{a0}\u{e9} [\u{b5}m]", "\u{e9}", Some("\u{b5}m")),
        ];
        for (field, name, unit) in cases {
            let expected = vec![("time".to_owned(), None), (name.to_owned(), unit.map(str::to_owned)), ("y".to_owned(), None)];
            assert_eq!(names(&format!("\u{feff}time,{field},y\r\n0,1,\"2\"")), expected);
        }
    }

    #[test]
    fn what_is_written_is_read() {
        for name in ["a.x", "a [b]", "a [-]", " a", "a\t", "\"a\"", "a\"", "", "a, b [c]", "[d]", "x \n[m]"] {
            let (text, is_quoted) = written(name);
            let needs_quotes = is_quoted || text.contains(['"', ',', '\n', '\r']);
            let text = if needs_quotes { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.into_owned() };
            assert_eq!(names(&format!("{text},b\n")), [(name.to_owned(), None), ("b".to_owned(), None)], "{text}");
        }
    }

    #[test]
    fn messages_name_all_units_of_time() {
        assert_eq!(TIMES, TIME_UNITS.map(|(name, _)| format!("`{name}`")).join(", "));
    }
}
