//! Results that are read back from files, and how far two of them differ.
//!
//! Start reading at [`Results`], then at [`compare`]; `pairing` says which rows belong together, `difference` looks at one column.

#[cfg(feature = "parquet")]
mod caught;
mod comparison;
mod difference;
mod error;
mod mat;
mod pairing;
#[cfg(feature = "parquet")]
mod parquet;
mod reader;
mod rows;
mod values;
mod window;

#[cfg(feature = "parquet")]
pub use caught::panic_is_caught;
pub use comparison::{Comparison, ComparisonSettings, Pairing, VariableComparison, Verdict, compare};
pub use error::{ResultsError, ResultsProblem};
pub use reader::{ResultColumn, Results, UnfinishedLine};
pub use values::Values;

pub(crate) use rows::Rows as TableRows;
pub(crate) use values::number;
