//! What can go wrong.

use lotka::RunFailure;

/// Why the study has no result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A system cannot be set up.
    #[error("{0}")]
    Build(#[from] lotka::Error),
    /// A run failed.
    #[error("{0}")]
    Run(#[from] Box<RunFailure>),
    /// An FMU is another one.
    #[error("the results have no column of numbers `{name}`")]
    Column {
        /// `instance.variable`.
        name: String,
    },
}
