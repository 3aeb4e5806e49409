//! A table in a file, which is complete after each group of rows: the footer that completes it is replaced by the next group.

use std::{
    io::{self, Seek, SeekFrom, Write},
    sync::Arc,
};

use lotka_plan::column::{Column, ValueType};
use lotka_run::record::Value;
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

use super::table::{self, Table};

/// Number of values at which a group is written; the last group is written at the end.
const GROUP: usize = 1 << 20;

/// Minimum size of a group that is written early: one row for this number of rows in the file. Frequent requests therefore do not
/// lead to many groups.
const SHARE: usize = 8;

/// Level of the compression: higher ones save nothing.
const LEVEL: u32 = 6;

/// The metadata key of the description of the columns.
pub(crate) const ABOUT: &str = "lotka";

/// The metadata key of the note about a table.
pub(crate) const NOTE: &str = "lotka-note";

/// Writes a table as Parquet, compressed with gzip: Real as `DOUBLE`, Integer and Enumeration as `INT32`, Boolean as `BOOLEAN`,
/// String as UTF-8 text. The metadata key `lotka` describes the columns as JSON.
///
/// Rows gather in memory and go to the file in groups. After each group, the file is complete. A write error stops the writing;
/// [`ParquetTable::finish`] returns it.
///
/// ```
/// use lotka_plan::column::{Column, ValueType};
/// use lotka_results::{ParquetTable, Values, read_parquet};
/// use lotka_run::record::Value;
///
/// let mut file = std::io::Cursor::new(Vec::new());
/// let mut table = ParquetTable::new(&mut file, vec![Column::new("run", ValueType::Integer), Column::new("x", ValueType::Real)]);
/// table.push([Value::Integer(0), Value::Real(0.5)]);
/// table.finish()?;
/// file.set_position(0);
/// let columns = read_parquet(file)?.columns;
/// assert_eq!((columns[1].name.as_str(), &columns[1].values), ("x", &Values::Real(vec![0.5])));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ParquetTable<W: Write + Seek> {
    writer: W,
    columns: Vec<Column>,
    note: Option<String>,
    open: Option<Open>,
    error: Option<io::Error>,
}

/// A file with its first groups.
struct Open {
    /// Creates groups in memory.
    groups: SerializedFileWriter<Vec<u8>>,
    schema: SchemaDescPtr,
    about: String,
    note: Option<String>,
    waiting: Table,
    /// Number of rows in the file.
    written: usize,
    /// Length of the file without its footer \[byte\].
    length: u64,
    /// Its footer, which completes it.
    end: Vec<u8>,
}

impl<W: Write + Seek> ParquetTable<W> {
    /// Creates a table with these columns at the beginning of `writer`.
    pub fn new(writer: W, columns: Vec<Column>) -> Self {
        let mut table = Self::without_columns(writer);
        table.begin(columns);
        table
    }

    /// Like [`ParquetTable::new`], with a note in the metadata key `lotka-note`, which [`read_parquet`](crate::read_parquet)
    /// returns.
    pub fn with_note(writer: W, columns: Vec<Column>, note: String) -> Self {
        let mut table = Self { note: Some(note), ..Self::without_columns(writer) };
        table.begin(columns);
        table
    }

    /// Creates a table whose columns are not yet known.
    pub(super) fn without_columns(writer: W) -> Self {
        Self { writer, columns: Vec::new(), note: None, open: None, error: None }
    }

    /// Adds a row: a value for each column, of its type.
    #[inline]
    pub fn push<'v>(&mut self, values: impl IntoIterator<Item = Value<'v>>) {
        let Some(open) = self.open.as_mut().filter(|_| self.error.is_none()) else { return };
        open.waiting.push(values);
        if open.waiting.rows() * open.waiting.width() >= GROUP {
            self.flush();
        }
    }

    /// Keeps this error, unless there was one before.
    pub(super) fn fail(&mut self, error: io::Error) {
        self.error.get_or_insert(error);
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
        if self.is_worthwhile() {
            self.flush();
        }
    }

    /// Returns whether the rows so far are enough for a group.
    pub fn is_worthwhile(&self) -> bool {
        self.open.as_ref().is_some_and(|open| open.waiting.rows() >= open.written.div_ceil(SHARE))
    }

    pub(super) fn begin(&mut self, columns: Vec<Column>) {
        self.columns = columns;
        match Open::new(&self.columns, self.note.as_deref()) {
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

    /// Called if the first group of the file does not fit on the disk. Writes ever fewer of the buffered rows, from the first one
    /// on, until they fit.
    fn keep_what_fits(&mut self) {
        let Some(Open { mut waiting, .. }) = self.open.take() else { return };
        loop {
            let Ok(mut open) = Open::new(&self.columns, self.note.as_deref()) else { return };
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
}

impl Open {
    fn new(columns: &[Column], note: Option<&str>) -> Result<Self> {
        let groups = SerializedFileWriter::new(Vec::new(), table::schema(columns)?, Arc::new(properties(columns)?))?;
        Ok(Self {
            schema: Arc::new(groups.schema_descr().clone()),
            groups,
            about: table::describe(columns).to_string(),
            note: note.map(str::to_owned),
            waiting: Table::new(columns),
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
        let mut about = vec![KeyValue::new(ABOUT.to_owned(), self.about.clone())];
        about.extend(self.note.clone().map(|note| KeyValue::new(NOTE.to_owned(), note)));
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
/// Neighboring values of a smooth solution share their first bytes and hardly ever a value. The bytes of a Real column are
/// therefore sorted by their significance before they are compressed, and there is no dictionary of its values.
fn properties(columns: &[Column]) -> Result<WriterProperties> {
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
