//! Observers that write rows to files.

mod bars;
#[cfg(any(feature = "parquet", feature = "arrow"))]
mod buffer;
mod csv;
#[cfg(any(feature = "parquet", feature = "arrow"))]
mod grouped;
#[cfg(feature = "mat")]
mod mat;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(any(feature = "parquet", feature = "arrow"))]
mod rows;
mod sink;

pub use bars::ERROR_BARS;
pub use csv::Csv;
#[cfg(any(feature = "parquet", feature = "arrow"))]
pub(crate) use grouped::{ABOUT, NOTE};
#[cfg(feature = "mat")]
pub use mat::Mat;
#[cfg(feature = "parquet")]
pub use parquet::{Parquet, ParquetTable};
pub use sink::{RowCount, Sink};
#[cfg(feature = "arrow")]
pub(crate) use {
    buffer::{Buffer, Buffered},
    grouped::{Encoder, GroupedTable},
    rows::GroupedRows,
};
