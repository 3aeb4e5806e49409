//! Writes results as Parquet.
//!
//! `table` holds the rows of the next group. `file` writes groups to the file, each followed by a footer that the next group
//! replaces. This module makes tables of the rows of a run.

mod file;
mod table;

pub use file::ParquetTable;
pub(crate) use file::{ABOUT, NOTE};

use std::io::{self, Seek, Write};

use lotka_plan::column::{Column, ValueType};
use lotka_run::record::{Notification, Observer, Row, Value};

use crate::write::bars::Bars;

/// Writes a column `time` and one column per recorded variable, compressed with gzip: Real as `DOUBLE`, Integer and Enumeration
/// as `INT32`, Boolean as `BOOLEAN`, String as UTF-8 text. The metadata key `lotka` describes the columns as JSON. Its object
/// `columns` contains for each name `type`, `unit`, `description`, `constant`, `fmu` (model name) and, for an enumeration,
/// `items` (names by number).
///
/// Rows gather in memory and go to the file in groups. After each group, the file is complete. A process that ends without
/// [`Parquet::finish`] leaves the earlier groups. A process that is killed while it writes a group leaves a file without its end.
/// A write error stops the writing, not the run; [`Parquet::finish`] returns it. A run cannot continue from a checkpoint in such
/// a file.
///
/// ```
/// use lotka::{Parquet, Results, System, Values};
/// # use fmu_sdk::{description, functions};
/// # let prey = lotka::Fmu::from_functions(description::<models::Prey>(), functions::<models::Prey>());
///
/// let mut file = std::io::Cursor::new(Vec::new());
/// let mut parquet = Parquet::new(&mut file);
/// System::new().instance_of("prey", &prey).stop(1.0).step(0.5).build()?.run(&mut [&mut parquet])?;
/// parquet.finish()?;
/// file.set_position(0);
/// let results = Results::read(file)?;
/// assert_eq!(results.time(), [0.0, 0.5, 1.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Parquet<W: Write + Seek> {
    table: ParquetTable<W>,
    bars: Bars,
}

impl<W: Write + Seek> Parquet<W> {
    /// Creates an observer that writes to `writer` from its beginning.
    pub fn new(writer: W) -> Self {
        Self { table: ParquetTable::without_columns(writer), bars: Bars::default() }
    }

    /// Like [`Parquet::new`], with an additional column `instance.variable (error)` for each Real column that is not constant, as
    /// in [`Csv::with_error_bars`](super::Csv::with_error_bars). Its values are NaN in runs without `tolerance`.
    pub fn with_error_bars(writer: W) -> Self {
        Self { bars: Bars::wanted(), ..Self::new(writer) }
    }

    /// Writes the remaining rows and returns the first error, if there was one.
    ///
    /// # Errors
    /// The first error of writing.
    pub fn finish(self) -> io::Result<()> {
        self.table.finish()
    }

    /// Returns the first write error so far.
    pub fn error(&self) -> Option<&io::Error> {
        self.table.error()
    }

    /// Returns the length of the file with all groups so far \[byte\]. After a write error, the file may be longer.
    pub fn bytes(&self) -> u64 {
        self.table.bytes()
    }

    /// Returns the number of rows in the file.
    pub fn rows(&self) -> usize {
        self.table.rows()
    }

    /// Writes the rows so far, as a group.
    pub fn flush(&mut self) {
        self.table.flush();
    }

    /// Writes the rows so far if they are enough for a group: at least an eighth of the rows in the file.
    pub fn flush_if_worthwhile(&mut self) {
        self.table.flush_if_worthwhile();
    }

    fn begin(&mut self, columns: &[Column]) {
        self.bars.find(columns);
        let mut time = Column::new("time", ValueType::Real);
        (time.unit, time.description) = (Some("s".to_owned()), Some("time".to_owned()));
        let barred = self.bars.positions.iter().map(|&index| Bars::of(&columns[index]));
        self.table.begin([time].into_iter().chain(columns.iter().cloned()).chain(barred).collect());
    }

    #[inline]
    fn row(&mut self, row: Row<'_>) {
        let bar = |&index: &usize| Value::Real(row.error_estimates().get(index).copied().unwrap_or(f64::NAN));
        self.table.push([Value::Real(row.time)].into_iter().chain(row.values()).chain(self.bars.positions.iter().map(bar)));
    }
}

impl<W: Write + Seek> Observer for Parquet<W> {
    fn observe(&mut self, notification: &Notification<'_>) {
        match notification {
            Notification::Row(row) => self.row(*row),
            Notification::Started { columns, .. } => self.begin(columns),
            Notification::Resumed { .. } => {
                let what = "a run cannot be resumed in a Parquet file";
                self.table.fail(io::Error::new(io::ErrorKind::Unsupported, what));
            }
            Notification::Returned { .. } => {
                self.flush();
                self.table.fail(crate::write::cannot_withdraw());
            }
            Notification::Ended { .. } => self.flush(),
            _ => {}
        }
    }

    fn wants_steps(&self) -> bool {
        false
    }
}
