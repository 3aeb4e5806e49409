//! Why there is no checkpoint, or no run from one.

use std::{io, path::PathBuf};

/// Why checkpoints cannot be made, or a run cannot go on from one.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
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
    /// The file cannot be read.
    #[error("cannot read the checkpoint {}: {source}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file cannot be written.
    #[error("cannot write the checkpoint {}: {source}", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file is something else.
    #[error("{} is no checkpoint of a run", .path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// The file was made by another version, which may compute other bits.
    #[error(
        "the checkpoint {} was made by lotka {made_by} (format {format}), this is lotka {own} (format {own_format}): go on with that version, \
         or start the run anew", .path.display()
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
        "the checkpoint {} ends after {found} of {expected} bytes: it was cut, as by a copy that was not finished; use a whole one, or start the \
         run anew", .path.display()
    )]
    Cut {
        /// The file.
        path: PathBuf,
        /// Its length \[byte\].
        found: u64,
        /// The length that it should have \[byte\].
        expected: u64,
    },
    /// The file has other bytes than were written.
    #[error("the checkpoint {} is damaged: its checksum is wrong; use an intact copy, or start the run anew", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
    },
    /// The system is not the one of the checkpoint.
    #[error("the run cannot go on from this checkpoint: {}; put back what was there, or start the run anew", .0.join("; "))]
    Changed(Vec<String>),
    /// The checkpoint does not hold what this system needs.
    #[error("the checkpoint does not fit the system, although its files are the same; start the run anew")]
    Unfit,
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
