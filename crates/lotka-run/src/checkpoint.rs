//! The data from which a run continues.

use lotka_prepare::trial::ResolvedInputs;
use serde::{Deserialize, Serialize};

use crate::Prepared;

/// A run at one of its communication points: everything needed to continue from there with bitwise the same rows. As bytes it can
/// be kept in a file.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Checkpoint {
    /// The origin of the run, defined by the code that stores the checkpoint.
    origin: Vec<u8>,
    pub(crate) contents: Contents,
}

/// The contents of a checkpoint.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Contents {
    /// The communication point \[s\].
    pub(crate) time: f64,
    /// Number of rows sent to the observers.
    pub(crate) rows: u64,
    /// Results of the preparations before the first step. They are not repeated, because a repetition might yield other results.
    pub(crate) prepared: Prepared,
    pub(crate) settled: ResolvedInputs,
    /// The state of the loop, written by a [`lotka_step::checkpoint::Transfer`].
    pub(crate) state: Vec<u8>,
    /// The serialized state of each instance.
    pub(crate) instances: Vec<Vec<u8>>,
    /// What the instances return in these states, written by a [`lotka_step::checkpoint::Transfer`].
    pub(crate) outputs: Vec<u8>,
}

impl Checkpoint {
    pub(crate) fn new(origin: Vec<u8>, contents: Contents) -> Self {
        Self { origin, contents }
    }

    /// The origin of the run, as passed to [`Simulation::keep_checkpoints`](crate::Simulation::keep_checkpoints).
    #[must_use]
    pub fn origin(&self) -> &[u8] {
        &self.origin
    }

    /// The communication point \[s\].
    #[must_use]
    pub fn time(&self) -> f64 {
        self.contents.time
    }

    /// Number of rows sent to the observers before it, including one at this communication point.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.contents.rows
    }

    /// Returns the checkpoint as bytes, which the same version of this crate reads.
    ///
    /// # Errors
    /// [`CheckpointRefusal::Unfit`](lotka_step::checkpoint::CheckpointRefusal::Unfit): the serialized state of an instance
    /// exceeds the memory.
    pub fn to_bytes(&self) -> Result<Vec<u8>, lotka_step::checkpoint::CheckpointRefusal> {
        postcard::to_stdvec(self).map_err(|_| lotka_step::checkpoint::CheckpointRefusal::Unfit)
    }

    /// Reads the checkpoint from these bytes; `None` if they contain none or are damaged.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        postcard::from_bytes(bytes).ok()
    }
}
