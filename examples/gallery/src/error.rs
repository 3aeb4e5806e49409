//! What can go wrong.

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
        /// Why.
        #[source]
        cause: io::Error,
    },
    /// `expected.toml` is no TOML, or has other keys than it should.
    #[error("{}: {cause}", path.display())]
    Expected {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        cause: Box<toml::de::Error>,
    },
    /// An expected number that cannot be compared with anything.
    #[error("{}: `{variable}` of {system} at t = {time} s: {problem}", path.display())]
    Value {
        /// The file.
        path: PathBuf,
        /// The system file that it belongs to.
        system: String,
        /// `instance.variable`.
        variable: String,
        /// Time \[s\].
        time: f64,
        /// What is wrong, and what to do instead.
        problem: &'static str,
    },
    /// Numbers of a system that does not exist.
    #[error("{}: there is no `{system}` in this folder", path.display())]
    NoSystem {
        /// The file with the numbers.
        path: PathBuf,
        /// The system file.
        system: String,
    },
    /// A path of an FMU in a system file names no file.
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
    /// The picture shows a variable that the results do not have.
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
