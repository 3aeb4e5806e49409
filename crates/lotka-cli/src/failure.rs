//! Why a verb did not do what it was asked.

use std::{io, path::PathBuf};

use lotka::{CheckpointError, Code, Coded, CompileError, Error, ResultsError, RunFailure, supervisor::Lost};

use crate::exit::ExitCode;

pub(crate) enum Failure {
    /// The master says why.
    Master { error: Box<Error>, code: ExitCode },
    /// A file of results, or stdout if there is no path, cannot be written.
    Output { path: Option<PathBuf>, source: io::Error },
    /// An FMU ended the process that it ran in.
    Lost(Box<Lost>),
    /// The rows before a checkpoint are not there.
    Rows { path: PathBuf, reason: &'static str },
    /// A manifest cannot be written.
    Manifest { path: PathBuf, source: io::Error },
    /// A report cannot be written.
    Report { path: PathBuf, source: io::Error },
    /// A system file cannot be written.
    System { path: PathBuf, source: io::Error },
    /// Results to compare cannot be read.
    Results(Box<ResultsError>),
    /// The machine has not the memory for it.
    Memory { reason: String },
    /// An FMU was not compiled.
    Compile(Box<CompileError>),
    /// Flags that do not go together with the system, or files that do not go together.
    Usage { code: Code, reason: String },
}

impl Failure {
    pub(crate) fn code(&self) -> ExitCode {
        match self {
            Self::Master { code, .. } => *code,
            Self::Output { .. } if self.is_silent() => ExitCode::Done,
            Self::Lost(lost) if lost.is_internal() => ExitCode::Internal,
            Self::Lost(_) => ExitCode::Process,
            Self::Rows { .. } => ExitCode::Checkpoint,
            Self::Output { .. } | Self::Manifest { .. } | Self::Report { .. } | Self::System { .. } => ExitCode::Output,
            Self::Results(_) | Self::Memory { .. } => ExitCode::System,
            Self::Compile(error) => match **error {
                CompileError::Exists { .. } => ExitCode::Usage,
                CompileError::Write { .. } | CompileError::Work(_) => ExitCode::Output,
                _ => ExitCode::Fmu,
            },
            Self::Usage { .. } => ExitCode::Usage,
        }
    }

    /// A reader that closes stdout early (`| head`) had what it wanted: nothing to complain about.
    pub(crate) fn is_silent(&self) -> bool {
        matches!(self, Self::Output { path: None, source } if source.kind() == io::ErrorKind::BrokenPipe)
    }

    /// What happened: one message, or one for each FMU that cannot be loaded. Problems of a system have places, too, which [`Error::System`] knows.
    pub(crate) fn messages(&self) -> Vec<(Code, String)> {
        match self {
            Self::Master { error, .. } => match &**error {
                Error::Load(errors) => errors.iter().map(|error| (error.code(), error.to_string())).collect(),
                error => vec![(error.code(), error.to_string())],
            },
            other => vec![(other.message_code(), other.text())],
        }
    }

    /// The code of the message, or the first of them. The exit code is another thing: [`Failure::code`].
    pub(crate) fn message_code(&self) -> Code {
        match self {
            Self::Master { error, .. } => error.code(),
            Self::Output { .. } | Self::Manifest { .. } | Self::Report { .. } | Self::System { .. } => Code::UnwritableFile,
            Self::Lost(lost) => lost.code(),
            Self::Rows { .. } => Code::CheckpointRows,
            Self::Results(error) => error.code(),
            Self::Compile(error) => error.code(),
            Self::Memory { .. } => Code::NotEnoughMemory,
            Self::Usage { code, .. } => *code,
        }
    }

    /// What happened, in plain text.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Master { error, .. } => error.to_string(),
            Self::Output { path: Some(path), source } => format!("cannot write the results to {}: {source}", path.display()),
            Self::Lost(lost) => lost.to_string(),
            Self::Rows { path, reason } => {
                format!("cannot resume the run in {}: {reason}; restore the rows, or start a new run", path.display())
            }
            Self::Manifest { path, source } => format!("cannot write the manifest to {}: {source}", path.display()),
            Self::Report { path, source } => format!("cannot write the report to {}: {source}", path.display()),
            Self::System { path, source } => format!("cannot write the system file to {}: {source}", path.display()),
            Self::Results(error) => error.to_string(),
            Self::Compile(error) => error.to_string(),
            Self::Usage { reason, .. } | Self::Memory { reason } => reason.clone(),
            Self::Output { path: None, source } => format!("cannot write to stdout: {source}"),
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Master { code: ExitCode::of(&error), error: Box::new(error) }
    }
}

impl From<CheckpointError> for Failure {
    fn from(error: CheckpointError) -> Self {
        Error::from(error).into()
    }
}

impl From<ResultsError> for Failure {
    fn from(error: ResultsError) -> Self {
        Self::Results(Box::new(error))
    }
}

impl From<CompileError> for Failure {
    fn from(error: CompileError) -> Self {
        Self::Compile(Box::new(error))
    }
}

impl From<RunFailure> for Failure {
    fn from(failure: RunFailure) -> Self {
        Self::Master { code: ExitCode::of_run(&failure), error: Box::new(failure.error.into()) }
    }
}
