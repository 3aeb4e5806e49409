//! Everything that can go wrong.

use std::path::PathBuf;

use lotka_message::{Code, Coded, Problems};
use lotka_run::RunFailure;
use lotka_step::error::SessionRefusal;

use crate::{CheckpointError, LoadError, RunError};

/// Error of reading, building, saving or running a system. A run returns its error, a [`RunError`], in a [`RunFailure`]; `?`
/// makes an [`Error::RunFailed`] of that.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The system description is inconsistent; all problems at once.
    #[error("{0}")]
    System(Problems),
    /// The system cannot be read from a file.
    #[error("{0}")]
    Read(Box<lotka_system::Error>),
    /// A system cannot be written to a file.
    #[error("cannot write the system to {}: {reason}", path.display())]
    Save {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: std::io::Error,
    },
    /// FMUs that cannot be loaded or instantiated; all of them at once.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Load(Vec<LoadError>),
    /// A single FMU cannot be used.
    #[error("{0}")]
    Fmu(fmu::Error),
    /// A checkpoint cannot be made, or continued from.
    #[error("{0}")]
    Checkpoint(Box<CheckpointError>),
    /// The instances cannot be prepared, or freed.
    #[error("{0}")]
    Run(Box<RunError>),
    /// A run failed; the report of the run up to there is with it.
    #[error(transparent)]
    RunFailed(Box<RunFailure>),
}

impl From<SessionRefusal> for Error {
    fn from(refusal: SessionRefusal) -> Self {
        Self::Run(Box::new(refusal.into()))
    }
}

impl Coded for Error {
    fn code(&self) -> Code {
        match self {
            Self::System(problems) => problems.code(),
            Self::Read(error) => error.code(),
            Self::Save { .. } => Code::UnwritableFile,
            Self::Load(errors) => errors.first().map_or(Code::InternalError, Coded::code),
            Self::Fmu(error) => error.code(),
            Self::Checkpoint(error) => error.code(),
            Self::Run(error) => error.code(),
            Self::RunFailed(failure) => failure.code(),
        }
    }
}

impl Error {
    /// Returns whether an FMU ended its process (crash, `exit`, time limit).
    #[must_use]
    pub fn ended_process(&self) -> bool {
        match self {
            Self::Load(errors) => errors.iter().any(|error| error.reason.ended_process()),
            Self::Run(error) => error.ended_process(),
            Self::RunFailed(failure) => failure.error.ended_process(),
            _ => false,
        }
    }

    /// Returns whether an FMU returned fmi2Fatal: none of its instances can be used any more.
    #[must_use]
    pub fn is_fatal(&self) -> bool {
        match self {
            Self::Run(error) => error.is_fatal(),
            Self::RunFailed(failure) => failure.error.is_fatal(),
            _ => false,
        }
    }
}

impl From<lotka_system::Error> for Error {
    fn from(error: lotka_system::Error) -> Self {
        match error {
            lotka_system::Error::System(problems) => Self::System(problems),
            lotka_system::Error::Package(error) => Self::Fmu(error),
            error => Self::Read(Box::new(error)),
        }
    }
}

impl From<RunError> for Error {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Instantiation(failures) => Self::Load(failures),
            RunError::Checkpoint(error) => CheckpointError::Run(*error).into(),
            error => Self::Run(Box::new(error)),
        }
    }
}

#[cfg(feature = "analysis")]
impl From<lotka_analysis::Error> for Error {
    fn from(error: lotka_analysis::Error) -> Self {
        match error {
            lotka_analysis::Error::Run(error) => Self::from(*error),
            lotka_analysis::Error::Unfit(problems) => Self::System(problems),
        }
    }
}

impl From<Box<RunFailure>> for Error {
    fn from(failure: Box<RunFailure>) -> Self {
        Self::RunFailed(failure)
    }
}

impl From<CheckpointError> for Error {
    fn from(error: CheckpointError) -> Self {
        Self::Checkpoint(Box::new(error))
    }
}
