//! The best table of runs that has the orders of the method.

use std::rc::Rc;

use super::{DiscontinuityBracket, FEWEST, Search};
use crate::global::{ErrorExpansion, Extrapolation, Run, tableau};

/// A table of three runs is used only below this number of steps per base step, or if there is no other.
const COARSE: u32 = 4;

/// Factor for strict estimates.
const STRICT: f64 = 3.0;

impl Search {
    /// The table with the smallest estimate of those with visible orders; of those within the tolerance, the one with most runs.
    pub(super) fn table(&self) -> Option<Extrapolation> {
        let subdivisions: Vec<u32> = self.runs.iter().map(|run| run.subdivisions).collect();
        let is_coarse = subdivisions.last().is_some_and(|finest| *finest <= COARSE);
        let mut best: Option<Extrapolation> = None;
        for selected in self.refinement().select(&subdivisions) {
            if selected.len() < FEWEST || selected.len() == FEWEST && best.is_some() && !is_coarse {
                continue;
            }
            let table: Vec<&Run> = self.runs.iter().filter(|run| selected.contains(&run.subdivisions)).map(Rc::as_ref).collect();
            let with = |expansion| tableau::extrapolate(&table, expansion, &self.weights, self.settings.noise);
            // An instance that acts at a known time may use inputs that are as old as the step.
            let stale = || if self.settings.acts_at_times { with(ErrorExpansion::FromOne) } else { None };
            let Some(found) = with(self.settings.expansion).or_else(stale) else { continue };
            let is_within = found.largest <= self.settings.bound.tolerance;
            if best.as_ref().is_none_or(|best| found.largest < best.largest) {
                best = Some(found);
            }
            if is_within {
                break;
            }
        }
        best
    }

    /// Whether estimates are widened, and two tables must agree.
    pub(super) fn is_strict(&self, table: Option<&Extrapolation>) -> bool {
        self.is_refined
            || self.settings.is_implicit
            || table.is_some_and(|table| table.orders.used == ErrorExpansion::FromOne)
            || self.n_without_order >= 2
            || self.has_failed
            || !self.refines
            || self.settings.expansion == ErrorExpansion::FromOne
            || self.runs.last().is_some_and(|run| !run.events.is_empty())
    }

    /// Triples estimates, and raises them at least to those of adjacent rows. Where instances solve for their values, errors may
    /// fall with power 1 only.
    pub(super) fn widen(&self, table: &mut Extrapolation) {
        let slower = || table.orders.used.first_power_factor(&table.subdivisions);
        let factor = if self.settings.is_implicit { slower().max(STRICT) } else { STRICT };
        table.widen(factor, &self.weights);
    }

    /// Keeps the finest run as the best available result. Its estimates come from the coarser ones and from the possible effect
    /// of a switch at these places that is noticed a step late.
    pub(super) fn keep_finest(&mut self, discontinuities: &[DiscontinuityBracket]) {
        let runs: Vec<&Run> = self.runs.iter().map(Rc::as_ref).collect();
        let result = tableau::finest_run(&runs, self.settings.expansion, &self.weights, self.settings.noise);
        if let (Some(mut result), Some(finest)) = (result, self.runs.last()) {
            if !discontinuities.is_empty() {
                self.add_largest_steps(finest, discontinuities.iter(), &mut result);
                result.measure(&self.weights);
            }
            self.keep(result, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::search;
    use super::*;

    /// Where a relay switches, errors may happen to fall with the first power, which is not guaranteed.
    #[test]
    fn an_order_that_is_only_observed_is_not_extrapolated() {
        let values = [2, 3, 4, 6, 8].map(|subdivisions| (subdivisions, 1.0 + 1e-2 / f64::from(subdivisions)));
        assert_eq!(search(ErrorExpansion::Even, &values).table(), None);
        assert_eq!(search(ErrorExpansion::FromTwo, &values).table(), None);
        let guaranteed = search(ErrorExpansion::FromOne, &values).table().unwrap();
        assert!((guaranteed.values[1] - 1.0).abs() < 1e-12, "{guaranteed:?}");
    }
}
