//! Failures of verbs.

use std::{io, path::PathBuf};

use lotka::{
    CheckpointError, Code, Coded, CompileError, Error, ResultsError, RunFailure,
    supervisor::{Lost, ProcessEnd},
};

use crate::exit::ExitCode;

pub(crate) enum Failure {
    /// The co-simulation master failed.
    Master { error: Box<Error>, code: ExitCode },
    /// A results file cannot be written, or stdout if there is no path.
    Output { path: Option<PathBuf>, source: io::Error },
    /// An FMU ended the process that it ran in.
    Lost(Box<Lost>),
    /// An FMU left its process in a state in which it ended later. Each of these does so alone.
    Damaged { fmus: Vec<PathBuf>, end: ProcessEnd },
    /// The rows before a checkpoint are missing.
    Rows { path: PathBuf, reason: &'static str },
    /// A manifest cannot be written.
    Manifest { path: PathBuf, source: io::Error },
    /// A report cannot be written.
    Report { path: PathBuf, source: io::Error },
    /// A system file cannot be written.
    System { path: PathBuf, source: io::Error },
    /// A results file cannot be read.
    Results(Box<ResultsError>),
    /// The machine does not have enough memory.
    Memory { reason: String },
    /// An FMU cannot be compiled.
    Compile(Box<CompileError>),
    /// Flags do not fit the system, or files do not fit together.
    Usage { code: Code, reason: String },
}

impl Failure {
    pub(crate) fn code(&self) -> ExitCode {
        match self {
            Self::Master { code, .. } => *code,
            Self::Output { .. } if self.is_silent() => ExitCode::Done,
            Self::Lost(lost) if lost.is_internal() => ExitCode::Internal,
            Self::Lost(_) | Self::Damaged { .. } => ExitCode::Process,
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

    /// Returns whether to print nothing: a reader that closes stdout early (`| head`) has read all it wanted.
    pub(crate) fn is_silent(&self) -> bool {
        matches!(self, Self::Output { path: None, source } if source.kind() == io::ErrorKind::BrokenPipe)
    }

    /// Returns one message, or one for each FMU that cannot be loaded. The problems of a system also have places, which
    /// [`Error::System`] contains.
    pub(crate) fn messages(&self) -> Vec<(Code, String)> {
        match self {
            Self::Master { error, .. } => match &**error {
                Error::Load(errors) => errors.iter().map(|error| (error.code(), error.to_string())).collect(),
                error => vec![(error.code(), error.to_string())],
            },
            other => vec![(other.message_code(), other.text())],
        }
    }

    /// Returns the code of the first message. The exit code is different: [`Failure::code`] returns it.
    pub(crate) fn message_code(&self) -> Code {
        match self {
            Self::Master { error, .. } => error.code(),
            Self::Output { .. } | Self::Manifest { .. } | Self::Report { .. } | Self::System { .. } => Code::UnwritableFile,
            Self::Lost(lost) => lost.code(),
            Self::Damaged { end, .. } => end.code(),
            Self::Rows { .. } => Code::CheckpointRows,
            Self::Results(error) => error.code(),
            Self::Compile(error) => error.code(),
            Self::Memory { .. } => Code::NotEnoughMemory,
            Self::Usage { code, .. } => *code,
        }
    }

    /// Returns the message in plain text.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Master { error, .. } => error.to_string(),
            Self::Output { path: Some(path), source } => format!("cannot write the results to {}: {source}", path.display()),
            Self::Lost(lost) => lost.to_string(),
            Self::Damaged { fmus, end } => {
                let fmus: Vec<_> = fmus.iter().map(|fmu| fmu.display().to_string()).collect();
                format!(
                    "{}: alone in a process, the FMU damages it, and the process ended after its calls: {}",
                    fmus.join(", "),
                    end.of_process()
                )
            }
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
