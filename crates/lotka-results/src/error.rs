//! Errors in results files.

use std::{fmt, io, path::PathBuf};

use lotka_message::{Code, Coded};

/// Reason why results cannot be read, and the place.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub struct ResultsError {
    /// Path of the file, if it was opened here.
    pub path: Option<PathBuf>,
    /// Line at which the row begins, from 1.
    pub line: Option<u64>,
    /// Name of the column.
    pub column: Option<String>,
    /// The problem at this place.
    pub problem: ResultsProblem,
}

impl ResultsError {
    /// Returns the same error with the path of a file.
    #[must_use]
    pub fn of_file(self, path: impl Into<PathBuf>) -> Self {
        Self { path: Some(path.into()), ..self }
    }
}

impl Coded for ResultsError {
    fn code(&self) -> Code {
        self.problem.code()
    }
}

impl ResultsProblem {
    /// Returns whether the problem is one of the whole file, so that further rows would only repeat it.
    pub(crate) fn is_about_the_file(&self) -> bool {
        matches!(
            self,
            Self::Io(_)
                | Self::RowTooLong { .. }
                | Self::TooLarge { .. }
                | Self::DecimalComma { .. }
                | Self::TrailingSeparator { .. }
        )
    }
}

impl Coded for ResultsProblem {
    fn code(&self) -> Code {
        match self {
            Self::Io(_) => Code::UnreadableFile,
            Self::Empty | Self::NoTime { .. } | Self::DuplicateColumn | Self::NotAUnitOfTime { .. } => Code::TableHeader,
            Self::InRow { problem, .. } => problem.code(),
            Self::DecimalComma { .. } => Code::DecimalComma,
            Self::TrailingSeparator { .. } => Code::TrailingComma,
            Self::FieldCount { .. } | Self::NoRows | Self::NotUtf8 | Self::RowTooLong { .. } => Code::TableRow,
            Self::NotATime { .. } | Self::TimeGoesBack { .. } => Code::TableTime,
            Self::NotAValue { .. } | Self::ColumnType | Self::MissingValues | Self::SurplusValues => Code::TableValue,
            Self::TooLarge { .. } | Self::TextTooLong { .. } => Code::TableTooLarge,
            Self::NoMatrix { .. } | Self::NotTrajectories { .. } => Code::TableFormat,
            #[cfg(feature = "parquet")]
            Self::Parquet(_) => Code::TableFormat,
            #[cfg(feature = "arrow")]
            Self::Arrow(_) => Code::TableFormat,
            Self::NotBuilt => Code::TableFormat,
        }
    }
}

/// Problem of a results file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResultsProblem {
    /// The file cannot be opened or read.
    #[error("cannot be read: {0}")]
    Io(io::Error),
    /// The file is empty: it lacks even a line of names.
    #[error("the file is empty, expected a line of column names, with `time` first")]
    Empty,
    /// The first column is not the time.
    #[error("expected `time` as the first column, found `{found}`")]
    NoTime {
        /// Name of the column.
        found: String,
    },
    /// Two columns have the same name.
    #[error("two columns have this name")]
    DuplicateColumn,
    /// A row is shorter or longer than the line of names.
    #[error("expected {expected} fields in the row, found {found}; quote fields that contain a comma or a quote")]
    FieldCount {
        /// Number of columns.
        expected: u64,
        /// Number of fields.
        found: u64,
    },
    /// A time is not a finite number.
    #[error("expected a time in seconds, found `{found}`")]
    NotATime {
        /// The field.
        found: String,
    },
    /// The times decrease.
    #[error("the time {time} s follows {previous} s; sort the rows by time")]
    TimeGoesBack {
        /// The time \[s\].
        time: f64,
        /// The time of the previous row \[s\].
        previous: f64,
    },
    /// There are no rows after the line of names.
    #[error("there are no rows after the line of names")]
    NoRows,
    /// A field does not have a value of the expected type.
    #[error("expected {expected}, found `{found}`")]
    NotAValue {
        /// The field.
        found: String,
        /// The expected type, in words.
        expected: &'static str,
    },
    /// The unit of the time is unknown.
    #[error("unknown unit of time `{found}`; available: {known}")]
    NotAUnitOfTime {
        /// The unit.
        found: String,
        /// The known units.
        known: &'static str,
    },
    /// A row contains bytes that are not text.
    #[error("the row is not valid UTF-8")]
    NotUtf8,
    /// A file of MATLAB's version 4 lacks a matrix, or has its matrices in another order.
    #[error("expected a trajectory file as written by OpenModelica and Dymola: the matrix `{name}` is misplaced")]
    NoMatrix {
        /// Name of the matrix.
        name: &'static str,
    },
    /// A file of MATLAB's version 4 is inconsistent, or does not contain trajectories.
    #[error("expected a trajectory file as written by OpenModelica and Dymola: {what}")]
    NotTrajectories {
        /// What is wrong.
        what: &'static str,
    },
    /// A Parquet file is damaged, or uses an unsupported feature such as compression.
    #[cfg(feature = "parquet")]
    #[error("cannot read the Parquet file: {0}")]
    Parquet(parquet::errors::ParquetError),
    /// An Arrow file is damaged, has no end, or uses an unsupported feature such as compression.
    #[cfg(feature = "arrow")]
    #[error("cannot read the Arrow file: {0}")]
    Arrow(String),
    /// The program was built without the feature of the format.
    #[error("this program was built without support for this format")]
    NotBuilt,
    /// A value of a binary table has a problem.
    #[error("row {}: {problem}", row + 1)]
    InRow {
        /// The row, from 0.
        row: usize,
        /// The problem.
        problem: Box<Self>,
    },
    /// A number is written with a decimal comma.
    #[error("expected a decimal point, found the decimal comma of `{found}`; write all numbers with a point")]
    DecimalComma {
        /// The number.
        found: String,
    },
    /// A line ends with a separator.
    #[error(
        "the line ends with a {separator}, so that column {number} has no content; remove the {separator} at the end of all lines"
    )]
    TrailingSeparator {
        /// What separates the columns, in words.
        separator: &'static str,
        /// Number of the empty column, from 1.
        number: usize,
    },
    /// A column has an unsupported type, such as dates, lists, or integers of other sizes.
    #[error("unsupported type, expected Real, Integer, Boolean or String")]
    ColumnType,
    /// A column has fewer values than there are rows.
    #[error("the column has fewer values than there are rows")]
    MissingValues,
    /// A column has more values than there are rows.
    #[error("the column has more values than there are rows")]
    SurplusValues,
    /// The texts of a column exceed the limit.
    #[error("the strings of the column exceed {limit} bytes")]
    TextTooLong {
        /// The limit \[byte\].
        limit: usize,
    },
    /// The table has too many values.
    #[error("it has more than {limit} values; record fewer variables or rows")]
    TooLarge {
        /// The limit.
        limit: usize,
    },
    /// A row exceeds the limit of its length.
    #[error("the row is longer than {limit} bytes; check for an unclosed quote")]
    RowTooLong {
        /// The limit.
        limit: usize,
    },
}

impl fmt::Display for ResultsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.path {
            Some(path) => write!(f, "{}", path.display())?,
            None => write!(f, "results")?,
        }
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        if let Some(column) = &self.column {
            write!(f, ": column `{column}`")?;
        }
        write!(f, ": {}", self.problem)
    }
}

#[cfg(feature = "parquet")]
impl From<parquet::errors::ParquetError> for ResultsProblem {
    fn from(error: parquet::errors::ParquetError) -> Self {
        Self::Parquet(error)
    }
}

impl From<ResultsProblem> for ResultsError {
    fn from(problem: ResultsProblem) -> Self {
        Self { path: None, line: None, column: None, problem }
    }
}
