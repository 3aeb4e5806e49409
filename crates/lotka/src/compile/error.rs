//! Why an FMU was not compiled.

use std::{io, path::PathBuf};

use lotka_message::{Code, Coded};

use super::compiler::indented;

/// Reason why an FMU was not compiled.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CompileError {
    /// The archive cannot be read.
    #[error("{0}")]
    Fmu(fmu::Error),
    /// Nothing to compile, or no need to.
    #[error("{}: nothing to compile: {reason}", path.display())]
    Nothing {
        /// The FMU.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// There is no compiler, or it cannot be started.
    #[error("{}: the C compiler `{compiler}` cannot be started: {reason}; install one (Debian, Ubuntu: apt install gcc libc6-dev), or name it in the environment variable CC", path.display())]
    NoCompiler {
        /// The FMU.
        path: PathBuf,
        /// The program.
        compiler: String,
        /// Why.
        reason: io::Error,
    },
    /// The compiler refuses the sources.
    #[error("{}: `{compiler}` does not compile the sources:\n{}", path.display(), indented(.output))]
    Compiler {
        /// The FMU.
        path: PathBuf,
        /// The program.
        compiler: String,
        /// What it said.
        output: String,
    },
    /// The library cannot be used.
    #[error("{}: the compiled library cannot be used: {reason}", path.display())]
    Unfit {
        /// The FMU.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// The file already exists.
    #[error("`{}` already exists; choose another file with --output-file, or pass --force to overwrite it", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// The archive cannot be copied.
    #[error("{}: the entries of the archive cannot be copied: {reason}", path.display())]
    Copy {
        /// The FMU.
        path: PathBuf,
        /// Why.
        reason: io::Error,
    },
    /// The new archive cannot be written.
    #[error("cannot write the FMU to {}: {reason}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: io::Error,
    },
    /// Temporary files cannot be made.
    #[error("cannot write a temporary file: {0}")]
    Work(io::Error),
}

impl Coded for CompileError {
    fn code(&self) -> Code {
        match self {
            Self::Fmu(error) => error.code(),
            Self::Nothing { .. } => Code::NothingToCompile,
            Self::NoCompiler { .. } | Self::Compiler { .. } | Self::Unfit { .. } => Code::NotCompiled,
            Self::Exists { .. } => Code::FileExists,
            Self::Copy { .. } => Code::UnreadableFile,
            Self::Write { .. } | Self::Work(_) => Code::UnwritableFile,
        }
    }
}
