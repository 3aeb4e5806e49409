//! The current time of a run.

use lotka_step::checkpoint::{Persistent, Transfer, Transferred};

use crate::stepping::Proposal;

/// The last communication point of a run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clock {
    /// The time as the FMUs know it \[s\]: the end of their last step, or the time as reported where equal steps have drifted
    /// from it.
    pub(crate) t: f64,
    /// The time as reported \[s\]: exactly a row, an event or the stop time.
    pub(crate) time: f64,
}

/// The sum of equal steps may differ from the time by this share of a step, and by rounding: it is what the FMUs themselves have
/// counted.
const DRIFT: f64 = 1e-9;
const ROUNDING: f64 = 2.0 * f64::EPSILON;

impl Clock {
    pub(crate) fn new(start: f64) -> Self {
        Self { t: start, time: start }
    }

    /// Advances to the end of an accepted step.
    #[inline(always)]
    pub(crate) fn advance(&mut self, step: &Proposal) {
        let end = self.t + step.h;
        let bearable = DRIFT * step.h + ROUNDING * step.end.abs();
        self.t = if (end - step.end).abs() <= bearable { end } else { step.end };
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
