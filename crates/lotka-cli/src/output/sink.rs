//! What writes rows in one of the formats.

use std::{
    fs::File,
    io::{self, Write},
};

use lotka::{Csv, Mat, Observer, Parquet, command::RowCount};

/// An observer that writes rows.
pub(super) trait Sink: Observer + Send {
    /// Hands the rows so far on, as far as that does no harm to the file.
    fn flush(&mut self);

    /// The first write error so far.
    fn error(&self) -> Option<&io::Error>;

    /// Bytes that were added to the file, with which it is whole.
    fn bytes(&self) -> u64;

    /// What was not handed on yet, if another process can add it to the file.
    fn pending(&self) -> &[u8];

    /// Whether rows that were observed survive the end of the process, all or some of them.
    fn keeps_rows(&self) -> bool {
        true
    }

    /// Where the file has the number of its rows, if it has.
    fn row_count(&self) -> Option<RowCount> {
        None
    }

    /// Writes what is left and returns the first error, if there was one.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

impl<W: Write + Send> Sink for Csv<W> {
    fn flush(&mut self) {
        self.flush();
    }

    fn error(&self) -> Option<&io::Error> {
        self.error()
    }

    fn bytes(&self) -> u64 {
        self.bytes()
    }

    fn pending(&self) -> &[u8] {
        self.pending().1
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        (*self).finish()
    }
}

impl Sink for Mat<File> {
    fn flush(&mut self) {
        self.flush();
    }

    fn error(&self) -> Option<&io::Error> {
        self.error()
    }

    fn bytes(&self) -> u64 {
        self.bytes()
    }

    fn pending(&self) -> &[u8] {
        self.pending().1
    }

    fn row_count(&self) -> Option<RowCount> {
        self.row_count()
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        (*self).finish()
    }
}

/// Rows go to the file in groups; those that wait are lost with the process.
impl Sink for Parquet<File> {
    fn flush(&mut self) {
        self.flush_if_worthwhile();
    }

    fn error(&self) -> Option<&io::Error> {
        self.error()
    }

    fn bytes(&self) -> u64 {
        self.bytes()
    }

    fn pending(&self) -> &[u8] {
        &[]
    }

    fn keeps_rows(&self) -> bool {
        self.rows() > 0
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        (*self).finish()
    }
}
