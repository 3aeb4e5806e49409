//! Results as Parquet.
//!
//! `table` holds the rows of the next group. This module writes groups to the file, each followed by a footer that the next group replaces.

mod table;

use std::{
    io::{self, Seek, SeekFrom, Write},
    sync::Arc,
};

use parquet::{
    errors::{ParquetError, Result},
    file::{
        metadata::{FileMetaData, KeyValue, ParquetMetaData, ParquetMetaDataWriter},
        properties::{EnabledStatistics, WriterProperties},
        writer::SerializedFileWriter,
    },
    schema::types::SchemaDescPtr,
};
use table::Table;

use lotka_engine::record::{Column, Notification, Observer, Row, ValueType};

use crate::write::bars::Bars;

/// A group is written when it has this number of values, and at the end.
const GROUP: usize = 1 << 20;

/// A group that is written before it is large enough has at least this share of the rows in the file, so that frequent requests do not lead to many
/// groups.
const SHARE: usize = 8;

/// The metadata key of the description of the columns.
const KEY: &str = "lotka";

/// Writes a column `time` and one per recorded variable: Real as `DOUBLE`, Integer and Enumeration as `INT32`, Boolean as `BOOLEAN`, String
/// as UTF-8 text, without compression. The key `lotka` of the metadata has what else is known of them as JSON: `columns`, by name, with
/// `type`, `unit`, `description`, `constant`, `fmu` (model name) and, of an enumeration, `items` (names by number).
///
/// Rows gather in memory and go to the file in groups. After each group the file is whole; a process that ends without [`Parquet::finish`] leaves
/// the groups before, and one that is killed in the very moment when a group is written leaves a file without end. A write error stops the writing,
/// not the run; [`Parquet::finish`] returns it. A run cannot go on from a checkpoint in such a file.
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
    writer: W,
    bars: Bars,
    columns: Vec<Column>,
    open: Option<Open>,
    error: Option<io::Error>,
}

/// A file with its first groups.
struct Open {
    /// Makes groups in memory.
    groups: SerializedFileWriter<Vec<u8>>,
    schema: SchemaDescPtr,
    about: String,
    waiting: Table,
    /// Rows in the file.
    written: usize,
    /// Length of the file without its footer \[byte\].
    length: u64,
    /// Its footer, which completes it.
    end: Vec<u8>,
}

impl<W: Write + Seek> Parquet<W> {
    /// Writes to `writer`, from its beginning.
    pub fn new(writer: W) -> Self {
        Self { writer, bars: Bars::default(), columns: Vec::new(), open: None, error: None }
    }

    /// As [`Parquet::new`], with a column `instance.variable (error)` for each Real one that is not constant, as
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

    /// Length of the file with all groups that were handed on \[byte\]. After a write error there may be more.
    pub fn bytes(&self) -> u64 {
        self.open.as_ref().map_or(0, |open| open.length + open.end.len() as u64)
    }

    /// Rows that were handed on.
    pub fn rows(&self) -> usize {
        self.open.as_ref().map_or(0, |open| open.written)
    }

    /// Hands the rows so far on, as a group.
    pub fn flush(&mut self) {
        let is_waiting = self.open.as_ref().is_some_and(|open| open.waiting.rows() > 0);
        if is_waiting {
            self.attempt(|open| open.group());
        }
    }

    /// Hands the rows so far on if they are enough for a group that does no harm: an eighth of those in the file.
    pub fn flush_if_worthwhile(&mut self) {
        if self.open.as_ref().is_some_and(|open| open.waiting.rows() >= open.written.div_ceil(SHARE)) {
            self.flush();
        }
    }

    fn begin(&mut self, columns: &[Column]) {
        self.bars.find(columns);
        self.columns = columns.to_vec();
        match Open::new(columns, &self.bars) {
            Ok(open) => self.open = Some(open),
            Err(error) => self.error = Some(failed(error)),
        }
        self.attempt(|open| open.begin());
    }

    /// Writes the output of `make`, followed by a new footer.
    fn attempt(&mut self, make: impl FnOnce(&mut Open) -> Result<Vec<u8>>) {
        let Some(open) = self.open.as_mut().filter(|_| self.error.is_none()) else { return };
        let result = make(open).and_then(|bytes| Ok((bytes, open.new_end()?))).map_err(failed);
        let result = result.and_then(|(bytes, end)| {
            let all = [bytes.as_slice(), &end].concat();
            write_at(&mut self.writer, open.length, &all).map(|()| (bytes.len() as u64, end))
        });
        match result {
            Ok((length, end)) => {
                open.length += length;
                open.end = end;
                open.written += open.waiting.rows();
                open.waiting.clear();
            }
            Err(error) => {
                self.error = Some(error);
                if open.written == 0 {
                    self.keep_what_fits();
                } else {
                    // With its old footer, the file has all earlier groups. If this fails, too, nothing changes.
                    let _ = write_at(&mut self.writer, open.length, &open.end);
                    open.waiting.clear();
                }
            }
        }
    }

    /// Writes ever fewer of the buffered rows, from the first one on, until the disk has room for them: the first group of the file did not fit.
    fn keep_what_fits(&mut self) {
        let Some(Open { mut waiting, .. }) = self.open.take() else { return };
        loop {
            let Ok(mut open) = Open::new(&self.columns, &self.bars) else { return };
            waiting.truncate(waiting.rows() / 2);
            open.waiting = waiting;
            let made = open.begin().and_then(|begin| {
                let group = if open.waiting.rows() > 0 { open.group()? } else { Vec::new() };
                Ok(([begin, group].concat(), open.new_end()?))
            });
            let Ok((bytes, end)) = made else { return };
            let is_written = write_at(&mut self.writer, 0, &[bytes.as_slice(), &end].concat()).is_ok();
            waiting = std::mem::take(&mut open.waiting);
            if is_written || waiting.rows() == 0 {
                (open.length, open.end, open.written) = (bytes.len() as u64, end, waiting.rows());
                self.open = Some(open);
                return;
            }
        }
    }

    #[inline]
    fn row(&mut self, row: Row<'_>) {
        let Some(open) = self.open.as_mut().filter(|_| self.error.is_none()) else { return };
        open.waiting.push(row);
        if open.waiting.rows() * open.waiting.width() >= GROUP {
            self.flush();
        }
    }
}

impl Open {
    fn new(columns: &[Column], bars: &Bars) -> Result<Self> {
        let mut time = Column::new("time", ValueType::Real);
        (time.unit, time.description) = (Some("s".to_owned()), Some("time".to_owned()));
        let barred: Vec<_> = bars.positions.iter().map(|&index| Bars::of(&columns[index])).collect();
        let all: Vec<_> = [&time].into_iter().chain(columns).chain(&barred).collect();
        // An index of pages would have to be rewritten with every footer, and readers do not need one.
        let properties =
            WriterProperties::builder().set_statistics_enabled(EnabledStatistics::Chunk).set_offset_index_disabled(true);
        let groups = SerializedFileWriter::new(Vec::new(), table::schema(&all)?, Arc::new(properties.build()))?;
        Ok(Self {
            schema: Arc::new(groups.schema_descr().clone()),
            groups,
            about: table::describe(&all).to_string(),
            waiting: Table::new(columns, &bars.positions),
            written: 0,
            length: 0,
            end: Vec::new(),
        })
    }

    /// The bytes before the first group.
    fn begin(&mut self) -> Result<Vec<u8>> {
        self.groups.flush()?;
        Ok(std::mem::take(self.groups.inner_mut()))
    }

    /// Takes the buffered rows as a group.
    fn group(&mut self) -> Result<Vec<u8>> {
        self.waiting.write(&mut self.groups)?;
        self.begin()
    }

    /// The footer that completes a file with all groups so far.
    fn new_end(&self) -> Result<Vec<u8>> {
        let groups = self.groups.flushed_row_groups().to_vec();
        let rows = groups.iter().map(|group| group.num_rows()).sum();
        let creator = format!("lotka version {}", env!("CARGO_PKG_VERSION"));
        let about = vec![KeyValue::new(KEY.to_owned(), self.about.clone())];
        let file = FileMetaData::new(1, rows, Some(creator), Some(about), self.schema.clone(), None);
        let mut end = Vec::new();
        ParquetMetaDataWriter::new(&mut end, &ParquetMetaData::new(file, groups)).finish()?;
        Ok(end)
    }
}

impl std::fmt::Debug for Open {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Open").field("written", &self.written).field("length", &self.length).finish_non_exhaustive()
    }
}

fn write_at<W: Write + Seek>(writer: &mut W, place: u64, bytes: &[u8]) -> io::Result<()> {
    writer.seek(SeekFrom::Start(place))?;
    writer.write_all(bytes).and_then(|()| writer.flush())
}

fn failed(error: ParquetError) -> io::Error {
    io::Error::other(error)
}

impl<W: Write + Seek> Observer for Parquet<W> {
    fn observe(&mut self, notification: &Notification<'_>) {
        match notification {
            Notification::Row(row) => self.row(*row),
            Notification::Started { columns, .. } => self.begin(columns),
            Notification::Resumed { .. } => {
                let what = "a run cannot be resumed in a Parquet file";
                self.error = Some(io::Error::new(io::ErrorKind::Unsupported, what));
            }
            Notification::Ended { .. } => self.flush(),
            _ => {}
        }
    }

    fn wants_steps(&self) -> bool {
        false
    }
}
