//! The work of a run so far.

use lotka_step::{
    checkpoint::{Persistent, Transfer, Transferred},
    error_control::Estimates,
};

use crate::Counters;

/// Counters and error statistics.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Statistics {
    pub(crate) counters: Counters,
    /// Steps accepted although they failed the error test.
    pub(crate) n_tolerated: u64,
    /// Steps accepted although a loop did not converge.
    pub(super) unconverged: UnconvergedSteps,
    pub(crate) largest_error: Option<f64>,
}

/// Number and extent of steps that were kept although a loop did not converge.
#[derive(Debug, Clone, Copy, Default, serde::Serialize, serde::Deserialize)]
pub(super) struct UnconvergedSteps {
    pub(super) count: u64,
    /// End of the last one \[s\].
    pub(super) latest: f64,
    /// The largest norm of a change, in units of the iteration tolerance.
    pub(super) largest: f64,
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
