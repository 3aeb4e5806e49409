//! The codes of errors.

use fmi2::{CallError, Cause, ProcessEnd};

use super::Code;
use crate::{CheckpointError, CompileError, Error, HostError, LoadError, ResultsError, ResultsProblem, supervisor::Lost};

impl Error {
    /// What kind of error it is. Of several at once it is that of the first; each has its own, see [`Problem::code`](crate::Problem::code) and
    /// [`LoadError::code`].
    pub fn code(&self) -> Code {
        match self {
            Self::System(problems) => problems.code(),
            Self::Read { .. } => Code::UnreadableFile,
            Self::Save { .. } => Code::UnwritableFile,
            Self::NoDescription { .. } => Code::SspNoDescription,
            Self::Load(errors) => errors.first().map_or(Code::InternalError, LoadError::code),
            Self::Fmu(error) => of_fmu(error),
            Self::UnknownMethod { .. } => Code::InternalError,
            Self::Initialization(error) | Self::Call(error) => of_call(error),
            Self::InitializationLoop { .. } => Code::NoInitialValues,
            Self::SteadyState { .. } => Code::NoSteadyState,
            Self::Discarded { .. } => Code::StepDiscarded,
            Self::NotFinite { .. } => Code::NotFinite,
            Self::NotConverged { .. } => Code::NotConverged,
            Self::RelativeToZero { .. } => Code::RelativeToZero,
            Self::EndedEarly { .. } => Code::EndedEarly,
            Self::BelowNoise { .. } => Code::ToleranceBelowNoise,
            Self::NeedsPromise { .. } => Code::NeedsPromise,
            Self::Chatter { .. } => Code::EventChatter,
            Self::Checkpoint(error) => error.code(),
            Self::StepTooSmall { .. } => Code::StepTooSmall,
        }
    }
}

impl LoadError {
    /// What kind of error it is.
    #[must_use]
    pub fn code(&self) -> Code {
        match &self.source {
            HostError::Fmu(error) => of_fmu(error),
            HostError::NoProgram { .. } | HostError::Start { .. } | HostError::OtherVersion { .. } => Code::NoHostProgram,
            HostError::Refused { .. } => Code::HostRefused,
            HostError::Ended { end, .. } => of_end(end),
            _ => Code::InternalError,
        }
    }
}

impl CompileError {
    /// What kind of error it is.
    #[must_use]
    pub fn code(&self) -> Code {
        match self {
            Self::Fmu(error) => of_fmu(error),
            Self::Nothing { .. } => Code::NothingToCompile,
            Self::NoCompiler { .. } | Self::Compiler { .. } | Self::Unfit { .. } => Code::NotCompiled,
            Self::Exists { .. } => Code::FileExists,
            Self::Copy { .. } => Code::UnreadableFile,
            Self::Write { .. } | Self::Work(_) => Code::UnwritableFile,
        }
    }
}

impl CheckpointError {
    /// What kind of error it is.
    #[must_use]
    pub fn code(&self) -> Code {
        match self {
            Self::Incapable(_) => Code::NoCheckpointOfFmu,
            Self::Verified => Code::NoCheckpointOfTolerance,
            Self::Fmu { .. } | Self::Read { .. } => Code::UnreadableFile,
            Self::Write { .. } => Code::UnwritableFile,
            Self::Foreign { .. } => Code::NotACheckpoint,
            Self::Version { .. } => Code::CheckpointVersion,
            Self::Cut { .. } => Code::CheckpointCut,
            Self::Damaged { .. } => Code::CheckpointDamaged,
            Self::Changed(_) | Self::Unfit => Code::CheckpointChanged,
        }
    }
}

impl ResultsError {
    /// What kind of error it is.
    #[must_use]
    pub fn code(&self) -> Code {
        self.problem.code()
    }
}

impl ResultsProblem {
    /// What kind of problem it is.
    #[must_use]
    pub fn code(&self) -> Code {
        match self {
            Self::Io(_) => Code::UnreadableFile,
            Self::Empty | Self::NoTime { .. } | Self::DuplicateColumn | Self::NotAUnitOfTime { .. } => Code::TableHeader,
            Self::FieldCount { .. } | Self::NoRows | Self::NotUtf8 | Self::RowTooLong { .. } => Code::TableRow,
            Self::NotATime { .. } | Self::TimeGoesBack { .. } => Code::TableTime,
            Self::NotAValue { .. } | Self::ColumnType | Self::MissingValues | Self::SurplusValues => Code::TableValue,
            Self::TooLarge { .. } | Self::TextTooLong { .. } => Code::TableTooLarge,
            Self::NoMatrix { .. } | Self::NotTrajectories { .. } => Code::TableFormat,
            #[cfg(feature = "parquet")]
            Self::Parquet(_) => Code::TableFormat,
            #[cfg(not(feature = "parquet"))]
            Self::NoParquet => Code::TableFormat,
        }
    }
}

impl From<&Lost> for Code {
    fn from(lost: &Lost) -> Self {
        if lost.is_internal() { Code::InternalError } else { of_end(&lost.end) }
    }
}

/// An FMU that cannot be opened or instantiated breaks a rule of `lotka check`, as a rule.
fn of_fmu(error: &fmu::Error) -> Code {
    match error {
        fmu::Error::Io { .. } => Code::UnreadableFile,
        fmu::Error::Description { .. } => Code::InvalidDescription,
        fmu::Error::BadInstanceName { .. } => Code::BadName,
        fmu::Error::Lost { .. } => Code::FmuLost,
        fmu::Error::Unpack { .. } => Code::UnwritableFile,
        fmu::Error::Preload { .. } => Code::PreloadFailed,
        error => error.rule().map_or(Code::InternalError, Code::Rule),
    }
}

fn of_call(error: &CallError) -> Code {
    match &error.cause {
        Cause::Status(_) | Cause::UnknownStatus(_) | Cause::Panic(_) => Code::FmuError,
        Cause::NotAllowed(_) | Cause::BadArgument(_) => Code::InternalError,
        Cause::Unsupported => Code::UnsupportedCall,
        Cause::PendingTimeout(_) => Code::StepPending,
        Cause::BadReply(_) => Code::BadReply,
        Cause::ProcessEnded(end) => of_end(end),
    }
}

fn of_end(end: &ProcessEnd) -> Code {
    match end {
        ProcessEnd::TimeLimit(_) => Code::TimeLimit,
        ProcessEnd::Signal(_) | ProcessEnd::Exit(_) | ProcessEnd::Corrupted(_) => Code::ProcessEnded,
    }
}
