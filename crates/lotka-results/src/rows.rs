//! Reads the rows of a text, one after the other.

use std::{
    fmt,
    io::{self, Read},
};

use lotka_message::limits::{ROW_BYTES, TABLE_VALUES};

use super::{
    ResultsError, ResultsProblem,
    header::{self, Head},
    values::{is_decimal_comma, real},
    window::Window,
};

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

/// Reader of the rows of a text, one after the other.
pub(super) struct Rows<R> {
    reader: csv::Reader<Window<R>>,
    pub(super) row: csv::StringRecord,
    separator: u8,
    /// Number of further values that are permitted.
    left: usize,
}

impl<R: Read> Rows<R> {
    pub(super) fn new(source: R, separator: u8) -> Self {
        let mut reader = csv::ReaderBuilder::new();
        let reader = reader.has_headers(false).flexible(true).delimiter(separator).from_reader(Window::new(source));
        Self { reader, row: csv::StringRecord::new(), separator, left: TABLE_VALUES }
    }

    /// Reads the first line: the names of the columns.
    ///
    /// # Errors
    /// There is no first line, it cannot be read, or it ends with a separator.
    pub(super) fn heads(&mut self) -> Result<Vec<Head>, ResultsError> {
        if !self.advance()? {
            return Err(ResultsProblem::Empty.into());
        }
        let heads = header::heads(self.row.iter(), self.reader.get_ref().rest(), self.separator);
        match self.ends_with_separator() {
            true => Err(self.at(None, self.trailing())),
            false => Ok(heads),
        }
    }

    /// Reads the next row, if there is one.
    ///
    /// # Errors
    /// The row cannot be read, or the table is too large.
    pub(super) fn advance(&mut self) -> Result<bool, ResultsError> {
        self.reader.get_mut().row = self.reader.position().byte();
        let is_row = self.reader.read_record(&mut self.row).map_err(|error| self.at(None, problem(error)))?;
        match self.left.checked_sub(self.row.len()) {
            Some(left) => self.left = left,
            None => return Err(self.at(None, ResultsProblem::TooLarge { limit: TABLE_VALUES })),
        }
        Ok(is_row)
    }

    /// Checks the number of fields of the row.
    pub(super) fn check_count(&self, expected: usize) -> Result<(), ResultsError> {
        let found = self.row.len();
        let mut fields = self.row.iter();
        let problem = match (fields.next(), fields.next()) {
            _ if found == expected => return Ok(()),
            _ if found == expected + 1 && self.ends_with_separator() => self.trailing(),
            (Some(whole), Some(part)) if found == 2 * expected && self.row.iter().all(is_digits) => {
                ResultsProblem::DecimalComma { found: format!("{whole},{part}") }
            }
            _ => ResultsProblem::FieldCount { expected: expected as u64, found: found as u64 },
        };
        Err(self.at(None, problem))
    }

    /// Whether the last field of several is empty, without quotes.
    fn ends_with_separator(&self) -> bool {
        let line = self.reader.get_ref().rest();
        let end = line.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(line.len());
        let is_blank = self.row.iter().next_back().is_some_and(|field| field.trim().is_empty());
        // A quoted field may contain line ends, but an empty one ends with a quote.
        self.row.len() > 1 && is_blank && !line[..end].trim_ascii_end().ends_with(b"\"")
    }

    fn trailing(&self) -> ResultsProblem {
        let separator = match self.separator {
            b';' => "semicolon",
            b'\t' => "tab",
            _ => "comma",
        };
        ResultsProblem::TrailingSeparator { separator, number: self.row.len() }
    }

    /// Returns what separates the columns.
    pub(super) fn separator(&self) -> u8 {
        self.separator
    }

    /// Returns the line of the row, from 1.
    pub(super) fn line(&self) -> u64 {
        self.reader.get_ref().line()
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
    pub(super) fn time(&self, column: &str, previous: Option<f64>) -> Result<f64, ResultsError> {
        let field = self.row.get(0).unwrap_or_default();
        let time = real(field).ok_or_else(|| match is_decimal_comma(field) {
            true => ResultsProblem::DecimalComma { found: field.to_owned() },
            false => ResultsProblem::NotATime { found: field.to_owned() },
        });
        let in_order = time.and_then(|time| match previous {
            Some(previous) if time < previous => Err(ResultsProblem::TimeGoesBack { time, previous }),
            _ => Ok(time),
        });
        in_order.map_err(|problem| self.at(Some(column), problem))
    }

    /// Returns an error about the row.
    pub(super) fn at(&self, column: Option<&str>, problem: ResultsProblem) -> ResultsError {
        ResultsError { line: Some(self.line()), column: column.map(str::to_owned), ..problem.into() }
    }
}

fn is_digits(field: &str) -> bool {
    !field.is_empty() && field.bytes().all(|byte| byte.is_ascii_digit())
}

fn problem(error: csv::Error) -> ResultsProblem {
    match error.into_kind() {
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
        let mut rows = Rows { left: 5, ..Rows::new(io::Cursor::new("time,x\n0,1\n1,2\n2,3\n"), b',') };
        assert!(rows.advance().unwrap() && rows.advance().unwrap());
        let error = rows.advance().unwrap_err().to_string();
        assert_eq!(error, format!("results:3: it has more than {TABLE_VALUES} values; record fewer variables or rows"));
    }

    #[test]
    fn a_row_without_end_takes_bounded_memory() {
        let mut rows = Rows::new(Read::chain(io::Cursor::new("time,a\n0,\""), io::repeat(b'x')), b',');
        rows.heads().unwrap();
        let error = rows.advance().unwrap_err().to_string();
        assert_eq!(error, "results:2: the row is longer than 67108864 bytes; check for an unclosed quote");
    }
}
