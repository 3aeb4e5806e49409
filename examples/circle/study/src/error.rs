//! Errors of the study.

use lotka::RunFailure;

/// Why the study failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A system cannot be set up.
    #[error("{0}")]
    Build(#[from] lotka::Error),
    /// A run failed for another reason than an internal step that the integrator refused.
    #[error("{0}")]
    Run(#[from] Box<RunFailure>),
    /// The results lack a variable.
    #[error("the results have no column of numbers `{name}`")]
    Column {
        /// `instance.variable`.
        name: String,
    },
}
