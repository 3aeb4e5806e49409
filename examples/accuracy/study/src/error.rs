//! What can go wrong.

use std::path::PathBuf;

use lotka::RunFailure;

/// Why the study has no result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A system cannot be read or set up.
    #[error("{0}")]
    Build(#[from] lotka::Error),
    /// A run failed whose result everything else is compared with.
    #[error("{0}")]
    Run(#[from] Box<RunFailure>),
    /// A path of an FMU in a system file names no file.
    #[error("{}: `{}` names no FMU; write a path that ends in a file name", file.display(), path.display())]
    NoFmu {
        /// The system file.
        file: PathBuf,
        /// The path in it.
        path: PathBuf,
    },
    /// The results lack a variable.
    #[error("the results have no column of numbers `{name}`")]
    Column {
        /// `instance.variable`.
        name: String,
    },
    /// A figure cannot be drawn.
    #[error(transparent)]
    Draw(#[from] study::Error),
}
