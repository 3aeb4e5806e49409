//! Observers that write rows to files.

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
pub use parquet::Parquet;

/// A file has the number of its rows in front of them: rows that are added count only when the number is changed. All in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowCount {
    /// Where the number is, 32 bits with the lowest byte first.
    pub place: u64,
    /// Where the rows begin.
    pub begin: u64,
    /// Length of a row.
    pub length: u64,
}
