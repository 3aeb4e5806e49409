//! The rows between base points that were interpolated last.

use super::found::Found;
use crate::global::{ErrorExpansion, Rows};

/// The rows between base points that were interpolated last. They take time, and may be those of the final result.
pub(super) struct LastRows {
    /// The numbers of the runs, and the expansion by which these are combined.
    pub(super) runs: Vec<usize>,
    pub(super) used: ErrorExpansion,
    pub(super) rows: Rows,
}

impl LastRows {
    /// The rows if they are those of this result.
    pub(super) fn of(self, found: &Found) -> Option<Rows> {
        let is_same = self.used == found.result.orders.used && found.runs.iter().map(|run| run.id).eq(self.runs);
        is_same.then_some(self.rows)
    }
}
