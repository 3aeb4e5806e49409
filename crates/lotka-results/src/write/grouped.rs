//! A table in a file that is complete after each group of rows: its end is replaced by the next group and a new end.

use std::io::{self, Seek, SeekFrom, Write};

use lotka_plan::column::Column;
use lotka_run::record::Value;
use serde_json::{Map, json};

use super::buffer::Buffered;

/// Minimum size of a group that is written early: one row for this number of rows in the file. Frequent requests therefore do not
/// lead to many groups.
const SHARE: usize = 8;

/// The metadata key of the description of the columns.
pub(crate) const ABOUT: &str = "lotka";

/// The metadata key of the note about a table.
pub(crate) const NOTE: &str = "lotka-note";

/// Encodes groups of rows, and what completes a file.
pub trait Encoder: Sized + Send {
    /// A file of this format, in a message.
    const KIND: &'static str;

    /// Returns the encoder of a table, and the bytes before the first group. `about` describes the columns.
    ///
    /// # Errors
    /// The table cannot be encoded.
    fn begin(columns: &[Column], about: String, note: Option<&str>) -> io::Result<(Self, Vec<u8>)>;

    /// Encodes rows as a group that begins at this place of the file.
    ///
    /// # Errors
    /// The rows cannot be encoded.
    fn group(&mut self, rows: &Buffered, place: u64) -> io::Result<Vec<u8>>;

    /// Encodes the end of a file with all groups so far.
    ///
    /// # Errors
    /// The end cannot be encoded.
    fn end(&self) -> io::Result<Vec<u8>>;
}

/// Writes a table in groups of rows, as [`ParquetTable`](crate::ParquetTable) and [`ArrowTable`](crate::ArrowTable).
///
/// Rows gather in memory and go to the file in groups. After each group, the file is complete. A write error stops the writing;
/// [`GroupedTable::finish`] returns it. The metadata key `lotka` describes the columns as JSON.
#[derive(Debug)]
pub struct GroupedTable<W, E> {
    writer: W,
    columns: Vec<Column>,
    note: Option<String>,
    open: Option<Open<E>>,
    error: Option<io::Error>,
}

/// A file with its first groups.
struct Open<E> {
    encoder: E,
    waiting: Buffered,
    /// Number of rows in the file.
    written: usize,
    /// Length of the file without its end \[byte\].
    length: u64,
    /// Its end, which completes it.
    end: Vec<u8>,
}

impl<W: Write + Seek, E: Encoder> GroupedTable<W, E> {
    /// Creates a table with these columns at the beginning of `writer`.
    pub fn new(writer: W, columns: Vec<Column>) -> Self {
        let mut table = Self::without_columns(writer);
        table.begin(columns);
        table
    }

    /// Like [`GroupedTable::new`], with a note in the metadata key `lotka-note`, which [`Results::note`](crate::Results::note)
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
        if open.waiting.is_full() {
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
        if self.open.as_ref().is_some_and(|open| open.waiting.rows() > 0) {
            self.write_group();
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

    /// Begins the file: writes what comes before the first group, and an end.
    pub(super) fn begin(&mut self, columns: Vec<Column>) {
        self.columns = columns;
        let begun = self.write_first(Buffered::new(&self.columns));
        begun.err().into_iter().for_each(|error| self.fail(error));
    }

    /// Writes a file with these rows, from its beginning.
    fn write_first(&mut self, waiting: Buffered) -> io::Result<()> {
        let (mut encoder, mut bytes) = E::begin(&self.columns, describe(&self.columns), self.note.as_deref())?;
        if waiting.rows() > 0 {
            bytes.append(&mut encoder.group(&waiting, bytes.len() as u64)?);
        }
        let end = encoder.end()?;
        let result = write_at(&mut self.writer, 0, &[bytes.as_slice(), &end].concat());
        let open = self.open.insert(Open { encoder, waiting, written: 0, length: 0, end: Vec::new() });
        if result.is_ok() {
            open.keep(bytes.len(), end);
        }
        result
    }

    /// Writes the buffered rows, followed by a new end.
    fn write_group(&mut self) {
        let Some(open) = self.open.as_mut().filter(|_| self.error.is_none()) else { return };
        let result = open.encoder.group(&open.waiting, open.length).and_then(|bytes| {
            let end = open.encoder.end()?;
            write_at(&mut self.writer, open.length, &[bytes.as_slice(), &end].concat()).map(|()| (bytes.len(), end))
        });
        match result {
            Ok((length, end)) => open.keep(length, end),
            Err(error) => {
                self.error = Some(error);
                if open.written == 0 {
                    self.keep_what_fits();
                } else {
                    // With its old end, the file has all earlier groups. If this fails, too, nothing can be done.
                    let _ = write_at(&mut self.writer, open.length, &open.end);
                    open.waiting.clear();
                }
            }
        }
    }

    /// Called if the first group of the file does not fit on the disk. Writes ever fewer of the buffered rows, from the first one
    /// on, until they fit.
    fn keep_what_fits(&mut self) {
        while let Some(Open { mut waiting, .. }) = self.open.take() {
            let is_last = waiting.rows() == 0;
            waiting.truncate(waiting.rows() / 2);
            if self.write_first(waiting).is_ok() || is_last {
                return;
            }
        }
    }
}

impl<E> Open<E> {
    /// Notes that the buffered rows are in the file.
    fn keep(&mut self, length: usize, end: Vec<u8>) {
        self.length += length as u64;
        self.end = end;
        self.written += self.waiting.rows();
        self.waiting.clear();
    }
}

impl<E> std::fmt::Debug for Open<E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Open").field("written", &self.written).field("length", &self.length).finish_non_exhaustive()
    }
}

/// Returns the properties of the columns by name, as JSON. All keys are texts, so they can always be serialized.
fn describe(columns: &[Column]) -> String {
    let about = |column: &Column| (column.name.clone(), serde_json::to_value(column).unwrap_or_default());
    json!({ "version": env!("CARGO_PKG_VERSION"), "columns": columns.iter().map(about).collect::<Map<_, _>>() }).to_string()
}

fn write_at<W: Write + Seek>(writer: &mut W, place: u64, bytes: &[u8]) -> io::Result<()> {
    writer.seek(SeekFrom::Start(place))?;
    writer.write_all(bytes).and_then(|()| writer.flush())
}
