//! A table format.
//!
//! Each format is a file of this crate with one constant, [`Format`], and a row in [`FORMATS`](crate::FORMATS).

use std::{
    fs::File,
    io::{self, Cursor, Read, Seek, Write},
};

use crate::{Request, Results, ResultsError, ResultsProblem, Sink};

/// Number of bytes that are examined to recognize a file.
const LOOKED_AT: u64 = 1 << 16;

/// A table format.
///
/// ```
/// use lotka_results::Format;
///
/// let format = Format::of_path("rows.pq".as_ref()).map(|format| format.name);
/// assert_eq!(format, Some("parquet"));
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Format {
    /// Its name on the command line.
    pub name: &'static str,
    /// Extensions of its files; the first is the usual one.
    pub extensions: &'static [&'static str],
    /// What it is, in one line.
    pub about: &'static str,
    /// A file of this format, in a message.
    pub kind: &'static str,
    /// Whether its rows are lines of text, written once: they can go to a pipe.
    pub is_text: bool,
    /// Whether a run can be resumed in its file.
    pub is_resumable: bool,
    /// Whether it holds strings.
    pub has_texts: bool,
    /// Whether a file that begins with these bytes has this format.
    pub(crate) is_in: fn(&[u8]) -> bool,
    pub(crate) read: Reader,
    /// `None` if this program cannot write it.
    pub(crate) write: Option<Writer>,
}

/// Reads a file.
pub(crate) type Reader = fn(&mut Source<'_>, &Request<'_>) -> Result<Results, Vec<ResultsError>>;

/// Creates the writer of a file.
pub(crate) type Writer = fn(Target, &WriteOptions) -> io::Result<Box<dyn Sink>>;

impl Format {
    /// Creates an observer that writes the rows of a run in this format.
    ///
    /// # Errors
    /// This program was built without the format, or the target is a stream and the format is not text.
    pub fn writer(&self, target: Target, options: &WriteOptions) -> io::Result<Box<dyn Sink>> {
        let write = self.write.ok_or_else(|| unsupported(format!("this program was built without the format {}", self.name)))?;
        write(target, options)
    }

    /// A format that this program was built without.
    #[cfg(not(all(feature = "parquet", feature = "arrow")))]
    pub(crate) const fn not_built(name: &'static str, extensions: &'static [&'static str], is_in: fn(&[u8]) -> bool) -> Self {
        Self {
            name,
            extensions,
            about: "not in this program",
            kind: "a table",
            is_text: false,
            is_resumable: false,
            has_texts: true,
            is_in,
            read: |_, _| Err(vec![ResultsProblem::NotBuilt.into()]),
            write: None,
        }
    }
}

/// Formats are the same if they have the same name.
impl PartialEq for Format {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// Where rows go.
pub enum Target {
    /// To a file that is empty or, in a run that continues, at the end of its rows.
    File(File),
    /// To a stream, such as a pipe. Formats that are no text need a file.
    Stream(Box<dyn Write + Send>),
}

#[cfg(any(feature = "mat", feature = "parquet", feature = "arrow"))]
impl Target {
    /// Returns the file.
    pub(crate) fn file(self) -> io::Result<File> {
        match self {
            Self::File(file) => Ok(file),
            Self::Stream(_) => Err(unsupported("only text can go to a stream".to_owned())),
        }
    }
}

fn unsupported(what: String) -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, what)
}

/// How rows are written.
#[derive(Debug, Clone, Copy, Default)]
pub struct WriteOptions {
    /// Whether columns with estimated errors follow the others.
    pub error_bars: bool,
    /// Whether text that a spreadsheet takes for a formula gets an apostrophe ([`Csv::spreadsheet`](crate::Csv::spreadsheet)).
    pub spreadsheet: bool,
}

/// A file that is read, with its first bytes.
pub(crate) struct Source<'a> {
    begin: Cursor<Vec<u8>>,
    rest: &'a mut dyn ReadSeek,
}

pub(crate) trait ReadSeek: Read + Seek {}

impl<T: Read + Seek> ReadSeek for T {}

impl<'a> Source<'a> {
    /// Reads the first bytes.
    pub(crate) fn new(rest: &'a mut dyn ReadSeek) -> io::Result<Self> {
        let mut begin = Vec::new();
        rest.take(LOOKED_AT).read_to_end(&mut begin)?;
        Ok(Self { begin: Cursor::new(begin), rest })
    }

    /// Returns the first bytes.
    pub(crate) fn begin(&self) -> &[u8] {
        self.begin.get_ref()
    }

    /// Returns to the beginning. A pipe cannot.
    pub(crate) fn rewind(&mut self) -> io::Result<()> {
        self.begin = Cursor::default();
        self.rest.rewind()
    }

    /// Reads everything.
    #[cfg(any(feature = "parquet", feature = "arrow"))]
    pub(crate) fn bytes(&mut self) -> Result<Vec<u8>, ResultsError> {
        let mut bytes = Vec::new();
        self.read_to_end(&mut bytes).map_err(ResultsProblem::Io)?;
        Ok(bytes)
    }
}

impl Read for Source<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.begin.read(buffer)? {
            0 => self.rest.read(buffer),
            count => Ok(count),
        }
    }
}
