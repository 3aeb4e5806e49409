//! Results as a table.

use lotka_plan::column::{Column, ValueType};
use lotka_run::record::Memory;

use super::{ResultsError, ResultsProblem, Values, hash_of, rows::UnfinishedLine};

/// Results as a table: the time, and columns of values.
///
/// The first bytes of a file determine its format:
///
/// - CSV with column names in the first line, `time` first, and fields quoted as in RFC 4180 where necessary
/// - trajectories of OpenModelica, Dymola or [`crate::Mat`]
/// - Parquet without compression (with the feature `parquet`)
///
/// Rows are in the order of time; two rows at the same time are an event.
///
/// ```
/// use lotka::{Results, Values};
///
/// let results = Results::read(std::io::Cursor::new("time,a.x,\"a.n, b\"\n0.0,1.5,3\n0.1,2.5,4\n"))?;
/// assert_eq!(results.time(), [0.0, 0.1]);
/// assert_eq!(results.values("a.x"), Some(&Values::Real(vec![1.5, 2.5])));
/// assert_eq!(results.values("a.n, b"), Some(&Values::Integer(vec![3, 4])));
/// # Ok::<(), lotka::ResultsError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Results {
    pub(super) time: Vec<f64>,
    pub(super) columns: Vec<ResultColumn>,
    pub(super) unfinished: Option<UnfinishedLine>,
}

/// A column of a file of results.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ResultColumn {
    /// Name of the column, for most masters `instance.variable`.
    pub name: String,
    /// Values of the column, one per row.
    pub values: Values,
}

impl ResultColumn {
    /// Makes a column.
    #[must_use]
    pub fn new(name: impl Into<String>, values: Values) -> Self {
        Self { name: name.into(), values }
    }
}

impl Results {
    /// Returns the times of the rows \[s\].
    #[must_use]
    pub fn time(&self) -> &[f64] {
        &self.time
    }

    /// Returns the columns, without the time.
    #[must_use]
    pub fn columns(&self) -> &[ResultColumn] {
        &self.columns
    }

    /// Returns the last line, if it has no line end.
    #[must_use]
    pub fn unfinished(&self) -> Option<UnfinishedLine> {
        self.unfinished
    }

    /// Returns the values of a column.
    #[must_use]
    pub fn values(&self, name: &str) -> Option<&Values> {
        self.columns.iter().find(|column| column.name == name).map(|column| &column.values)
    }
}

/// Copies the rows that a run left in memory.
impl From<&Memory> for Results {
    fn from(memory: &Memory) -> Self {
        let column = |column: &Column| {
            let numbers = || memory.real(&column.name).unwrap_or_default();
            let values = match column.value_type {
                ValueType::Real => Values::Real(numbers().to_vec()),
                ValueType::Integer => {
                    let exact: Option<Vec<_>> = memory
                        .integer(&column.name)
                        .map(|values| values.iter().map_while(|&value| i64::try_from(value).ok()).collect());
                    let exact = exact.filter(|values| values.len() == numbers().len());
                    exact.map_or_else(|| Values::Real(numbers().to_vec()), Values::Integer)
                }
                ValueType::Boolean => Values::Boolean(numbers().iter().map(|&number| number != 0.0).collect()),
                ValueType::Text => Values::Text(memory.text(&column.name).unwrap_or_default().to_vec()),
                ValueType::Binary => {
                    let values = memory.binary(&column.name).unwrap_or_default();
                    Values::Text(values.iter().map(|value| hash_of(value)).collect())
                }
            };
            ResultColumn { name: column.name.clone(), values }
        };
        Self { time: memory.time().to_vec(), columns: memory.columns().iter().map(column).collect(), unfinished: None }
    }
}

/// Checks that times are finite and ascending.
pub(super) fn check_times(times: &[f64]) -> Result<(), ResultsError> {
    if let Some(time) = times.iter().find(|time| !time.is_finite()) {
        return Err(ResultsProblem::NotATime { found: time.to_string() }.into());
    }
    match times.windows(2).find(|pair| pair[1] < pair[0]) {
        Some(pair) => Err(ResultsProblem::TimeGoesBack { time: pair[1], previous: pair[0] }.into()),
        None => Ok(()),
    }
}
