//! Results from CSV, as [`crate::Csv`] and other masters write it.

use std::{
    collections::BTreeSet,
    fs::File,
    io::{self, Read, Seek},
    path::Path,
};

use super::{ResultsError, ResultsProblem, Values, values::number};

/// A row that is longer than this is none: memory stays bounded whatever the file holds.
const LONGEST_ROW: usize = 1 << 26;

/// Results as a table: the time, and columns of values.
///
/// What is read is CSV with names in the first line, `time` first, fields quoted as in RFC 4180 where they must be, and rows in the order of
/// time; two rows of the same time are an event.
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
    time: Vec<f64>,
    columns: Vec<ResultColumn>,
}

/// A column of a file of results.
#[derive(Debug, Clone, PartialEq)]
pub struct ResultColumn {
    /// Its name, for most masters `instance.variable`.
    pub name: String,
    /// Its values, one per row.
    pub values: Values,
}

impl Results {
    /// Reads a file.
    ///
    /// # Errors
    /// The file cannot be read or does not hold together; the error names line and column.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ResultsError> {
        let path = path.as_ref();
        let results = File::open(path).map_err(|error| ResultsProblem::Io(error).into()).and_then(Self::read);
        results.map_err(|error| ResultsError { path: Some(path.to_owned()), ..error })
    }

    /// Reads a table. Only one with text in a column that begins like numbers is read twice, from the beginning.
    ///
    /// # Errors
    /// As of [`Results::open`].
    pub fn read(mut source: impl Read + Seek) -> Result<Self, ResultsError> {
        let mut texts = BTreeSet::new();
        loop {
            let (results, found) = read(&mut source, &texts)?;
            if found.is_empty() {
                return Ok(results);
            }
            texts.extend(found);
            source.rewind().map_err(ResultsProblem::Io)?;
        }
    }

    /// Times of the rows \[s\].
    pub fn time(&self) -> &[f64] {
        &self.time
    }

    /// The columns, without the time.
    pub fn columns(&self) -> &[ResultColumn] {
        &self.columns
    }

    /// The values of a column.
    pub fn values(&self, name: &str) -> Option<&Values> {
        self.columns.iter().find(|column| column.name == name).map(|column| &column.values)
    }
}

/// Reads once, with the columns `texts` as text. Also returns the columns that turned out to be text: their values are not complete.
fn read(source: impl Read, texts: &BTreeSet<usize>) -> Result<(Results, BTreeSet<usize>), ResultsError> {
    let mut rows = Rows::new(source);
    let names = names(&mut rows)?;
    let mut results = Results { time: Vec::new(), columns: Vec::new() };
    let mut found = BTreeSet::new();
    while rows.next()? {
        let time = rows.time(&names[0], results.time.last())?;
        results.time.push(time);
        let fields = rows.row.iter().skip(1).zip(&names[1..]).enumerate();
        for (index, (field, name)) in fields {
            if index == results.columns.len() {
                let values = if texts.contains(&index) { Values::Text(Vec::new()) } else { Values::like(field) };
                results.columns.push(ResultColumn { name: name.clone(), values });
            }
            if !found.contains(&index) && results.columns[index].values.push(field).is_err() {
                found.insert(index);
            }
        }
    }
    for name in &names[results.columns.len() + 1..] {
        results.columns.push(ResultColumn { name: name.clone(), values: Values::Text(Vec::new()) });
    }
    Ok((results, found))
}

/// The line of names.
fn names(rows: &mut Rows<impl Read>) -> Result<Vec<String>, ResultsError> {
    if !rows.next()? {
        return Err(ResultsProblem::Empty.into());
    }
    let names: Vec<String> = rows.row.iter().map(str::to_owned).collect();
    if !names[0].eq_ignore_ascii_case("time") {
        return Err(rows.at(None, ResultsProblem::NoTime { found: names[0].clone() }));
    }
    let mut known = BTreeSet::new();
    match names.iter().find(|name| !known.insert(name.as_str())) {
        Some(name) => Err(rows.at(Some(name), ResultsProblem::DuplicateColumn)),
        None => Ok(names),
    }
}

/// The rows of a file, one after the other.
struct Rows<R> {
    reader: csv::Reader<Window<R>>,
    row: csv::StringRecord,
}

impl<R: Read> Rows<R> {
    fn new(source: R) -> Self {
        let reader = csv::ReaderBuilder::new().has_headers(false).from_reader(Window::new(source));
        Self { reader, row: csv::StringRecord::new() }
    }

    /// Reads the next row, if there is one.
    fn next(&mut self) -> Result<bool, ResultsError> {
        self.reader.get_mut().row = self.reader.position().byte();
        self.reader.read_record(&mut self.row).map_err(|error| self.at(None, problem(error)))
    }

    /// The time of the row.
    fn time(&self, column: &str, previous: Option<&f64>) -> Result<f64, ResultsError> {
        let field = self.row.get(0).unwrap_or_default();
        let Some(time) = number(field).filter(|time| time.is_finite()) else {
            return Err(self.at(Some(column), ResultsProblem::NotATime { found: field.to_owned() }));
        };
        match previous {
            Some(&previous) if time < previous => Err(self.at(Some(column), ResultsProblem::TimeGoesBack { time, previous })),
            _ => Ok(time),
        }
    }

    fn at(&self, column: Option<&str>, problem: ResultsProblem) -> ResultsError {
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
            ResultsProblem::RowTooLong { limit: LONGEST_ROW }
        }
        csv::ErrorKind::Io(error) => ResultsProblem::Io(error),
        other => ResultsProblem::Io(io::Error::other(format!("{other:?}"))),
    }
}

/// Reads no more than a row may have, and knows in which line the row is: empty lines, and both kinds of line ends, count.
struct Window<R> {
    source: R,
    /// What was read, from the chunk on in which the row begins.
    bytes: Vec<u8>,
    /// Place of these bytes in the source.
    start: u64,
    /// Lines before them.
    lines: u64,
    /// Place of the row in the source.
    row: u64,
}

impl<R> Window<R> {
    fn new(source: R) -> Self {
        Self { source, bytes: Vec::new(), start: 0, lines: 0, row: 0 }
    }

    /// How many of the bytes are before the row.
    fn before(&self) -> usize {
        usize::try_from(self.row - self.start).map_or(self.bytes.len(), |before| before.min(self.bytes.len()))
    }

    /// The line, from 1, of the first byte of the row that is no line end.
    fn line(&self) -> u64 {
        let (before, rest) = self.bytes.split_at(self.before());
        let empty = rest.iter().take_while(|byte| matches!(byte, b'\n' | b'\r')).count();
        1 + self.lines + lines(before) + lines(&rest[..empty])
    }
}

fn lines(bytes: &[u8]) -> u64 {
    bytes.iter().filter(|byte| **byte == b'\n').count() as u64
}

impl<R: Read> Read for Window<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let before = self.before();
        self.lines += lines(&self.bytes[..before]);
        self.start += before as u64;
        self.bytes.drain(..before);
        let read = self.source.read(buffer)?;
        self.bytes.extend_from_slice(&buffer[..read]);
        if self.bytes.len() > LONGEST_ROW { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(read) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        algorithm::Signals,
        graph::ColumnSource,
        record::{Column, Csv, Event, Observer, Row, ValueType},
    };

    fn read(text: impl AsRef<[u8]>) -> Result<Results, ResultsError> {
        Results::read(io::Cursor::new(text.as_ref().to_vec()))
    }

    #[test]
    fn what_other_masters_write_is_read() {
        let results = read("\u{feff}\"time\",\"a.x\"\r\n0, 1\r\n\r\n1e-1,2.5").unwrap();
        assert_eq!((results.time(), results.values("a.x")), (&[0.0, 0.1] as &[f64], Some(&Values::Real(vec![1.0, 2.5]))));
    }

    #[test]
    fn text_that_begins_like_numbers_is_read_as_it_is() {
        let results = read("time,a.s,a.x\n0,1e0,1\n1,\"one, \"\"two\"\"\",2\n2,true,3\n").unwrap();
        let texts = ["1e0", "one, \"two\"", "true"].map(str::to_owned).to_vec();
        assert_eq!(results.values("a.s"), Some(&Values::Text(texts)));
        assert_eq!(results.values("a.x"), Some(&Values::Integer(vec![1, 2, 3])));
    }

    #[test]
    fn a_table_without_rows_has_columns() {
        let results = read("time,a.x\n").unwrap();
        assert_eq!((results.time().len(), results.columns().len()), (0, 1));
        assert!(results.values("a.x").unwrap().is_empty());
    }

    #[test]
    fn what_is_wrong_is_said_with_line_and_column() {
        let cases: [(&[u8], &str); 11] = [
            (b"", "results: it is empty"),
            (b"t,a.x\n", "results:1: the first column is `t`; it must be `time`"),
            (b"time;a.x\n", "results:1: the first column is `time;a.x`; it must be `time`, and commas must separate the columns"),
            (b"time,a.x,a.x\n", "results:1: column `a.x`: there are two columns of this name"),
            (b"time,a.x\n0,1\n1\n", "results:3: the row has 1 fields where there are 2 columns"),
            (b"time,a.x\n0,1\n\"1,2\n3,4\n", "results:3: the row has 1 fields where there are 2 columns"),
            (b"time,a.x\n0,1\n\nx,2\n", "results:4: column `time`: `x` is no time"),
            (b"time,a.x\r\n0,1\r\nx,2\r\n", "results:3: column `time`: `x` is no time"),
            (b"time,a.x\ninf,1\n", "results:2: column `time`: `inf` is no time"),
            (b"time,a.x\n0,1\n2,1\n1,1\n", "results:4: column `time`: the time 1 s comes after 2 s"),
            (b"time,a.x\n0,\xff\n", "results:2: the row is no UTF-8 text"),
        ];
        for (text, expected) in cases {
            let error = read(text).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
        let error = Results::open("nowhere.csv").unwrap_err().to_string();
        assert!(error.starts_with("nowhere.csv: cannot be read: "), "{error}");
    }

    #[test]
    fn what_is_written_reads_back_bit_for_bit() {
        let column = |name: &str, value_type| Column { name: name.into(), unit: None, value_type };
        let types = [ValueType::Real, ValueType::Integer, ValueType::Boolean, ValueType::Text];
        let columns: Vec<_> = ["a.x", "n, \"n\"", "a.b", "a.s"].into_iter().zip(types).map(|(n, t)| column(n, t)).collect();
        let sources = [ColumnSource::Real(0), ColumnSource::Integer(0), ColumnSource::Boolean(0), ColumnSource::Text(0)];
        let (mut out, mut rows) = (Vec::new(), Vec::new());
        let mut csv = Csv::new(&mut out);
        csv.observe(&Event::Started { columns: &columns, start: 0.0, stop: 1.0 });
        for index in 0..2000_u64 {
            // The multiplier of SplitMix64 spreads the bits.
            let bits = (index + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let text: String =
                (0..index % 7).map(|k| ['"', ',', '\n', '\r', ' ', 'é', '1'][(bits >> (4 * k)) as usize % 7]).collect();
            let signals = Signals {
                reals: vec![f64::from_bits(bits)],
                integers: vec![bits as i32],
                booleans: vec![bits & 1 == 0],
                texts: vec![format!("t{text}")],
                ..Signals::default()
            };
            csv.observe(&Event::Row(Row { time: 0.1 * index as f64, signals: &signals, sources: &sources, estimates: &[] }));
            rows.push(signals);
        }
        csv.finish().unwrap();
        let results = read(out).unwrap();
        let [Values::Real(reals), Values::Integer(integers), Values::Boolean(booleans), Values::Text(texts)] =
            ["a.x", "n, \"n\"", "a.b", "a.s"].map(|name| results.values(name).unwrap())
        else {
            panic!("other types")
        };
        for (index, row) in rows.iter().enumerate() {
            assert_eq!(results.time()[index].to_bits(), (0.1 * index as f64).to_bits());
            let (written, read) = (row.reals[0], reals[index]);
            assert!(written.to_bits() == read.to_bits() || written.is_nan() && read.is_nan(), "{written:e} {read:e}");
            assert_eq!((integers[index], booleans[index]), (row.integers[0].into(), row.booleans[0]));
            assert_eq!(texts[index], row.texts[0]);
        }
    }

    #[test]
    fn a_row_without_end_takes_bounded_memory() {
        let endless = Read::chain(io::Cursor::new("time,a\n0,\""), io::repeat(b'x'));
        let error = super::read(endless, &BTreeSet::new()).unwrap_err().to_string();
        assert_eq!(error, "results:2: the row is longer than 67108864 bytes; is a quote not closed?");
    }
}
