//! The work of a run so far.

use super::unconverged::UnconvergedSteps;
use crate::{
    checkpoint::{Persistent, Transfer, Transferred},
    error_control::Estimates,
    simulation::Counters,
};

/// Counters and error statistics.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::simulation) struct Statistics {
    pub(in crate::simulation) counters: Counters,
    /// Steps accepted although they failed the error test.
    pub(in crate::simulation) n_tolerated: u64,
    /// Steps accepted although a loop did not converge.
    pub(super) unconverged: UnconvergedSteps,
    pub(in crate::simulation) largest_error: Option<f64>,
}

impl Statistics {
    /// Records an accepted step with these estimates.
    #[inline(always)]
    pub(super) fn accept(&mut self, estimates: Option<Estimates>) {
        self.counters.n_steps += 1;
        if let Some(estimates) = estimates {
            let error = estimates.largest();
            if self.largest_error.is_none_or(|largest| error > largest || largest.is_nan()) {
                self.largest_error = Some(error);
            }
        }
    }
}

impl Persistent for Statistics {
    fn transfer(&mut self, transfer: &mut Transfer<'_>) -> Transferred {
        transfer.value(&mut self.counters)?;
        transfer.value(&mut self.n_tolerated)?;
        transfer.value(&mut self.unconverged)?;
        transfer.value(&mut self.largest_error)
    }
}
