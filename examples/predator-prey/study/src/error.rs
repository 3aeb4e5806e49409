//! Errors of the study.

use gallery::chart::DrawError;
use lotka::RunFailure;

/// Why the study failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An FMU cannot be loaded.
    #[error("{0}; `cargo xtask package-fmus` makes the FMUs")]
    Load(#[from] lotka::FmuError),
    /// An experiment cannot be set up.
    #[error("{0}")]
    Build(#[from] lotka::Error),
    /// An experiment failed.
    #[error("{0}")]
    Run(#[from] Box<RunFailure>),
    /// The results lack a variable.
    #[error("the results have no column of numbers `{name}`")]
    Column {
        /// `instance.variable`.
        name: String,
    },
    /// A line of a reference table is malformed.
    #[error("{table}, line {line}: expected {columns} numbers, found `{text}`")]
    Table {
        /// File name of the table.
        table: &'static str,
        /// Line number, starting at 1.
        line: usize,
        /// Expected count of numbers in a line.
        columns: usize,
        /// The text found.
        text: String,
    },
    /// A figure cannot be drawn.
    #[error(transparent)]
    Draw(#[from] DrawError),
}
