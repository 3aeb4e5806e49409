//! Errors of the study.

use lotka::RunFailure;

/// Why the study failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A system file cannot be read.
    #[error(transparent)]
    File(#[from] gallery::Error),
    /// A system cannot be set up.
    #[error("{0}")]
    Build(#[from] lotka::Error),
    /// The run that all others are compared with failed.
    #[error("{0}")]
    Run(#[from] Box<RunFailure>),
    /// The results lack a variable.
    #[error("the results have no column of numbers `{name}`")]
    Column {
        /// `instance.variable`.
        name: String,
    },
    /// A figure cannot be drawn.
    #[error(transparent)]
    Draw(#[from] gallery::chart::DrawError),
}
