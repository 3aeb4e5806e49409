//! Results of co-simulations: written by observers of a run, read back from files, and compared.
//!
//! | to | see |
//! |---|---|
//! | write rows while a simulation runs | [`Csv`], `Mat` (feature `mat`), `Parquet` (feature `parquet`) |
//! | read a file of results | [`Results`] |
//! | compare two files | [`compare`]: `pairing` pairs the rows, `difference` compares one column |
#![forbid(unsafe_code)]
#![warn(clippy::must_use_candidate, clippy::return_self_not_must_use, clippy::missing_errors_doc, clippy::missing_panics_doc)]

#[cfg(feature = "parquet")]
mod caught;
mod comparison;
mod criteria;
mod difference;
mod error;
mod hash;
mod mat;
mod pairing;
#[cfg(feature = "parquet")]
mod parquet;
mod reader;
mod rows;
mod table;
mod values;
mod window;
mod write;

#[cfg(feature = "parquet")]
pub use caught::panic_is_caught;
pub use comparison::{Comparison, Pairing, VariableComparison, compare};
pub use criteria::{ComparisonSettings, Verdict};
pub use error::{ResultsError, ResultsProblem};
pub use hash::hash_of;
#[cfg(feature = "parquet")]
pub use parquet::{ParquetContents, read_parquet, read_parquet_note};
pub use rows::UnfinishedLine;
pub use table::{ResultColumn, Results};
pub use values::Values;
#[cfg(feature = "mat")]
pub use write::Mat;
pub use write::{Csv, ERROR_BARS, RowCount};
#[cfg(feature = "parquet")]
pub use write::{Parquet, ParquetTable};

pub use rows::Rows as TableRows;
pub use values::number;
