//! Results as trajectories in a file of MATLAB's version 4, as OpenModelica and Dymola write them.
//!
//! `layout` determines the places of all matrices; this module appends the rows.

mod layout;

use std::io::{self, Seek, SeekFrom, Write};

use super::RowCount;
use layout::Layout;

use lotka_engine::record::{Column, Notification, Observer, Row, Value};

use crate::write::bars::Bars;

/// Rows are written when the buffer has this number of bytes, and at the end.
const BUFFER: usize = 1 << 16;

/// Writes a file that OpenModelica, Dymola, MATLAB and readers of their results in Python open: the matrices `Aclass`, `name`,
/// `description`, `dataInfo`, `data_1` (constants) and `data_2` (time and all that changes), where units stand in brackets at the end of the
/// descriptions. All values are numbers: booleans are 0 and 1, items of enumerations their numbers, and columns of texts are left
/// out. An event is two rows of the same time.
///
/// Rows are added at the end, and then the number of rows is set: a file that was left in between is whole up to the last rows that
/// were handed on. A write error stops the writing, not the run; [`Mat::finish`] returns it. Where a run goes on from a checkpoint, the writer
/// is to stand at the end of the rows before it.
///
/// Reference: MathWorks, MAT-File Format, version 4; OpenModelica User's Guide, Technical Details, the MATv4 result file format.
///
/// ```
/// use lotka::{Mat, Results, System, Values};
/// # use fmu_sdk::{description, functions};
/// # let prey = lotka::Fmu::from_functions(description::<models::Prey>(), functions::<models::Prey>());
///
/// let mut file = std::io::Cursor::new(Vec::new());
/// let mut mat = Mat::new(&mut file);
/// System::new().instance_of("prey", &prey).stop(1.0).step(0.5).record(&["prey.a", "prey.x"]).build()?.run(&mut [&mut mat])?;
/// mat.finish()?;
/// file.set_position(0);
/// let results = Results::read(file)?;
/// assert_eq!(results.time(), [0.0, 0.5, 1.0]);
/// assert_eq!(results.values("prey.a"), Some(&Values::Real(vec![0.1, 0.1, 0.1])));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Mat<W: Write + Seek> {
    writer: W,
    /// The data to append to the file.
    buffer: Vec<u8>,
    layout: Option<Layout>,
    bars: Bars,
    span: (f64, f64),
    has_begun: bool,
    /// Rows in the file, and in the buffer.
    written: u64,
    waiting: u64,
    handed_on: u64,
    error: Option<io::Error>,
}

impl<W: Write + Seek> Mat<W> {
    /// Writes to `writer`, from its beginning; buffering is done here.
    pub fn new(writer: W) -> Self {
        let buffer = Vec::with_capacity(BUFFER + (BUFFER >> 2));
        let (layout, bars, span) = (None, Bars::default(), (0.0, 0.0));
        Self { writer, buffer, layout, bars, span, has_begun: false, written: 0, waiting: 0, handed_on: 0, error: None }
    }

    /// As [`Mat::new`], with a variable `instance.variable (error)` for each Real one that is not constant, as
    /// [`Csv::with_error_bars`](super::Csv::with_error_bars) has; not a number in runs without `tolerance`.
    pub fn with_error_bars(writer: W) -> Self {
        Self { bars: Bars::wanted(), ..Self::new(writer) }
    }

    /// Writes what is left and returns the first error, if there was one.
    ///
    /// # Errors
    /// The first error of writing.
    pub fn finish(mut self) -> io::Result<()> {
        self.flush();
        self.error.take().map_or(Ok(()), Err)
    }

    /// The first write error so far.
    pub fn error(&self) -> Option<&io::Error> {
        self.error.as_ref()
    }

    /// Bytes that were added to the file, all of them whole rows. What the writer took of a write that failed is not among them.
    pub fn bytes(&self) -> u64 {
        self.handed_on
    }

    /// What was not handed on yet, and how many bytes were before it: with [`Mat::row_count`] enough to complete a file in place of this process.
    pub fn pending(&self) -> (u64, &[u8]) {
        (self.handed_on, &self.buffer)
    }

    /// Where the file has the number of its rows; `None` before the first one.
    pub fn row_count(&self) -> Option<RowCount> {
        let layout = self.layout.as_ref().filter(|_| self.has_begun)?;
        Some(RowCount { place: layout.count_place() as u64, begin: layout.rows_begin(), length: layout.row_length() })
    }

    /// Hands the rows so far on; after that they survive the end of the process.
    pub fn flush(&mut self) {
        if self.error.is_none() {
            match self.hand_on() {
                Ok(()) => {
                    self.written += self.waiting;
                    self.handed_on += self.buffer.len() as u64;
                }
                Err(error) => self.error = Some(error),
            }
        }
        self.buffer.clear();
        self.waiting = 0;
    }

    fn hand_on(&mut self) -> io::Result<()> {
        self.writer.write_all(&self.buffer)?;
        if let (Some(layout), true) = (&self.layout, self.waiting > 0) {
            let rows = i32::try_from(self.written + self.waiting);
            let rows =
                rows.map_err(|_| io::Error::new(io::ErrorKind::FileTooLarge, "such a file has at most 2147483647 rows"))?;
            // Rows are written before the header counts them.
            self.writer.flush()?;
            self.writer.seek(SeekFrom::Start(layout.count_place() as u64))?;
            self.writer.write_all(&rows.to_le_bytes())?;
            self.writer.seek(SeekFrom::Start(layout.end(self.written + self.waiting)))?;
        }
        self.writer.flush()
    }

    /// The columns are known, but the constants only from the first row on.
    fn plan(&mut self, columns: &[Column], span: (f64, f64)) {
        self.bars.find(columns);
        let bars: Vec<_> = self.bars.positions.iter().map(|&index| Bars::of(&columns[index])).collect();
        self.layout = Some(Layout::new(columns, &bars));
        self.span = span;
    }

    /// Rows follow the existing ones.
    fn go_on(&mut self) {
        let Some(layout) = &self.layout else { return };
        let position = self.writer.stream_position().map(|position| position.checked_sub(layout.rows_begin()));
        match position {
            Ok(Some(length)) if length % layout.row_length() == 0 => {
                (self.has_begun, self.written) = (true, length / layout.row_length());
                self.error = self.set_count().err();
            }
            Ok(_) => self.error = Some(io::Error::new(io::ErrorKind::InvalidData, "the rows in the file have changed")),
            Err(error) => self.error = Some(error),
        }
    }

    /// The file may have had more rows before.
    fn set_count(&mut self) -> io::Result<()> {
        let Some(layout) = &self.layout else { return Ok(()) };
        self.writer.seek(SeekFrom::Start(layout.count_place() as u64))?;
        self.writer.write_all(&(self.written as u32).to_le_bytes())?;
        self.writer.seek(SeekFrom::Start(layout.end(self.written))).map(drop)
    }

    #[inline]
    fn row(&mut self, row: Row<'_>) {
        self.begin(Some(row));
        let Some(layout) = &self.layout else { return };
        self.buffer.extend_from_slice(&row.time.to_le_bytes());
        let mut trajectories = layout.trajectories.iter().peekable();
        for (index, value) in row.values().enumerate() {
            if trajectories.next_if(|&&next| next == index).is_some() {
                self.buffer.extend_from_slice(&number(value).to_le_bytes());
            }
        }
        for &index in &self.bars.positions {
            let estimate = row.error_estimates().get(index).copied().unwrap_or(f64::NAN);
            self.buffer.extend_from_slice(&estimate.to_le_bytes());
        }
        self.waiting += 1;
        if self.buffer.len() >= BUFFER {
            self.flush();
        }
    }

    /// The matrices before the rows, with the constants from the first row. Without rows they are unknown.
    fn begin(&mut self, first: Option<Row<'_>>) {
        let Some(layout) = self.layout.as_ref().filter(|_| !self.has_begun) else { return };
        let values: Vec<_> = first.map(|row| row.values().map(number).collect()).unwrap_or_default();
        let constants: Vec<_> = layout.constants.iter().map(|&index| values.get(index).copied().unwrap_or(f64::NAN)).collect();
        self.buffer.extend(layout.begin(self.span, &constants));
        self.has_begun = true;
    }
}

fn number(value: Value<'_>) -> f64 {
    match value {
        Value::Real(value) => value,
        Value::Integer(value) => value.into(),
        Value::Boolean(value) => f64::from(u8::from(value)),
        Value::Text(_) => f64::NAN,
    }
}

impl<W: Write + Seek> Observer for Mat<W> {
    fn observe(&mut self, notification: &Notification<'_>) {
        match notification {
            Notification::Row(row) => self.row(*row),
            Notification::Started { columns, start, stop } => self.plan(columns, (*start, *stop)),
            Notification::Resumed { columns, start, stop, .. } => {
                self.plan(columns, (*start, *stop));
                self.go_on();
            }
            Notification::Ended { .. } => {
                self.begin(None);
                self.flush();
            }
            _ => {}
        }
    }

    fn wants_steps(&self) -> bool {
        false
    }
}
