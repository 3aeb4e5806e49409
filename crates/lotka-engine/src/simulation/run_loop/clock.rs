//! Where a run is.

use crate::{
    checkpoint::{Persistent, Transfer, Transferred},
    simulation::stepping::Proposal,
};

/// The last communication point of a run.
#[derive(Debug, Clone, Copy)]
pub(in crate::simulation) struct Clock {
    /// As the FMUs know it \[s\]: the sum of the steps.
    pub(in crate::simulation) t: f64,
    /// As it is reported \[s\]: exactly a row, an event or the stop time.
    pub(in crate::simulation) time: f64,
}

impl Clock {
    pub(super) fn new(start: f64) -> Self {
        Self { t: start, time: start }
    }

    /// A step is accepted.
    #[inline(always)]
    pub(super) fn advance(&mut self, step: &Proposal) {
        self.t += step.h;
        self.time = step.end;
    }

    /// The run ends at a time inside a step.
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
