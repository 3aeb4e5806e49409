//! The decision after a run: another base, a result, or a finer run.

use super::{FEWEST, Obstacle, Runner, Search, Stop, Turn, discontinuities};
use crate::global::{Extrapolation, GiveUp, Next};

/// An estimate falls fast if it is this share of the previous one.
const FALLS: f64 = 0.1;

impl Search {
    /// Decides by the usable runs.
    pub(super) fn decide_after_run(&mut self, runner: &mut dyn Runner) -> Result<Turn, Stop> {
        let mut discontinuities = self.discontinuities(discontinuities::SIGNIFICANT);
        let mut table = self.table();
        table.iter_mut().for_each(|table| self.widen_beside_events(table));
        if table.is_none() && self.runs.len() > FEWEST {
            self.n_without_order += 1;
        }
        let falls = self.falls(table.as_ref());
        let tolerance = self.settings.bound.tolerance;
        let is_within = |table: &Option<Extrapolation>| table.as_ref().is_some_and(|table| table.largest <= tolerance);
        if is_within(&table)
            && discontinuities.is_empty()
            && let Some(table) = &mut table
        {
            discontinuities = self.error_at_refinements(table);
            if discontinuities.is_empty() {
                discontinuities = self.error_of_last_step(table);
            }
        }
        let is_acceptable = is_within(&table) && discontinuities.is_empty();
        if !(is_acceptable || falls)
            && let Some(turn) = self.refine(&discontinuities, table.is_none(), runner)?
        {
            return Ok(turn);
        }
        let is_strict = self.is_strict(table.as_ref());
        if is_strict && let Some(table) = &mut table {
            self.widen(table);
        }
        self.obstacle =
            discontinuities.iter().copied().max_by(|a, b| a.share.total_cmp(&b.share)).map(Obstacle::NotSmooth).or(self.obstacle);
        let has_order = table.is_some();
        if let Some(table) = table {
            if discontinuities.is_empty() {
                if let Some(turn) = self.accept(table, is_strict, runner)? {
                    return Ok(turn);
                }
            } else {
                self.remembered = None;
            }
        } else {
            self.remembered = None;
        }
        if self.is_doubtful(has_order) {
            return Ok(Turn::Over(Next::GiveUp(GiveUp::NoOrder)));
        }
        if self.reverts(has_order, &discontinuities) {
            return Ok(Turn::Restart);
        }
        if !has_order || !discontinuities.is_empty() || self.has_failed {
            return self.agree(&discontinuities, runner);
        }
        Ok(Turn::Finer)
    }

    /// Whether the estimate of a table is so much smaller than that of the last one that finer runs are preferable to another
    /// base.
    fn falls(&mut self, table: Option<&Extrapolation>) -> bool {
        let estimate = table.map(|table| table.largest);
        let last = std::mem::replace(&mut self.last_estimate, estimate);
        estimate.zip(last).is_some_and(|(estimate, last)| estimate < FALLS * last)
    }
}
