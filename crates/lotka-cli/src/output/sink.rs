//! Writers of rows in the different formats.

use std::{
    fs::File,
    io::{self, Write},
};

use lotka::{Csv, Mat, Observer, Parquet, command::RowCount};

/// An observer that writes rows.
pub(super) trait Sink: Observer + Send {
    /// Writes the rows so far, unless that would harm the file.
    fn flush(&mut self);

    /// Returns the first write error so far.
    fn error(&self) -> Option<&io::Error>;

    /// Returns the number of bytes added to the file, with which it is complete.
    fn bytes(&self) -> u64;

    /// Returns the data that is not written yet, if another process can add it to the file.
    fn pending(&self) -> &[u8];

    /// Returns whether some or all of the observed rows survive the end of the process.
    fn keeps_rows(&self) -> bool {
        true
    }

    /// Returns where the file stores the number of its rows, if it does.
    fn row_count(&self) -> Option<RowCount> {
        None
    }

    /// Writes the remaining rows and returns the first error, if there was one.
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

/// Rows go to the file in groups; waiting rows are lost with the process.
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
