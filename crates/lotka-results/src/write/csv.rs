//! Results as CSV, quoted as in RFC 4180.

use std::io::{self, Write};

use lotka_plan::column::Column;
use lotka_run::record::{Notification, Observer, Row, Value};

use super::{
    bars::Bars,
    sink::{Sink, cannot_withdraw},
};
use crate::{hash_of, header};

/// Size of the buffer at which rows are written \[byte\]; they are also written at the end.
const BUFFER: usize = 1 << 16;

/// Beginnings of a text that a spreadsheet takes for a formula; some remove white space first.
const FORMULA: [char; 7] = ['=', '+', '-', '@', '\t', '\n', '\r'];

/// Writes one line of names and one line per row: the time, then the columns, in the shortest digits that read back to the same
/// double.
///
/// A write error stops the writing, not the run; [`Csv::finish`] returns it. Each write ends with a whole row.
///
/// If a run continues from a checkpoint, the names are not written again. The writer must be at the end of the earlier rows.
///
/// In a run with `tolerance`, [`Csv::with_error_bars`] adds columns with the estimated error of every Real value:
///
/// ```
/// use lotka::{Csv, Fmu, System};
/// # use fmu_sdk::{description, functions};
/// # let prey = Fmu::from_functions(description::<models::Prey>(), functions::<models::Prey>());
///
/// let mut simulation = System::new().instance_of("prey", &prey).stop(10.0).tolerance(1e-6).build()?;
/// let mut text = Vec::new();
/// let mut csv = Csv::with_error_bars(&mut text);
/// simulation.run(&mut [&mut csv])?;
/// csv.finish()?;
/// assert!(text.starts_with(b"time,prey.x,prey.x (error)\n0.0,10.0,"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Csv<W: Write> {
    writer: W,
    buffer: Vec<u8>,
    handed_on: u64,
    error: Option<io::Error>,
    bars: Bars,
    is_for_spreadsheets: bool,
}

impl<W: Write> Csv<W> {
    /// Creates an observer that writes to `writer`, which need not be buffered.
    pub fn new(writer: W) -> Self {
        let buffer = Vec::with_capacity(BUFFER + (BUFFER >> 2));
        Self { writer, buffer, handed_on: 0, error: None, bars: Bars::default(), is_for_spreadsheets: false }
    }

    /// Like [`Csv::new`], with an additional column `instance.variable (error)` for each Real column that is not constant. These
    /// columns come after all others. They contain the estimated absolute error of each value ([`Row::error_estimates`]); without
    /// `tolerance`, their fields are empty.
    pub fn with_error_bars(writer: W) -> Self {
        Self::new(writer).and_error_bars()
    }

    pub(crate) fn and_error_bars(self) -> Self {
        Self { bars: Bars::wanted(), ..self }
    }

    /// Writes an apostrophe before every name and text that a spreadsheet would take for a formula: those that begin with `=`,
    /// `+`, `-`, `@`, a tab or a line end. Numbers stay as they are. Without this, names and texts are written as the FMUs have
    /// them.
    #[must_use]
    pub fn spreadsheet(self) -> Self {
        Self { is_for_spreadsheets: true, ..self }
    }

    /// Writes the remaining rows and returns the first error, if there was one.
    ///
    /// # Errors
    /// The first error of writing.
    pub fn finish(mut self) -> io::Result<()> {
        self.flush();
        self.error.take().map_or(Ok(()), Err)
    }

    /// Returns the first write error so far.
    pub fn error(&self) -> Option<&io::Error> {
        self.error.as_ref()
    }

    /// Returns the number of bytes that the writer has accepted, all of them whole rows. A failed write does not count, even if a
    /// part of it was written.
    pub fn bytes(&self) -> u64 {
        self.handed_on
    }

    /// Writes the rows so far. After that, they survive the end of the process.
    pub fn flush(&mut self) {
        if self.error.is_none() {
            let result = self.writer.write_all(&self.buffer).and_then(|()| self.writer.flush());
            self.handed_on += if result.is_ok() { self.buffer.len() as u64 } else { 0 };
            self.error = result.err();
        }
        self.buffer.clear();
    }

    /// Returns the data that is not written yet, and the number of bytes before it. With both, another process can complete the
    /// file.
    pub fn pending(&self) -> (u64, &[u8]) {
        (self.handed_on, &self.buffer)
    }

    #[inline]
    fn row(&mut self, row: Row<'_>) {
        self.number(row.time);
        for value in row.values() {
            self.buffer.push(b',');
            match value {
                Value::Real(value) => self.number(value),
                Value::Integer(value) => self.integer(value),
                Value::Boolean(value) => self.buffer.extend_from_slice(if value { b"true" } else { b"false" }),
                Value::Text(value) => self.text(value),
                Value::Binary(value) => self.text(&hash_of(value)),
            }
        }
        self.error_bars(row);
        self.buffer.push(b'\n');
        if self.buffer.len() >= BUFFER {
            self.flush();
        }
    }

    fn error_bars(&mut self, row: Row<'_>) {
        for position in 0..self.bars.positions.len() {
            self.buffer.push(b',');
            if let Some(&estimate) = row.error_estimates().get(self.bars.positions[position]) {
                self.number(estimate);
            }
        }
    }

    fn names(&mut self, columns: &[Column]) {
        self.buffer.extend_from_slice(b"time");
        for column in columns {
            self.buffer.push(b',');
            self.name(&column.name);
        }
        self.bars.find(columns);
        for position in 0..self.bars.positions.len() {
            self.buffer.push(b',');
            self.name(&Bars::of(&columns[self.bars.positions[position]]).name);
        }
        self.buffer.push(b'\n');
    }

    #[inline]
    fn number(&mut self, value: f64) {
        self.buffer.extend_from_slice(zmij::Buffer::new().format(value).as_bytes());
    }

    fn integer(&mut self, value: i128) {
        // Writing to a vector cannot fail.
        let _ = write!(self.buffer, "{value}");
    }

    fn name(&mut self, name: &str) {
        let (name, needs_quotes) = header::written(name);
        self.quoted(&name, needs_quotes);
    }

    fn text(&mut self, value: &str) {
        self.quoted(value, false);
    }

    fn quoted(&mut self, value: &str, needs_quotes: bool) {
        let mark: &[u8] = if self.is_for_spreadsheets && value.starts_with(FORMULA) { b"'" } else { b"" };
        if needs_quotes || value.contains(['"', ',', '\n', '\r']) {
            self.buffer.push(b'"');
            self.buffer.extend_from_slice(mark);
            self.buffer.extend_from_slice(value.replace('"', "\"\"").as_bytes());
            self.buffer.push(b'"');
        } else {
            self.buffer.extend_from_slice(mark);
            self.buffer.extend_from_slice(value.as_bytes());
        }
    }
}

impl<W: Write> Observer for Csv<W> {
    fn observe(&mut self, notification: &Notification<'_>) {
        match notification {
            Notification::Row(row) => self.row(*row),
            Notification::Started { columns, .. } => self.names(columns),
            Notification::Resumed { columns, .. } => self.bars.find(columns),
            Notification::Returned { .. } => {
                self.flush();
                self.error.get_or_insert_with(cannot_withdraw);
            }
            Notification::Ended { .. } => self.flush(),
            _ => {}
        }
    }

    fn wants_steps(&self) -> bool {
        false
    }
}

impl<W: Write + Send> Sink for Csv<W> {
    fn flush(&mut self) {
        self.flush();
    }

    fn pending(&self) -> &[u8] {
        self.pending().1
    }

    super::sink::delegate!();
}

#[cfg(test)]
mod tests {
    use super::*;
    use lotka_plan::{
        column::{Column, ValueType},
        graph::ColumnSource,
    };
    use lotka_step::algorithm::Signals;

    fn column(name: &str) -> Column {
        Column::new(name, ValueType::Real)
    }

    #[test]
    fn numbers_read_back_bit_for_bit_and_texts_are_quoted_when_they_must_be() {
        let reals = vec![0.1 + 0.2, -0.0, 5e-324, 1.7976931348623157e308];
        let signals = Signals {
            reals: reals.clone(),
            integers: vec![-3],
            booleans: vec![true],
            texts: vec!["a \"b\",c".into()],
            ..Signals::default()
        };
        let mut sources: Vec<_> = (0..4).map(ColumnSource::Real).collect();
        sources.extend([ColumnSource::Integer(0), ColumnSource::Boolean(0), ColumnSource::Text(0)]);
        let mut out = Vec::new();
        let mut csv = Csv::new(&mut out);
        csv.observe(&Notification::Started { columns: &[column("a.x"), column("b,c")], start: 0.0, stop: 1.0 });
        csv.observe(&Notification::Row(Row::new(0.5, &signals, &sources, &[])));
        csv.finish().unwrap();
        let text = String::from_utf8(out).unwrap();
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some("time,a.x,\"b,c\""));
        let fields: Vec<_> = lines.next().unwrap().splitn(6, ',').collect();
        assert_eq!(fields[0].parse(), Ok(0.5));
        for (field, value) in fields[1..5].iter().zip(&reals) {
            assert_eq!(field.parse::<f64>().unwrap().to_bits(), value.to_bits(), "{field}");
        }
        assert_eq!(fields[5], "-3,true,\"a \"\"b\"\",c\"");
    }

    #[test]
    fn error_bars_follow_the_columns_and_only_real_ones_have_them() {
        let signals = Signals { reals: vec![1.5, -2.0], integers: vec![7], ..Signals::default() };
        let sources = [ColumnSource::Real(0), ColumnSource::Integer(0), ColumnSource::Real(1)];
        let count = Column::new("a.n", ValueType::Integer);
        let mut out = Vec::new();
        let mut csv = Csv::with_error_bars(&mut out);
        csv.observe(&Notification::Started { columns: &[column("a.x"), count, column("b,c")], start: 0.0, stop: 1.0 });
        let row = |estimates| Row::new(0.5, &signals, &sources, estimates);
        csv.observe(&Notification::Row(row(&[1e-9, f64::NAN, 0.25])));
        csv.observe(&Notification::Row(row(&[])));
        csv.finish().unwrap();
        let text = String::from_utf8(out).unwrap();
        let names = "time,a.x,a.n,\"b,c\",a.x (error),\"b,c (error)\"";
        assert_eq!(text, format!("{names}\n0.5,1.5,7,-2.0,1e-9,0.25\n0.5,1.5,7,-2.0,,\n"));
    }

    #[test]
    fn spreadsheets_get_no_formulas() {
        let texts = ["=1+1", "+a", "-1.5", "@b", "\t=c", "\r=\"d\"", "e=f", ""].map(str::to_owned);
        let signals = Signals { reals: vec![-1.5], integers: vec![-3], texts: texts.to_vec(), ..Signals::default() };
        let mut sources: Vec<_> = (0..8).map(ColumnSource::Text).collect();
        sources.extend([ColumnSource::Real(0), ColumnSource::Integer(0)]);
        let written = |csv: fn(&mut Vec<u8>) -> Csv<&mut Vec<u8>>| {
            let mut out = Vec::new();
            let mut csv = csv(&mut out);
            csv.observe(&Notification::Started {
                columns: &[column("=a.x"), column("-b,c"), column("d.-y")],
                start: 0.0,
                stop: 1.0,
            });
            csv.observe(&Notification::Row(Row::new(-0.5, &signals, &sources, &[])));
            csv.finish().unwrap();
            String::from_utf8(out).unwrap()
        };
        assert_eq!(
            written(|out| Csv::new(out).spreadsheet()),
            "time,'=a.x,\"'-b,c\",d.-y\n-0.5,'=1+1,'+a,'-1.5,'@b,'\t=c,\"'\r=\"\"d\"\"\",e=f,,-1.5,-3\n"
        );
        assert_eq!(
            written(|out| Csv::new(out)),
            "time,=a.x,\"-b,c\",d.-y\n-0.5,=1+1,+a,-1.5,@b,\t=c,\"\r=\"\"d\"\"\",e=f,,-1.5,-3\n"
        );
    }

    #[test]
    fn rows_in_a_file_cannot_be_withdrawn() {
        let signals = Signals { reals: vec![1.5], ..Signals::default() };
        let mut out = Vec::new();
        let mut csv = Csv::new(&mut out);
        csv.observe(&Notification::Started { columns: &[column("a.x")], start: 0.0, stop: 1.0 });
        csv.observe(&Notification::Row(Row::new(0.5, &signals, &[ColumnSource::Real(0)], &[])));
        csv.observe(&Notification::Returned { time: 0.0, rows: 0 });
        csv.observe(&Notification::Row(Row::new(0.25, &signals, &[ColumnSource::Real(0)], &[])));
        assert_eq!(csv.finish().unwrap_err().kind(), io::ErrorKind::Unsupported);
        assert_eq!(out, b"time,a.x\n0.5,1.5\n");
    }

    struct Full;

    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::Error::from(io::ErrorKind::StorageFull))
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_full_disk_is_reported_at_the_end() {
        let mut csv = Csv::new(Full);
        csv.observe(&Notification::Started { columns: &[], start: 0.0, stop: 1.0 });
        assert_eq!(csv.finish().unwrap_err().kind(), io::ErrorKind::StorageFull);
    }
}
