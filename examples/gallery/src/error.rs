//! Errors of the gallery.

use std::{io, path::PathBuf};

use lotka::RunFailure;

use crate::chart::DrawError;

/// Why an example cannot be shown.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file of the example cannot be read.
    #[error("{}: {cause}", path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// The cause.
        #[source]
        cause: io::Error,
    },
    /// `expected.toml` is not valid TOML, or has unknown keys.
    #[error("{}: {cause}", path.display())]
    Expected {
        /// The file.
        path: PathBuf,
        /// The cause.
        #[source]
        cause: Box<toml::de::Error>,
    },
    /// An expected number that cannot be compared with a result.
    #[error("{}: `{variable}` of {system} at t = {time} s: {problem}", path.display())]
    Value {
        /// The file.
        path: PathBuf,
        /// The system file of the number.
        system: String,
        /// `instance.variable`.
        variable: String,
        /// Time \[s\].
        time: f64,
        /// The problem and how to correct it.
        problem: &'static str,
    },
    /// Expected numbers of a system that does not exist.
    #[error("{}: there is no `{system}` in this folder", path.display())]
    NoSystem {
        /// The file with the numbers.
        path: PathBuf,
        /// The system file.
        system: String,
    },
    /// A path of an FMU in a system file has no file name.
    #[error("{}: `{}` names no FMU; write a path that ends in a file name", file.display(), path.display())]
    NoFmu {
        /// The system file.
        file: PathBuf,
        /// The path in it.
        path: PathBuf,
    },
    /// A system cannot be read or set up.
    #[error(transparent)]
    Build(#[from] lotka::Error),
    /// A run failed.
    #[error(transparent)]
    Run(#[from] Box<RunFailure>),
    /// The results lack a variable of the picture.
    #[error("{example}: the picture shows `{variable}`, but the results of {system} have no such column of numbers")]
    Column {
        /// The example.
        example: String,
        /// The system file.
        system: String,
        /// `instance.variable`.
        variable: String,
    },
    /// The picture cannot be drawn.
    #[error(transparent)]
    Draw(#[from] DrawError),
}
