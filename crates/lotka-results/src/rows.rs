//! Reads the rows of a CSV file, one after the other.

use std::{
    fmt,
    io::{self, Read, Seek},
};

use lotka_message::limits::{ROW_BYTES, TABLE_VALUES};

use super::{
    ResultsError, ResultsProblem,
    values::{Growing, number},
    window::Window,
};

/// Number of bytes of the first line that determine the separator.
const LOOKED_AT: u64 = 1 << 16;

/// A last line without a line end: the program that wrote it was killed there, or omits the last line end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnfinishedLine {
    /// Number of the line, from 1.
    pub line: u64,
    /// Whether the line was kept, because it has a field for each column. If it was truncated, its last field is wrong. Otherwise
    /// the line was ignored.
    pub is_kept: bool,
}

impl fmt::Display for UnfinishedLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what =
            if self.is_kept { "if the file is truncated, its last field is wrong" } else { "Lotka ignores this incomplete row" };
        write!(f, "line {} has no line end: {what}", self.line)
    }
}

/// Reader of the rows of a file, one after the other.
pub struct Rows<R> {
    reader: csv::Reader<Window<R>>,
    row: csv::StringRecord,
    /// Number of further values that are permitted.
    left: usize,
}

impl<R: Read + Seek> Rows<R> {
    /// Reads a file whose columns are separated by commas, semicolons or tabs, whichever comes first.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn of_any_separator(mut source: R) -> Result<Self, ResultsProblem> {
        let mut begin = Vec::new();
        source.by_ref().take(LOOKED_AT).read_to_end(&mut begin).map_err(ResultsProblem::Io)?;
        source.rewind().map_err(ResultsProblem::Io)?;
        let line = begin.split(|byte| matches!(byte, b'\n' | b'\r')).next().unwrap_or_default();
        let separator = line.iter().copied().find(|byte| matches!(byte, b',' | b';' | b'\t')).unwrap_or(b',');
        Ok(Self::separated(source, separator))
    }
}

impl<R: Read> Rows<R> {
    pub(super) fn new(source: R) -> Self {
        Self::separated(source, b',')
    }

    fn separated(source: R, separator: u8) -> Self {
        let reader = csv::ReaderBuilder::new().has_headers(false).delimiter(separator).from_reader(Window::new(source));
        Self { reader, row: csv::StringRecord::new(), left: TABLE_VALUES }
    }

    /// Returns the row that was read last.
    pub fn row(&self) -> &csv::StringRecord {
        &self.row
    }

    /// Reads the next row, if there is one.
    ///
    /// # Errors
    /// The row cannot be read, or the table is too large.
    pub fn advance(&mut self) -> Result<bool, ResultsError> {
        self.reader.get_mut().row = self.reader.position().byte();
        let is_row = self.reader.read_record(&mut self.row).map_err(|error| self.at(None, problem(error)))?;
        match self.left.checked_sub(self.row.len()) {
            Some(left) => self.left = left,
            None => return Err(self.at(None, ResultsProblem::TooLarge { limit: TABLE_VALUES })),
        }
        Ok(is_row)
    }

    /// Reads the next row of a table and returns its time, if there is a row. A truncated last row does not count: it is the
    /// `unfinished` one.
    pub(super) fn next_of(
        &mut self,
        column: &str,
        previous: Option<&f64>,
        last: Option<&Growing>,
        unfinished: &mut Option<UnfinishedLine>,
    ) -> Result<Option<f64>, ResultsError> {
        let read = match self.advance() {
            Ok(true) => self.time(column, previous).map(Some),
            Ok(false) => return Ok(None),
            Err(error) => Err(error),
        };
        let fits = |column: &Growing| self.row.iter().next_back().is_some_and(|field| column.fits(field));
        let is_whole = read.is_ok() && last.is_none_or(fits);
        match self.unfinished(is_whole) {
            None => read,
            line => {
                *unfinished = line;
                if is_whole { read } else { Ok(None) }
            }
        }
    }

    /// Returns the line that was just read, if the file ends with it and lacks a line end.
    pub(super) fn unfinished(&self, is_kept: bool) -> Option<UnfinishedLine> {
        let window = self.reader.get_ref();
        window.is_unfinished().then(|| UnfinishedLine { line: window.line(), is_kept })
    }

    /// Returns the time of the row.
    ///
    /// # Errors
    /// The first field is not a time, or it is earlier than `previous`.
    pub fn time(&self, column: &str, previous: Option<&f64>) -> Result<f64, ResultsError> {
        let field = self.row.get(0).unwrap_or_default();
        let Some(time) = number(field).filter(|time| time.is_finite()) else {
            return Err(self.at(Some(column), ResultsProblem::NotATime { found: field.to_owned() }));
        };
        match previous {
            Some(&previous) if time < previous => Err(self.at(Some(column), ResultsProblem::TimeGoesBack { time, previous })),
            _ => Ok(time),
        }
    }

    /// Returns an error about the row.
    pub fn at(&self, column: Option<&str>, problem: ResultsProblem) -> ResultsError {
        ResultsError { path: None, line: Some(self.reader.get_ref().line()), column: column.map(str::to_owned), problem }
    }
}

fn problem(error: csv::Error) -> ResultsProblem {
    match error.into_kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            ResultsProblem::FieldCount { expected: expected_len, found: len }
        }
        csv::ErrorKind::Utf8 { .. } => ResultsProblem::NotUtf8,
        csv::ErrorKind::Io(error) if error.kind() == io::ErrorKind::FileTooLarge => {
            ResultsProblem::RowTooLong { limit: ROW_BYTES }
        }
        csv::ErrorKind::Io(error) => ResultsProblem::Io(error),
        other => ResultsProblem::Io(io::Error::other(format!("{other:?}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_with_too_many_values_ends_there() {
        let mut rows = Rows { left: 5, ..Rows::new(io::Cursor::new("time,x\n0,1\n1,2\n2,3\n")) };
        assert!(rows.advance().unwrap() && rows.advance().unwrap());
        let error = rows.advance().unwrap_err().to_string();
        assert_eq!(error, format!("results:3: it has more than {TABLE_VALUES} values; record fewer variables or rows"));
    }
}
