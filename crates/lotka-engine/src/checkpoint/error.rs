//! Why there is no checkpoint, or no run from one.

use std::{io, path::PathBuf};

use lotka_message::{Code, Coded};

/// Why checkpoints cannot be made, or a run cannot go on from one.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointRefusal {
    /// Some FMUs cannot hand out their state.
    #[error(
        "no checkpoints can be made of this run: {}; run without checkpoints, or replace these FMUs",
        .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
    )]
    Incapable(Vec<Incapable>),
    /// The run has a `tolerance`.
    #[error(
        "no checkpoints can be made of a run with `tolerance`: it is a series of runs from the start, whose rows come at the end; \
         checkpoints are for runs with `local-tolerance` or `step`"
    )]
    Verified,
    /// The file of an FMU cannot be read again, to know it later.
    #[error("cannot read {}, by whose bytes a checkpoint knows its system: {source}", .path.display())]
    Fmu {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The system is not the one of the checkpoint.
    #[error("the run cannot go on from this checkpoint: {}; put back what was there, or start the run anew", .0.join("; "))]
    Changed(Vec<String>),
    /// The checkpoint does not hold what this system needs.
    #[error("the checkpoint does not fit the system, although its files are the same; start the run anew")]
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

/// An instance that cannot take part in checkpoints.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the FMU of instance `{instance}` does not serialize its state ({lacking} is missing)")]
#[non_exhaustive]
pub struct Incapable {
    /// Its name.
    pub instance: String,
    /// The capability flag of the model description, or the function that goes with it, that is missing.
    pub lacking: &'static str,
}
