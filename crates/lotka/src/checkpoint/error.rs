//! Why a checkpoint cannot be written or read.

use std::{io, path::PathBuf};

use lotka_message::{Code, Coded};

/// Reason why a run cannot make or keep checkpoints, or continue from one.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// The run does not allow checkpoints, or the checkpoint does not suit the system.
    #[error("{0}")]
    Run(lotka_step::checkpoint::CheckpointRefusal),
    /// The file cannot be read.
    #[error("cannot read the checkpoint {}: {reason}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: io::Error,
    },
    /// The file cannot be written.
    #[error("cannot write the checkpoint {}: {reason}", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: io::Error,
    },
    /// The file is not a checkpoint.
    #[error("{} is not a checkpoint of a run", .path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// The file was made by another version, which may compute other bits.
    #[error(
        "the checkpoint {} was made by lotka {made_by} (format {format}), this is lotka {own} (format {own_format}): resume \
         with that version, or start a new run", .path.display()
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// Version of the program that made it.
        made_by: String,
        /// Its format.
        format: u32,
        /// Version of this program.
        own: &'static str,
        /// The format that it reads.
        own_format: u32,
    },
    /// The file ends too early.
    #[error(
        "the checkpoint {} ends after {found} of {expected} bytes: it is truncated, as by an incomplete copy; use a complete \
         copy, or start a new run", .path.display()
    )]
    Cut {
        /// The file.
        path: PathBuf,
        /// Its length \[byte\].
        found: u64,
        /// The length that it should have \[byte\].
        expected: u64,
    },
    /// The file has changed since it was written.
    #[error("the checkpoint {} is damaged: its checksum is wrong; use an intact copy, or start a new run", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
    },
}

impl Coded for CheckpointError {
    fn code(&self) -> Code {
        match self {
            Self::Run(error) => error.code(),
            Self::Read { .. } => Code::UnreadableFile,
            Self::Write { .. } => Code::UnwritableFile,
            Self::Foreign { .. } => Code::NotACheckpoint,
            Self::Version { .. } => Code::CheckpointVersion,
            Self::Cut { .. } => Code::CheckpointCut,
            Self::Damaged { .. } => Code::CheckpointDamaged,
        }
    }
}

impl From<lotka_step::checkpoint::CheckpointRefusal> for CheckpointError {
    fn from(error: lotka_step::checkpoint::CheckpointRefusal) -> Self {
        Self::Run(error)
    }
}
