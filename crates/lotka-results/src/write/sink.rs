//! What all writers of rows have in common.

use std::io;

use lotka_run::record::Observer;

/// An observer that writes rows, in any format ([`Format::writer`](crate::Format::writer)).
pub trait Sink: Observer + Send {
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
    ///
    /// # Errors
    /// The first error of writing.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

/// The methods of a sink that its type has, too.
macro_rules! delegate {
    () => {
        fn error(&self) -> Option<&io::Error> {
            self.error()
        }

        fn bytes(&self) -> u64 {
            self.bytes()
        }

        fn finish(self: Box<Self>) -> io::Result<()> {
            (*self).finish()
        }
    };
}

pub(super) use delegate;

/// Place of the row count, which precedes the rows in a file. Added rows count only after the number is changed. All values are
/// in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowCount {
    /// Offset of the number, which has 32 bits, little-endian.
    pub place: u64,
    /// Offset of the rows.
    pub begin: u64,
    /// Length of a row.
    pub length: u64,
}

/// The error of a file whose session returned to an earlier point.
pub(super) fn cannot_withdraw() -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, "a session returned to an earlier point, but rows in a file cannot be withdrawn")
}
