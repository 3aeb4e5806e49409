//! Reasons why an FMU cannot be hosted.

use std::io;
use std::path::PathBuf;

use lotka_instance::{InstantiationError, ProcessEnd, log_tail};
use lotka_message::{Code, Coded};

/// The reason why an FMU could not be opened or instantiated in a process of its own. Failed calls to an instance are
/// [`lotka_instance::CallError`]s.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are named in the messages")]
pub enum Error {
    /// The archive or the description is unusable.
    #[error(transparent)]
    Fmu(#[from] fmu::Error),
    /// There is no host program.
    #[error(
        "cannot find the program lotka-fmu-host, which runs isolated FMUs ({}); set LOTKA_FMU_HOST to its path",
        .looked_at.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
    )]
    NoProgram { looked_at: Vec<PathBuf> },
    /// The host program does not start.
    #[error("{}: cannot {action}: {reason}", .program.display())]
    Start { program: PathBuf, action: &'static str, reason: io::Error },
    /// The host program comes from another version of this library.
    #[error(
        "{} uses version {version} of the protocol, which differs from that of this program; install both from the same release",
        .program.display()
    )]
    OtherVersion { program: PathBuf, version: u32 },
    /// The host cannot load, confine or instantiate the FMU, for this reason.
    #[error("{reason}{}", log_tail(.log))]
    Refused { reason: String, log: Vec<String> },
    /// The process of the FMU ended.
    #[error("{}: {doing} did not return: {end}{}", .path.display(), log_tail(.log))]
    Ended { path: PathBuf, doing: String, end: ProcessEnd, log: Vec<String> },
}

impl Coded for Error {
    fn code(&self) -> Code {
        match self {
            Self::Fmu(error) => error.code(),
            Self::NoProgram { .. } | Self::Start { .. } | Self::OtherVersion { .. } => Code::NoHostProgram,
            Self::Refused { .. } => Code::HostRefused,
            Self::Ended { end, .. } => end.code(),
        }
    }
}

impl InstantiationError for Error {
    fn ended_process(&self) -> bool {
        matches!(self, Self::Ended { .. })
    }
}

impl From<Error> for Box<dyn InstantiationError> {
    fn from(error: Error) -> Self {
        Box::new(error)
    }
}
