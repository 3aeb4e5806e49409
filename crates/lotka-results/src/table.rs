//! Results as a table.

use lotka_plan::column::{Column, ValueType};
use lotka_run::record::Memory;

use super::{Values, hash_of, rows::UnfinishedLine};

/// Results as a table: the time, and columns of values.
///
/// The first bytes of a file determine its format, one of [`FORMATS`](crate::FORMATS). Text has the names of the columns in its
/// first line, `time` first. Blanks around a name do not count, and its unit may follow in brackets: `x [m]`. Times in another
/// unit, such as `time [min]`, become seconds.
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
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Results {
    pub(super) time: Vec<f64>,
    pub(super) columns: Vec<ResultColumn>,
    pub(super) unfinished: Option<UnfinishedLine>,
    pub(super) about: Option<String>,
    pub(super) note: Option<String>,
}

/// A column of a file of results.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ResultColumn {
    /// Name of the column, for most masters `instance.variable`.
    pub name: String,
    /// Its unit, if the file says it.
    pub unit: Option<String>,
    /// Values of the column, one per row.
    pub values: Values,
}

impl ResultColumn {
    /// Makes a column.
    #[must_use]
    pub fn new(name: impl Into<String>, values: Values) -> Self {
        Self { name: name.into(), unit: None, values }
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

    /// Returns the columns, without the time.
    #[must_use]
    pub fn into_columns(self) -> Vec<ResultColumn> {
        self.columns
    }

    /// Returns the description of the columns as JSON, if the file has one: units, descriptions and types by name.
    #[must_use]
    pub fn about(&self) -> Option<&str> {
        self.about.as_deref()
    }

    /// Returns the note in the file (`with_note` of Parquet and Arrow tables).
    #[must_use]
    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
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
            ResultColumn { name: column.name.clone(), unit: column.unit.clone(), values }
        };
        Self { time: memory.time().to_vec(), columns: memory.columns().iter().map(column).collect(), ..Self::default() }
    }
}
