//! Tables from CSV files, as signals.

use std::{collections::HashSet, fs::File, path::Path, sync::Arc};

use lotka_instance::description::IntegerType;
use lotka_message::{Code, Coded, limits::PROBLEMS};
use lotka_plan::{
    link::SignalType,
    source::{Channel, Points, Steps, Waveform},
};
use lotka_results::{ResultsError, ResultsProblem, TableRows, number};

use super::{model::Reader, units};
use crate::Interpolation;

/// Maximum number of reported problems per file, because a table of another kind has one in every row.
const MOST_PROBLEMS: usize = 20;

/// A column of a table.
#[derive(Debug)]
pub(super) struct Column {
    pub(super) name: String,
    /// Its unit in the header.
    pub(super) unit: Option<String>,
    pub(super) channel: Channel,
}

/// A table, and its first and last time \[s\].
#[derive(Debug)]
pub(super) struct Table {
    pub(super) columns: Vec<Column>,
    pub(super) span: (f64, f64),
}

/// Reads a table: names in the first line, each perhaps with a unit in brackets, the time in the first column. Columns are
/// separated by commas, or by semicolons or tabs if the first line has these before any comma. Only connected columns are parsed.
///
/// # Errors
/// All problems, each with file, line and column.
pub(super) fn read<'a>(
    path: &Path,
    interpolation: Interpolation,
    reader_of: impl Fn(&str) -> Option<Reader<'a>>,
) -> Result<Table, Vec<(Code, String)>> {
    let refused = |problems: Vec<ResultsError>| described(path, problems);
    let opened = File::open(path).map_err(ResultsProblem::Io).and_then(TableRows::of_any_separator);
    let mut rows = opened.map_err(|problem| refused(vec![problem.into()]))?;
    let header = header(&mut rows).map_err(refused)?;
    let mut fields: Vec<_> = header.columns.iter().map(|(column, _)| Fields::new(reader_of(column))).collect();
    let (times, mut problems) = body(&mut rows, &header, &mut fields);
    if times.is_empty() && problems.is_empty() {
        problems.push(ResultsProblem::NoRows.into());
    }
    if !problems.is_empty() {
        return Err(refused(problems));
    }
    let span = (times[0], times[times.len() - 1]);
    let times: Arc<[f64]> = times.into();
    let columns = header.columns.into_iter().zip(fields);
    let columns =
        columns.map(|((name, unit), fields)| Column { name, unit, channel: fields.channel(&times, interpolation) }).collect();
    Ok(Table { columns, span })
}

/// Returns the names of the columns after the time.
///
/// # Errors
/// The first line cannot be read, or does not consist of names.
pub fn column_names(path: &Path) -> Result<Vec<String>, ResultsError> {
    let opened = File::open(path).map_err(ResultsProblem::Io).and_then(TableRows::of_any_separator);
    let header = opened.map_err(ResultsError::from).and_then(|mut rows| {
        let first = |problems: Vec<ResultsError>| problems.into_iter().next().unwrap_or_else(|| ResultsProblem::Empty.into());
        header(&mut rows).map_err(first)
    });
    let header = header.map_err(|error| error.of_file(path))?;
    Ok(header.columns.into_iter().map(|(name, _)| name).collect())
}

/// Describes the problems of a file, up to the maximum number.
fn described(path: &Path, problems: Vec<ResultsError>) -> Vec<(Code, String)> {
    let rest = problems.len().saturating_sub(MOST_PROBLEMS);
    let more = problems.get(MOST_PROBLEMS).map(|next| (next.code(), format!("{}: and {rest} more problems", path.display())));
    let name = |error: ResultsError| (error.code(), error.of_file(path).to_string());
    problems.into_iter().take(MOST_PROBLEMS).map(name).chain(more).collect()
}

/// Reads the rows after the first line: returns their times \[s\], and adds their fields to the columns.
fn body(rows: &mut TableRows<File>, header: &Header, fields: &mut [Fields]) -> (Vec<f64>, Vec<ResultsError>) {
    let (mut times, mut problems): (Vec<f64>, Vec<ResultsError>) = (Vec::new(), Vec::new());
    // Times are compared in the unit of the file.
    let mut last = None;
    loop {
        match rows.advance().and_then(|is_row| if is_row { rows.time(&header.time, last.as_ref()).map(Some) } else { Ok(None) }) {
            Ok(None) => return (times, problems),
            Ok(Some(time)) => {
                last = Some(time);
                times.push(time * header.seconds);
                for ((field, values), (column, _)) in rows.row().iter().skip(1).zip(&mut *fields).zip(&header.columns) {
                    problems.extend(values.push(field).err().map(|problem| rows.at(Some(column), problem)));
                }
                if problems.len() > PROBLEMS {
                    return (times, problems);
                }
            }
            Err(error) => {
                let is_over = matches!(
                    error.problem,
                    ResultsProblem::Io(_) | ResultsProblem::RowTooLong { .. } | ResultsProblem::TooLarge { .. }
                );
                problems.push(error);
                if is_over || problems.len() > PROBLEMS {
                    return (times, problems);
                }
            }
        }
    }
}

/// The first line.
struct Header {
    /// The name of the first column.
    time: String,
    /// Its unit \[s\].
    seconds: f64,
    /// Names and units of the others.
    columns: Vec<(String, Option<String>)>,
}

fn header(rows: &mut TableRows<File>) -> Result<Header, Vec<ResultsError>> {
    match rows.advance() {
        Ok(true) => {}
        Ok(false) => return Err(vec![ResultsProblem::Empty.into()]),
        Err(error) => return Err(vec![error]),
    }
    let mut names = rows.row().iter().map(with_unit);
    let (time, unit) = names.next().unwrap_or_default();
    let columns: Vec<_> = names.collect();
    let mut problems = Vec::new();
    if !time.eq_ignore_ascii_case("time") {
        problems.push(rows.at(None, ResultsProblem::NoTime { found: time.clone() }));
    }
    let seconds = unit.as_deref().map_or(Some(1.0), units::seconds);
    if seconds.is_none() {
        let problem = ResultsProblem::NotAUnitOfTime { found: unit.unwrap_or_default(), known: units::TIMES };
        problems.push(rows.at(Some(&time), problem));
    }
    let mut taken = HashSet::new();
    for (name, _) in &columns {
        if !taken.insert(name) {
            problems.push(rows.at(Some(name), ResultsProblem::DuplicateColumn));
        }
    }
    match seconds {
        Some(seconds) if problems.is_empty() => Ok(Header { time, seconds, columns }),
        _ => Err(problems),
    }
}

/// `name [unit]`.
fn with_unit(field: &str) -> (String, Option<String>) {
    let field = field.trim();
    let parts = field.strip_suffix(']').and_then(|field| field.rsplit_once('['));
    match parts.filter(|(name, _)| name.ends_with(char::is_whitespace)) {
        Some((name, unit)) => {
            (name.trim_end().to_owned(), Some(unit.trim().to_owned()).filter(|unit| !unit.is_empty() && unit != "-"))
        }
        None => (field.to_owned(), None),
    }
}

/// Whole numbers up to this one are exact as f64.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The fields of one column, in the type of its readers.
enum Fields {
    Unread,
    Reals(Vec<f64>),
    /// With the type of the reader.
    Integers(Vec<i128>, IntegerType),
    Booleans(Vec<bool>),
    Texts(Vec<String>),
}

impl Fields {
    fn new(reader: Option<Reader<'_>>) -> Self {
        match reader.as_ref().map(|reader| reader.signal) {
            None => Self::Unread,
            Some(SignalType::Real) => Self::Reals(Vec::new()),
            Some(SignalType::Integer) => Self::Integers(Vec::new(), reader.map(|reader| reader.integers).unwrap_or_default()),
            Some(SignalType::Boolean) => Self::Booleans(Vec::new()),
            // No source has bytes: the connection is refused.
            Some(SignalType::Text | SignalType::Binary) => Self::Texts(Vec::new()),
        }
    }

    /// Adds a field. An invalid one is reported and replaced by another value.
    fn push(&mut self, field: &str) -> Result<(), ResultsProblem> {
        let wrong = |expected| ResultsProblem::NotAValue { found: field.to_owned(), expected };
        match self {
            Self::Unread => Ok(()),
            Self::Reals(values) => {
                let value = number(field).filter(|value| value.is_finite());
                values.push(value.unwrap_or_default());
                value.map(|_| ()).ok_or_else(|| wrong("a number"))
            }
            Self::Integers(values, width) => {
                let (min, max) = width.range();
                // Digits are exact; other spellings of whole numbers, such as 1e3, are so up to 2^53.
                let written = field.trim().parse().ok();
                let spelled =
                    || number(field).filter(|value| value.fract() == 0.0 && value.abs() <= EXACT).map(|value| value as i128);
                let value = written.or_else(spelled).filter(|value| (min..=max).contains(value));
                values.push(value.unwrap_or_default());
                value.map(|_| ()).ok_or_else(|| wrong("a whole number for the connected input"))
            }
            Self::Booleans(values) => {
                let value = match field.trim() {
                    "true" | "True" | "TRUE" | "1" => Some(true),
                    "false" | "False" | "FALSE" | "0" => Some(false),
                    _ => None,
                };
                values.push(value.unwrap_or_default());
                value.map(|_| ()).ok_or_else(|| wrong("true or false for the connected input"))
            }
            Self::Texts(values) => {
                values.push(field.to_owned());
                Ok(())
            }
        }
    }

    fn channel(self, times: &Arc<[f64]>, interpolation: Interpolation) -> Channel {
        let times = times.clone();
        match self {
            Self::Unread => Channel::Unread,
            Self::Reals(values) if interpolation == Interpolation::Linear => {
                Channel::Moving(Waveform::Points(Points::new(times, values)))
            }
            Self::Reals(values) => Channel::Held(Steps::new(times, values)),
            Self::Integers(values, _) => Channel::Integer(Steps::new(times, values)),
            Self::Booleans(values) => Channel::Boolean(Steps::new(times, values)),
            Self::Texts(values) => Channel::Text(Steps::new(times, values)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_those_of_fmi() {
        let mut fields = Fields::Integers(Vec::new(), IntegerType::Int32);
        let push = |fields: &mut Fields, field: &str| fields.push(field).is_ok();
        for field in ["-2147483648", "2147483647", "-2147483648.0", "0"] {
            assert!(push(&mut fields, field), "{field}");
        }
        for field in ["-2147483649", "2147483648", "0.5", "NaN", "inf"] {
            assert!(!push(&mut fields, field), "{field}");
        }
        let Fields::Integers(values, _) = fields else { panic!("other fields") };
        assert_eq!(values[..4], [i32::MIN, i32::MAX, i32::MIN, 0].map(i128::from));
        let mut wide = Fields::Integers(Vec::new(), IntegerType::UInt64);
        assert!(push(&mut wide, "18446744073709551615") && push(&mut wide, "1e3"));
        assert!(!push(&mut wide, "-1") && !push(&mut wide, "18446744073709551616") && !push(&mut wide, "1e19"));
        let Fields::Integers(values, _) = wide else { panic!("other fields") };
        assert_eq!(values[..2], [u64::MAX.into(), 1000]);
    }

    #[test]
    fn names_may_have_units_and_brackets_of_their_own() {
        let cases = [("T [degC]", "T", Some("degC")), ("x[1]", "x[1]", None), (" a [-]", "a", None), ("b", "b", None)];
        for (field, name, unit) in cases {
            assert_eq!(with_unit(field), (name.to_owned(), unit.map(str::to_owned)));
        }
    }
}
