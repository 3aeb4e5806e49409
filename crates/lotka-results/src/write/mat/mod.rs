//! Writes results as trajectories in a file of MATLAB's version 4, like OpenModelica and Dymola.
//!
//! `layout` determines the places of all matrices; this module appends the rows.

mod layout;

use std::io::{self, Seek, SeekFrom, Write};

use layout::Layout;
use lotka_plan::column::Column;
use lotka_run::record::{Notification, Observer, Row, Value};

use super::{
    bars::Bars,
    sink::{RowCount, Sink, cannot_withdraw},
};

/// Size of the buffer at which rows are written \[byte\]; they are also written at the end.
const BUFFER: usize = 1 << 16;

/// Writes a file for OpenModelica, Dymola, MATLAB, and Python programs that read their results. The file has the matrices
/// `Aclass`, `name`, `description`, `dataInfo`, `data_1` (constants) and `data_2` (time and everything that changes). Units are
/// in brackets at the end of the descriptions. All values are numbers: booleans are 0 and 1, items of enumerations are their
/// numbers, and columns of text are left out. An event is two rows at the same time.
///
/// Rows are appended before the row count is updated, so an interrupted file is valid up to the last rows that were written. A
/// write error stops the writing, not the run; [`Mat::finish`] returns it. If a run continues from a checkpoint, the writer must
/// be at the end of the earlier rows.
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
    /// Number of rows in the file, and in the buffer.
    written: u64,
    waiting: u64,
    handed_on: u64,
    error: Option<io::Error>,
}

impl<W: Write + Seek> Mat<W> {
    /// Creates an observer that writes to `writer` from its beginning. The writer need not be buffered.
    pub fn new(writer: W) -> Self {
        let buffer = Vec::with_capacity(BUFFER + (BUFFER >> 2));
        let (layout, bars, span) = (None, Bars::default(), (0.0, 0.0));
        Self { writer, buffer, layout, bars, span, has_begun: false, written: 0, waiting: 0, handed_on: 0, error: None }
    }

    /// Like [`Mat::new`], with an additional variable `instance.variable (error)` for each Real variable that is not constant, as
    /// in [`Csv::with_error_bars`](super::Csv::with_error_bars). Its values are NaN in runs without `tolerance`.
    pub fn with_error_bars(writer: W) -> Self {
        Self { bars: Bars::wanted(), ..Self::new(writer) }
    }

    /// Writes the remaining rows and returns the first error, if there was one.
    ///
    /// # Errors
    /// The first error of writing.
    pub fn finish(mut self) -> io::Result<()> {
        self.begin(None);
        self.flush();
        self.error.take().map_or(Ok(()), Err)
    }

    /// Returns the first write error so far.
    pub fn error(&self) -> Option<&io::Error> {
        self.error.as_ref()
    }

    /// Returns the number of bytes added to the file, all of them whole rows. A failed write does not count, even if a part of it
    /// was written.
    pub fn bytes(&self) -> u64 {
        self.handed_on
    }

    /// Returns the data that is not written yet, and the number of bytes before it. Together with [`Mat::row_count`], another
    /// process can complete the file.
    pub fn pending(&self) -> (u64, &[u8]) {
        (self.handed_on, &self.buffer)
    }

    /// Returns the place of the row count in the file; `None` before the first row.
    pub fn row_count(&self) -> Option<RowCount> {
        let layout = self.layout.as_ref().filter(|_| self.has_begun)?;
        Some(RowCount { place: layout.count_place() as u64, begin: layout.rows_begin(), length: layout.row_length() })
    }

    /// Writes the rows so far. After that, they survive the end of the process.
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

    /// Plans the layout when the columns are known; the constants follow with the first row.
    fn plan(&mut self, columns: &[Column], span: (f64, f64)) {
        self.bars.find(columns);
        let bars: Vec<_> = self.bars.positions.iter().map(|&index| Bars::of(&columns[index])).collect();
        self.layout = Some(Layout::new(columns, &bars));
        self.span = span;
    }

    /// Continues after the existing rows.
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

    /// Sets the row count, because the file may have had more rows before.
    fn set_count(&mut self) -> io::Result<()> {
        let Some(layout) = &self.layout else { return Ok(()) };
        self.writer.seek(SeekFrom::Start(layout.count_place() as u64))?;
        self.writer.write_all(&(self.written as u32).to_le_bytes())?;
        self.writer.seek(SeekFrom::Start(layout.end(self.written))).map(drop)
    }

    #[inline]
    fn row(&mut self, row: Row<'_>) {
        self.begin(Some(row));
        if self.error.is_none() {
            self.error = row.values().find_map(inexact);
        }
        let Some(layout) = &self.layout else { return };
        self.buffer.extend_from_slice(&row.time.to_le_bytes());
        let mut trajectories = layout.trajectories.iter().peekable();
        for (index, value) in row.values().enumerate() {
            if trajectories.next_if(|&&next| next == index).is_some() {
                self.buffer.extend_from_slice(&value.as_f64().to_le_bytes());
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

    /// Adds the matrices before the rows, with the constants of the first row. Without rows, the constants are unknown.
    fn begin(&mut self, first: Option<Row<'_>>) {
        let Some(layout) = self.layout.as_ref().filter(|_| !self.has_begun) else { return };
        let values: Vec<_> = first.map(|row| row.values().map(Value::as_f64).collect()).unwrap_or_default();
        let constants: Vec<_> = layout.constants.iter().map(|&index| values.get(index).copied().unwrap_or(f64::NAN)).collect();
        self.buffer.extend(layout.begin(self.span, &constants));
        self.has_begun = true;
    }
}

/// The error for an integer that such a file cannot hold exactly.
fn inexact(value: Value<'_>) -> Option<io::Error> {
    match value {
        Value::Integer(value) if value as f64 as i128 != value => {
            let what = format!("such a file cannot hold the integer {value} exactly; write CSV or Parquet");
            Some(io::Error::new(io::ErrorKind::InvalidData, what))
        }
        _ => None,
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
            Notification::Returned { .. } => {
                self.flush();
                self.error.get_or_insert_with(cannot_withdraw);
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

impl<W: Write + Seek + Send> Sink for Mat<W> {
    fn flush(&mut self) {
        self.flush();
    }

    fn pending(&self) -> &[u8] {
        self.pending().1
    }

    fn row_count(&self) -> Option<RowCount> {
        self.row_count()
    }

    super::sink::delegate!();
}
