//! What a run continues from.

use serde::{Deserialize, Serialize};

use crate::simulation::{Prepared, ResolvedInputs};

/// A run at one of its communication points: all that is needed to continue from there with bitwise the same rows. As bytes it can be kept in a file.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Checkpoint {
    /// What the run was made from, as whoever keeps the checkpoint says it.
    origin: Vec<u8>,
    pub(crate) contents: Contents,
}

/// What is in a checkpoint.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Contents {
    /// The communication point \[s\].
    pub(crate) time: f64,
    /// Rows that went to the observers.
    pub(crate) rows: u64,
    /// What was found out before the first step. It is not looked for again: that it comes out the same is nothing to rely on.
    pub(crate) prepared: Prepared,
    pub(crate) settled: ResolvedInputs,
    /// What the loop carries on, as a [`super::Transfer`] wrote it.
    pub(crate) state: Vec<u8>,
    /// The serialized state of each instance.
    pub(crate) instances: Vec<Vec<u8>>,
}

impl Checkpoint {
    pub(crate) fn new(origin: Vec<u8>, contents: Contents) -> Self {
        Self { origin, contents }
    }

    /// What the run was made from, as it was given to [`Simulation::keep_checkpoints`](crate::simulation::Simulation::keep_checkpoints).
    #[must_use]
    pub fn origin(&self) -> &[u8] {
        &self.origin
    }

    /// The communication point \[s\].
    #[must_use]
    pub fn time(&self) -> f64 {
        self.contents.time
    }

    /// Rows that went to the observers before it, that at this communication point included if there was one.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.contents.rows
    }

    /// The checkpoint as bytes, which the same version of this crate reads.
    ///
    /// # Errors
    /// [`CheckpointRefusal::Unfit`](super::CheckpointRefusal::Unfit): an instance serialized more than memory has room for.
    pub fn to_bytes(&self) -> Result<Vec<u8>, super::CheckpointRefusal> {
        postcard::to_stdvec(self).map_err(|_| super::CheckpointRefusal::Unfit)
    }

    /// The checkpoint in these bytes; `None` if they hold none or are damaged.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        postcard::from_bytes(bytes).ok()
    }
}
