//! The current time of a run.

use crate::{
    checkpoint::{Persistent, Transfer, Transferred},
    simulation::stepping::Proposal,
};

/// The last communication point of a run.
#[derive(Debug, Clone, Copy)]
pub(in crate::simulation) struct Clock {
    /// The time as the FMUs know it \[s\]: the sum of the steps.
    pub(in crate::simulation) t: f64,
    /// The time as reported \[s\]: exactly a row, an event or the stop time.
    pub(in crate::simulation) time: f64,
}

impl Clock {
    pub(super) fn new(start: f64) -> Self {
        Self { t: start, time: start }
    }

    /// Advances to the end of an accepted step.
    #[inline(always)]
    pub(super) fn advance(&mut self, step: &Proposal) {
        self.t += step.h;
        self.time = step.end;
    }

    /// Ends the run at a time inside a step.
    pub(super) fn end_at(&mut self, time: f64) {
        (self.t, self.time) = (time, time);
    }
}

impl Persistent for Clock {
    fn transfer(&mut self, transfer: &mut Transfer<'_>) -> Transferred {
        transfer.value(&mut self.t)?;
        transfer.value(&mut self.time)
    }
}
