//! Observers that write rows to files.

use std::io;

mod bars;
mod csv;
#[cfg(feature = "mat")]
mod mat;
#[cfg(feature = "parquet")]
mod parquet;

pub use bars::ERROR_BARS;
pub use csv::Csv;
#[cfg(feature = "mat")]
pub use mat::Mat;
#[cfg(feature = "parquet")]
pub(crate) use parquet::{ABOUT, NOTE};
#[cfg(feature = "parquet")]
pub use parquet::{Parquet, ParquetTable};

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
fn cannot_withdraw() -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, "a session returned to an earlier point, but rows in a file cannot be withdrawn")
}
