//! Results of co-simulations: written by observers of a run, read back from files, and compared.
//!
//! | to | see |
//! |---|---|
//! | write rows while a simulation runs | [`Csv`], `Mat`, `Parquet`, `Arrow` (features `mat`, `parquet`, `arrow`), or [`Format::writer`] |
//! | read a table | [`Results`]: all of it, or a [`Request`] |
//! | add a format | one file and one row in [`FORMATS`] |
//! | compare two files | [`compare`]: `pairing` pairs the rows, `difference` compares one column |
#![forbid(unsafe_code)]
#![warn(clippy::must_use_candidate, clippy::return_self_not_must_use, clippy::missing_errors_doc, clippy::missing_panics_doc)]

#[cfg(feature = "arrow")]
mod arrow;
mod assembly;
#[cfg(any(feature = "parquet", feature = "arrow"))]
mod caught;
mod comparison;
mod criteria;
mod delimited;
mod difference;
mod error;
mod filling;
mod format;
mod hash;
mod header;
mod mat;
mod pairing;
#[cfg(feature = "parquet")]
mod parquet;
mod reader;
mod registry;
mod request;
mod rows;
mod table;
mod values;
mod window;
mod write;

#[cfg(feature = "arrow")]
pub use arrow::{Arrow, ArrowTable, arrow_field};
#[cfg(any(feature = "parquet", feature = "arrow"))]
pub use caught::panic_is_caught;
pub use comparison::{Comparison, Pairing, VariableComparison, compare};
pub use criteria::{ComparisonSettings, Verdict};
pub use error::{ResultsError, ResultsProblem};
pub use format::{Format, Target, WriteOptions};
pub use hash::hash_of;
pub use header::TIME_UNITS;
pub use registry::FORMATS;
pub use request::{Request, Wanted};
pub use rows::UnfinishedLine;
pub use table::{ResultColumn, Results};
pub use values::{Values, whole};
#[cfg(feature = "mat")]
pub use write::Mat;
pub use write::{Csv, ERROR_BARS, RowCount, Sink};
#[cfg(feature = "parquet")]
pub use write::{Parquet, ParquetTable};
