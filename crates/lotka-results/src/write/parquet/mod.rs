//! Writes results as Parquet.
//!
//! `table` holds the rows of the next group. This module writes groups to the file, each followed by a footer that the next group replaces.

mod table;

use std::{
    io::{self, Seek, SeekFrom, Write},
    sync::Arc,
};

use parquet::{
    basic::{Compression, Encoding, GzipLevel},
    errors::{ParquetError, Result},
    file::{
        metadata::{FileMetaData, KeyValue, ParquetMetaData, ParquetMetaDataWriter},
        properties::{EnabledStatistics, WriterProperties},
        writer::SerializedFileWriter,
    },
    schema::types::{ColumnPath, SchemaDescPtr},
};
use table::Table;

use lotka_engine::record::{Column, Notification, Observer, Row, ValueType};

use crate::write::bars::Bars;

/// Number of values at which a group is written; the last group is written at the end.
const GROUP: usize = 1 << 20;

/// Minimum size of a group that is written early: one row for this number of rows in the file. Frequent requests therefore do not lead to many
/// groups.
const SHARE: usize = 8;

/// Level of the compression: higher ones save nothing.
const LEVEL: u32 = 6;

/// The metadata key of the description of the columns.
const KEY: &str = "lotka";

/// Writes a column `time` and one column per recorded variable, compressed with gzip: Real as `DOUBLE`, Integer and Enumeration as `INT32`, Boolean
/// as `BOOLEAN`, String as UTF-8 text. The metadata key `lotka` describes the columns as JSON. Its object `columns` contains for each name `type`,
/// `unit`, `description`, `constant`, `fmu` (model name) and, for an enumeration, `items` (names by number).
///
/// Rows gather in memory and go to the file in groups. After each group, the file is complete. A process that ends without [`Parquet::finish`]
/// leaves the earlier groups. A process that is killed while it writes a group leaves a file without its end. A write error stops the writing, not
/// the run; [`Parquet::finish`] returns it. A run cannot continue from a checkpoint in such a file.
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
    /// Creates groups in memory.
    groups: SerializedFileWriter<Vec<u8>>,
    schema: SchemaDescPtr,
    about: String,
    waiting: Table,
    /// Number of rows in the file.
    written: usize,
    /// Length of the file without its footer \[byte\].
    length: u64,
    /// Its footer, which completes it.
    end: Vec<u8>,
}

impl<W: Write + Seek> Parquet<W> {
    /// Creates an observer that writes to `writer` from its beginning.
    pub fn new(writer: W) -> Self {
        Self { writer, bars: Bars::default(), columns: Vec::new(), open: None, error: None }
    }

    /// Like [`Parquet::new`], with an additional column `instance.variable (error)` for each Real column that is not constant, as in
    /// [`Csv::with_error_bars`](super::Csv::with_error_bars). Its values are NaN in runs without `tolerance`.
    pub fn with_error_bars(writer: W) -> Self {
        Self { bars: Bars::wanted(), ..Self::new(writer) }
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

    /// Returns the length of the file with all groups so far \[byte\]. After a write error, the file may be longer.
    pub fn bytes(&self) -> u64 {
        self.open.as_ref().map_or(0, |open| open.length + open.end.len() as u64)
    }

    /// Returns the number of rows in the file.
    pub fn rows(&self) -> usize {
        self.open.as_ref().map_or(0, |open| open.written)
    }

    /// Writes the rows so far, as a group.
    pub fn flush(&mut self) {
        let is_waiting = self.open.as_ref().is_some_and(|open| open.waiting.rows() > 0);
        if is_waiting {
            self.attempt(|open| open.group());
        }
    }

    /// Writes the rows so far if they are enough for a group: at least an eighth of the rows in the file.
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
                    // With its old footer, the file has all earlier groups. If this fails, too, nothing can be done.
                    let _ = write_at(&mut self.writer, open.length, &open.end);
                    open.waiting.clear();
                }
            }
        }
    }

    /// Called if the first group of the file does not fit on the disk. Writes ever fewer of the buffered rows, from the first one on, until they
    /// fit.
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
        let groups = SerializedFileWriter::new(Vec::new(), table::schema(&all)?, Arc::new(properties(&all)?))?;
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

    /// Returns the bytes before the first group.
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

/// Returns how the columns are written.
///
/// Neighboring values of a smooth solution share their first bytes and hardly ever a value. The bytes of a Real column are therefore sorted by
/// their significance before they are compressed, and there is no dictionary of its values.
fn properties(columns: &[&Column]) -> Result<WriterProperties> {
    // An index of pages would have to be rewritten with every footer, and readers do not need one.
    let common = WriterProperties::builder()
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_offset_index_disabled(true)
        .set_compression(Compression::GZIP(GzipLevel::try_new(LEVEL)?));
    let reals = columns.iter().filter(|column| column.value_type == ValueType::Real);
    let of_reals = reals.fold(common, |properties, column| {
        let path = ColumnPath::new(vec![column.name.clone()]);
        properties.set_column_dictionary_enabled(path.clone(), false).set_column_encoding(path, Encoding::BYTE_STREAM_SPLIT)
    });
    Ok(of_reals.build())
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
            Notification::Returned { .. } => {
                self.flush();
                self.error.get_or_insert_with(crate::write::cannot_withdraw);
            }
            Notification::Ended { .. } => self.flush(),
            _ => {}
        }
    }

    fn wants_steps(&self) -> bool {
        false
    }
}
