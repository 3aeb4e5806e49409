//! Whether a table within the tolerance is a result.

use std::rc::Rc;

use lotka_prepare::mesh::Base;

use super::{
    Found, Obstacle, Runner, Search, Stop, Turn,
    check::{Checked, Differs},
};
use crate::global::{Extrapolation, GiveUp, Next};

/// Minimum number of runs in a result that relies on trials of the FMUs. Two columns of the table then reveal their orders, and a
/// first power, which is small beside the error of the method itself, appears in the second.
const FEWEST_ON_TRIALS: usize = 4;

/// Steps per base step at which the orders must be visible at the latest if a method relies on trials.
const FINEST_ON_TRIALS: u32 = 8;

/// Maximum number of times that base steps are made to grow from restarts of signals, and the number of restarts at once.
const MOST_GRADED: u32 = 3;
const GRADED_AT_ONCE: usize = 4;

impl Search {
    /// Handles a table of smooth signals whose orders are visible: it becomes the result, is remembered, or is refuted by checks.
    /// Returns `None` if finer runs must decide.
    pub(super) fn accept(
        &mut self,
        table: Extrapolation,
        is_strict: bool,
        runner: &mut dyn Runner,
    ) -> Result<Option<Turn>, Stop> {
        let tolerance = self.settings.bound.tolerance;
        if table.floor > tolerance && table.largest <= NEAR * table.floor {
            let floor = table.floor;
            self.keep(table, 0);
            return Ok(Some(Turn::Over(Next::GiveUp(GiveUp::RoundingFloor { floor }))));
        }
        if table.largest > tolerance {
            self.keep(table, 0);
            self.remembered = None;
            return Ok(None);
        }
        if let Some(turn) = self.improve_rows(&table) {
            return Ok(Some(turn));
        }
        if self.settings.relies_on_trials && !self.is_certain(&table) {
            self.keep_finest(&[]);
            return Ok(None);
        }
        if let Some(obstacle) = self.undecided(&table) {
            self.obstacle = Some(obstacle);
            self.keep_finest(&[]);
            return Ok(None);
        }
        if is_strict {
            let agrees = self.remembered.as_ref().is_some_and(|before| self.agree_with(before, &table));
            self.remembered = Some(table.clone());
            if !agrees {
                self.keep_finest(&[]);
                return Ok(Some(Turn::Finer));
            }
            let middle = table.subdivisions.get(table.subdivisions.len() / 2).copied().unwrap_or(1);
            self.least_density = self.least_density.max(middle);
        }
        self.decide(table, runner)
    }

    /// Decides by checks about a table that may become the result.
    fn decide(&mut self, mut table: Extrapolation, runner: &mut dyn Runner) -> Result<Option<Turn>, Stop> {
        if let Some(ending) = self.ending(&table) {
            let late = runner.look_late(&self.base, &ending)?;
            self.settings.ripple = self.settings.ripple.into_iter().chain(late).min_by(|a, b| a.period.total_cmp(&b.period));
        }
        if self.restrict(runner) {
            return self.continue_with_remaining().map(Some);
        }
        if let Some(turn) = self.settings.ripple.and_then(|ripple| self.resolve(ripple, &table)) {
            return Ok(Some(turn));
        }
        let checks = match self.check(&mut table, runner) {
            Checked::Passed { runs } => runs,
            Checked::Stopped => return Ok(Some(Turn::Stopped)),
            Checked::Differs(differs) => {
                if self.grade_before(differs.worst) {
                    return Ok(Some(Turn::Restart));
                }
                self.reject(table, &differs);
                return Ok(None);
            }
        };
        self.best = None;
        self.keep(table, checks);
        self.obstacle = None;
        Ok(Some(Turn::Over(Next::Reached)))
    }

    /// Keeps a result that is not valid, with estimates that say so.
    pub(super) fn reject(&mut self, mut result: Extrapolation, differs: &Differs) {
        self.has_failed = true;
        self.obstacle = Some(differs.worst);
        let times = self.row_times();
        differs.widen(&mut result, &times, &self.weights);
        // What other meshes contradict is no better for having been found before.
        self.best = self.best.take().filter(|best| best.result.values.len() == result.values.len());
        if let Some(Found { result, weights, .. }) = &mut self.best {
            differs.widen(result, &times, weights);
        }
        self.keep(result, 0);
        self.best.iter_mut().for_each(|best| best.is_compared = true);
    }

    /// The times of the rows \[s\].
    pub(super) fn row_times(&self) -> Vec<f64> {
        self.runs.last().map_or_else(Vec::new, |run| run.times.clone())
    }

    /// Compares the best result of a search that ends without one with a run on another mesh: what it contradicts is not kept.
    pub(super) fn compare_best(&mut self, runner: &mut dyn Runner) {
        let rows = self.runs.last().map_or(0, |run| run.values.len());
        let is_open = |best: &&Found| {
            !best.is_compared
                && Rc::ptr_eq(&best.base, &self.base)
                && best.result.values.len() == rows
                && best.result.largest.is_finite()
        };
        let Some(best) = self.best.as_ref().filter(is_open) else { return };
        if self.settings.max_calls.is_some() || self.settings.admitted.is_some() {
            return;
        }
        let result = best.result.clone();
        match self.check_once(&result, runner) {
            Some(Checked::Passed { .. }) => self.best.iter_mut().for_each(|best| best.is_compared = true),
            Some(Checked::Differs(differs)) => self.reject(result, &differs),
            Some(Checked::Stopped) | None => {}
        }
    }

    /// Makes base steps grow from where signals restart before a difference, unless they do: a fast mode may be over within each
    /// of them.
    fn grade_before(&mut self, worst: Obstacle) -> bool {
        let Obstacle::Differs { time, .. } = worst else { return false };
        if self.n_graded == MOST_GRADED || self.settings.admitted.is_some() {
            return false;
        }
        let Some(run) = self.runs.last() else { return false };
        let known = run.trace.restarts.iter().filter(|(_, jumps)| !jumps).map(|(step, _)| *step);
        let mut restarts: Vec<usize> = known.chain([0]).filter(|step| self.base.times()[*step] < time).collect();
        restarts.sort_unstable();
        restarts.dedup();
        let mut base = Base::clone(&self.base);
        base.grade(&restarts[restarts.len().saturating_sub(GRADED_AT_ONCE)..]);
        if base.n_steps() == self.base.n_steps() {
            return false;
        }
        self.n_graded += 1;
        if self.settings.off_mesh_rows.is_some() {
            self.put_all_rows_on_mesh();
            return true;
        }
        self.base = Rc::new(base);
        self.is_refined = true;
        true
    }

    /// Whether two results agree within their combined estimates.
    fn agree_with(&self, before: &Extrapolation, table: &Extrapolation) -> bool {
        let both = before.values.iter().zip(&before.estimate).zip(table.values.iter().zip(&table.estimate));
        before.values.len() == table.values.len() && { both }.all(|((a, da), (b, db))| (a - b).abs() <= da + db)
    }

    /// Whether the tolerance is met even if the remaining error is entirely of power 1, which feedthrough adds.
    fn is_certain(&self, table: &Extrapolation) -> bool {
        let factor = table.orders.used.first_power_factor(&table.subdivisions);
        table.subdivisions.len() >= FEWEST_ON_TRIALS && factor * table.largest <= self.settings.bound.tolerance
    }

    /// Whether orders should be visible by now.
    pub(super) fn is_doubtful(&self, has_order: bool) -> bool {
        let finest = self.runs.last().map_or(0, |run| run.subdivisions);
        self.settings.relies_on_trials && !has_order && finest >= FINEST_ON_TRIALS
    }
}

/// An estimate below this multiple of its share of rounding and noise cannot improve.
const NEAR: f64 = 4.0;

impl Obstacle {
    /// The larger of two differences.
    pub(super) fn worse(self, other: Self) -> Self {
        match (self, other) {
            (Self::Differs { by, .. }, Self::Differs { by: other_by, .. }) if other_by > by => other,
            _ => self,
        }
    }
}
