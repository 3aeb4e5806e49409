//! Signals that move by themselves faster than a base mesh resolves, so that all runs may agree without their effect.

use std::rc::Rc;

use lotka_prepare::{mesh::Base, trial::grids::Ripple};

use super::{Obstacle, Search, Turn, check::Differs};
use crate::global::{Extrapolation, GiveUp, Next};

/// Maximum base step as a share of a period.
const SHARE: f64 = 0.2;

/// Maximum number of base steps.
const MOST: f64 = 100_000.0;

/// Steps that are longer by this share are as long as they should be.
const ROUNDING: f64 = 1e-6;

/// The longest base step that resolves a signal over this span \[s\]; `None` if there would be too many.
pub(crate) fn longest_step(ripple: &Ripple, (start, stop): (f64, f64)) -> Option<f64> {
    Some(SHARE * ripple.period).filter(|longest| (stop - start) / longest <= MOST)
}

impl Search {
    /// Restarts on a base that resolves a signal, or rejects the result if none does. Returns `None` if the base does so already.
    pub(super) fn resolve(&mut self, ripple: Ripple, table: &Extrapolation) -> Option<Turn> {
        let Some(longest) = longest_step(&ripple, self.base.span()) else {
            self.reject_rippled(ripple, table);
            return Some(Turn::Over(Next::GiveUp(GiveUp::Unresolved)));
        };
        if self.base.longest() <= longest * (1.0 + ROUNDING) {
            return None;
        }
        // It is the best result until another one is found.
        self.reject_rippled(ripple, table);
        (self.obstacle, self.first_calls) = (None, None);
        self.put_all_rows_on_mesh();
        let mut base = Base::clone(&self.first_base);
        base.divide(longest);
        let base = Rc::new(base);
        (self.base, self.first_base) = (base.clone(), base);
        Some(Turn::Restart)
    }

    fn reject_rippled(&mut self, Ripple { signal, period, size }: Ripple, table: &Extrapolation) {
        let columns = self.weights.columns();
        let by = (0..columns).map(|column| size.min(1.0) * table.size(column, columns));
        self.reject(table.clone(), &Differs::everywhere(by, Obstacle::Ripples { signal, period }));
    }
}
