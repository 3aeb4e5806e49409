//! The parts that tables of all binary formats share: what is checked, and how their columns become results.

use std::cmp::Ordering;

use lotka_message::limits::TABLE_VALUES;

use crate::{
    Request, ResultColumn, Results, ResultsError, ResultsProblem, Values, Wanted,
    filling::converted,
    header::{self, Head},
};

/// What is known of a table before its values are read.
pub(crate) struct Outline {
    pub(crate) heads: Vec<Head>,
    pub(crate) rows: usize,
    /// The description of the columns as JSON.
    pub(crate) about: Option<String>,
    pub(crate) note: Option<String>,
}

impl Outline {
    /// Returns the table; `column` reads one of its columns.
    pub(crate) fn table(
        self,
        request: &Request<'_>,
        column: impl Fn(usize, Wanted) -> Result<Values, ResultsProblem>,
    ) -> Result<Results, Vec<ResultsError>> {
        let Self { heads, rows, about, note } = self;
        let at =
            |column: Option<&str>, problem: ResultsProblem| ResultsError { column: column.map(str::to_owned), ..problem.into() };
        let seconds = header::check(&heads, request, at)?;
        if rows.saturating_mul(heads.len()) > TABLE_VALUES {
            return Err(vec![ResultsProblem::TooLarge { limit: TABLE_VALUES }.into()]);
        }
        let mut results = Results { about, note, ..Results::default() };
        let mut problems = Vec::new();
        for (index, Head { name, unit }) in heads.into_iter().enumerate() {
            let is_time = request.is_timed && index == 0;
            let wanted = if is_time { Wanted::Any } else { (request.wanted)(&name) };
            let read = match request.has_rows && wanted != Wanted::Nothing {
                true => column(index, wanted).and_then(|values| match values.len().cmp(&rows) {
                    Ordering::Less => Err(ResultsProblem::MissingValues),
                    Ordering::Equal => Ok(values),
                    Ordering::Greater => Err(ResultsProblem::SurplusValues),
                }),
                false => Ok(Values::Text(Vec::new())),
            };
            let read = read.and_then(|values| {
                if is_time && request.has_rows {
                    results.time = times(values, seconds)?;
                    return Ok(Values::Text(Vec::new()));
                }
                converted(values, wanted).map_err(|(row, problem)| ResultsProblem::InRow { row, problem: Box::new(problem) })
            });
            match read {
                Ok(_) if is_time => {}
                Ok(values) => results.columns.push(ResultColumn { name, unit, values }),
                Err(problem) => problems.push(at(Some(&name), problem)),
            }
        }
        if problems.is_empty() { Ok(results) } else { Err(problems) }
    }
}

/// Returns names and units of columns. Where `about` describes them, names have no units in brackets.
#[cfg(any(feature = "parquet", feature = "arrow"))]
pub(crate) fn heads(names: impl Iterator<Item = String>, about: Option<&str>) -> Vec<Head> {
    let about: Option<serde_json::Value> = about.and_then(|text| serde_json::from_str(text).ok());
    let head = |name: String| match &about {
        Some(about) => Head { unit: about["columns"][&name]["unit"].as_str().map(str::to_owned), name },
        None => Head::of(name.trim()),
    };
    names.map(head).collect()
}

/// Returns times in seconds, which must be finite and ascending.
fn times(values: Values, seconds: f64) -> Result<Vec<f64>, ResultsProblem> {
    let mut times = match values {
        Values::Real(values) => values,
        Values::Integer(values) => values.into_iter().map(|value| value as f64).collect(),
        // In a table without rows, columns have no type.
        other if other.is_empty() => Vec::new(),
        _ => return Err(ResultsProblem::ColumnType),
    };
    if let Some(time) = times.iter().find(|time| !time.is_finite()) {
        return Err(ResultsProblem::NotATime { found: time.to_string() });
    }
    if let Some(pair) = times.windows(2).find(|pair| pair[1] < pair[0]) {
        return Err(ResultsProblem::TimeGoesBack { time: pair[1], previous: pair[0] });
    }
    times.iter_mut().for_each(|time| *time *= seconds);
    Ok(times)
}
