//! Rows of a run in a table that is written in groups.

use std::io::{self, Seek, Write};

use lotka_plan::column::{Column, ValueType};
use lotka_run::record::{Notification, Observer, Row, Value};

use super::{
    bars::Bars,
    grouped::{Encoder, GroupedTable},
    sink::{Sink, cannot_withdraw},
};
use crate::WriteOptions;

/// Writes a column `time` and one column per recorded variable, as [`Parquet`](crate::Parquet) and [`Arrow`](crate::Arrow). The
/// metadata key `lotka` describes the columns as JSON. Its object `columns` contains for each name `type`, `unit`, `description`,
/// `constant`, `fmu` (model name) and, for an enumeration, `items` (names by number).
///
/// Rows gather in memory and go to the file in groups. After each group, the file is complete. A process that ends without
/// [`GroupedRows::finish`] leaves the earlier groups. A process that is killed while it writes a group leaves a file without its
/// end. A write error stops the writing, not the run; [`GroupedRows::finish`] returns it. A run cannot continue from a checkpoint
/// in such a file.
#[derive(Debug)]
pub struct GroupedRows<W, E> {
    table: GroupedTable<W, E>,
    bars: Bars,
}

impl<W: Write + Seek, E: Encoder> GroupedRows<W, E> {
    /// Creates an observer that writes to `writer` from its beginning.
    pub fn new(writer: W) -> Self {
        Self::with(writer, &WriteOptions::default())
    }

    /// Like [`GroupedRows::new`], with an additional column `instance.variable (error)` for each Real column that is not
    /// constant, as in [`Csv::with_error_bars`](crate::Csv::with_error_bars). Its values are NaN in runs without `tolerance`.
    pub fn with_error_bars(writer: W) -> Self {
        Self::with(writer, &WriteOptions { error_bars: true, ..WriteOptions::default() })
    }

    pub(crate) fn with(writer: W, options: &WriteOptions) -> Self {
        let bars = if options.error_bars { Bars::wanted() } else { Bars::default() };
        Self { table: GroupedTable::without_columns(writer), bars }
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

impl<W: Write + Seek, E: Encoder> Observer for GroupedRows<W, E> {
    fn observe(&mut self, notification: &Notification<'_>) {
        match notification {
            Notification::Row(row) => self.row(*row),
            Notification::Started { columns, .. } => self.begin(columns),
            Notification::Resumed { .. } => {
                let what = format!("a run cannot be resumed in {}", E::KIND);
                self.table.fail(io::Error::new(io::ErrorKind::Unsupported, what));
            }
            Notification::Returned { .. } => {
                self.flush();
                self.table.fail(cannot_withdraw());
            }
            Notification::Ended { .. } => self.flush(),
            _ => {}
        }
    }

    fn wants_steps(&self) -> bool {
        false
    }
}

/// Waiting rows are lost with the process.
impl<W: Write + Seek + Send, E: Encoder> Sink for GroupedRows<W, E> {
    fn flush(&mut self) {
        self.flush_if_worthwhile();
    }

    fn pending(&self) -> &[u8] {
        &[]
    }

    fn keeps_rows(&self) -> bool {
        self.rows() > 0
    }

    super::sink::delegate!();
}
