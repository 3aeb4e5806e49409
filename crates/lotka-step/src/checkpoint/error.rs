//! Reasons why a checkpoint, or a run from one, is not possible.

use std::{io, path::PathBuf};

use lotka_message::{Code, Coded};

/// The reason why checkpoints cannot be written, or a run cannot continue from one.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointRefusal {
    /// Some FMUs cannot serialize their state.
    #[error(
        "cannot write checkpoints of this run: {}; run without checkpoints, or replace these FMUs",
        .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
    )]
    Incapable(Vec<Incapable>),
    /// The run has a `tolerance`.
    #[error(
        "cannot write checkpoints of a run with `tolerance`, which repeats the whole simulation; use `local-tolerance` or `step`"
    )]
    Verified,
    /// The file of an FMU, needed to identify it later, cannot be read again.
    #[error("cannot read {} to compute its checksum for the checkpoint: {reason}", .path.display())]
    Fmu {
        /// The file.
        path: PathBuf,
        /// The cause.
        reason: io::Error,
    },
    /// The system differs from that of the checkpoint.
    #[error("cannot resume from this checkpoint: {}; restore the original, or start a new run", .0.join("; "))]
    Changed(Vec<String>),
    /// The checkpoint does not contain what this system needs.
    #[error("the checkpoint does not match the system, although its files are unchanged; start a new run")]
    Unfit,
}

impl Coded for CheckpointRefusal {
    fn code(&self) -> Code {
        match self {
            Self::Incapable(_) => Code::NoCheckpointOfFmu,
            Self::Fmu { .. } => Code::UnreadableFile,
            Self::Verified => Code::NoCheckpointOfTolerance,
            Self::Changed(_) | Self::Unfit => Code::CheckpointChanged,
        }
    }
}

/// An instance that does not support checkpoints.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the FMU of instance `{instance}` does not serialize its state (missing: {lacking})")]
#[non_exhaustive]
pub struct Incapable {
    /// Its name.
    pub instance: String,
    /// The missing capability flag of the model description, or the missing function.
    pub lacking: &'static str,
}

impl Incapable {
    /// The instance of this name lacks this flag or function.
    pub fn new(instance: impl Into<String>, lacking: &'static str) -> Self {
        Self { instance: instance.into(), lacking }
    }
}
