//! The choice of runs to make and to use.

use std::{collections::HashSet, rc::Rc};

use super::{Following, Found, Runner, Search, Stop, Turn};
use crate::global::{GiveUp, Next, Run, SignChange, refinement::Refinement, run::diverged, tableau::level};

/// Number of successive failed runs after which no further one is made, and the same if values have grown beyond all limits,
/// which shorter steps may prevent.
const FAILURES: usize = 6;
const DIVERGED: usize = 16;

/// If the estimate is this multiple of the tolerance, one further run is not enough.
const FAR: f64 = 300.0;

impl Search {
    /// Steps per base step of the run after `tried`, or of the first one.
    pub(super) fn after(&self, tried: Option<u32>) -> Result<u32, GiveUp> {
        let Some(tried) = tried else {
            return Ok(self.settings.admitted.iter().flatten().next().copied().unwrap_or(1));
        };
        let Some(next) = self.following(tried) else {
            let meshes = self.settings.admitted.as_ref().map_or(self.runs.len(), |admitted| admitted.len().min(self.runs.len()));
            return Err(GiveUp::NoMesh { meshes });
        };
        match next {
            next if next <= self.settings.largest_refinement => Ok(next),
            _ if self.runs.is_empty() => Err(GiveUp::OnlyFailures { runs: self.failures }),
            _ => Err(GiveUp::LargestRefinement { subdivisions: tried }),
        }
    }

    /// The number after `tried`; `None` if the FMUs accept no further one.
    pub(super) fn following(&self, tried: u32) -> Option<u32> {
        self.following_of(tried, &self.runs.iter().map(|run| run.subdivisions).collect::<Vec<_>>())
    }

    /// The number after `tried`, given those of the usable runs.
    fn following_of(&self, tried: u32, usable: &[u32]) -> Option<u32> {
        match &self.settings.admitted {
            Some(admitted) => admitted.iter().copied().find(|next| *next > tried),
            None => Some(self.refinement().next(tried, usable)),
        }
    }

    pub(super) fn refinement(&self) -> Refinement {
        let steps = self.runs.last().map_or(0, |run| run.steps);
        Refinement {
            expansion: self.settings.expansion,
            level: level(steps, self.settings.noise),
            tolerance: self.settings.bound.tolerance,
            shares_points: self.settings.off_mesh_rows.is_some(),
        }
    }

    /// The runs that follow the next one.
    pub(super) fn what_follows(&self, next: u32) -> Following {
        if self.runs.len() < super::FEWEST {
            return Following { runs: self.first_runs(next), ..Following::default() };
        }
        let Some(best) = self.best.as_ref().filter(|best| best.result.largest.is_finite()) else { return Following::default() };
        let is_far = best.result.largest > FAR * self.settings.bound.tolerance;
        let runs = if is_far { self.following(next).into_iter().collect() } else { Vec::new() };
        let has_orders = best.runs.len() >= super::FEWEST && Rc::ptr_eq(&best.base, &self.base);
        let ending = if has_orders { self.ending(&best.result) } else { None };
        Following { runs, is_far, ending }
    }

    /// The first runs after `next`: there is no result without them. If steps end at events, each run must know the times of the
    /// previous one; and the first two runs may reveal that the base is too coarse.
    fn first_runs(&self, next: u32) -> Vec<u32> {
        let fewest = if self.settings.off_mesh_rows.is_some() { 2 } else { super::FEWEST };
        let count = if self.settings.has_events || self.settings.max_calls.is_some() { 0 } else { fewest };
        let mut usable: Vec<u32> = self.runs.iter().map(|run| run.subdivisions).chain([next]).collect();
        let first = usable.len();
        while usable.len() < count
            && let Some(next) = self.following_of(usable[usable.len() - 1], &usable)
        {
            usable.push(next);
        }
        usable.split_off(first)
    }

    /// The number of calls, and the permitted number, if this is exceeded: one run is made in any case, so that there is a
    /// result.
    pub(super) fn spent(&self, runner: &dyn Runner) -> Option<(u64, u64)> {
        let limit = self.limit()?;
        Some((runner.calls(), limit)).filter(|(calls, limit)| calls >= limit)
    }

    /// The permitted number of calls, once the first run is made.
    pub(super) fn limit(&self) -> Option<u64> {
        let (least, multiple) = self.settings.budget;
        let usual = least.max(multiple.saturating_mul(self.first_calls?)) + self.settings.earlier_calls;
        Some(self.settings.max_calls.unwrap_or(usual))
    }

    pub(super) fn failed(&mut self) -> Turn {
        self.failed_within(FAILURES)
    }

    /// A run diverged, and received a value that is not finite at this time \[s\]. If it did so where the previous one did,
    /// shorter steps may not help.
    pub(super) fn diverged_at(&mut self, time: f64) -> Turn {
        let before = std::mem::replace(&mut self.diverged_at, time);
        self.failed_within(if (time - before).abs() <= self.base.distance() { FAILURES } else { DIVERGED })
    }

    fn failed_within(&mut self, most: usize) -> Turn {
        self.failures += 1;
        match self.failures {
            runs if runs >= most => Turn::Over(Next::GiveUp(GiveUp::OnlyFailures { runs })),
            _ => Turn::Finer,
        }
    }

    /// Shortens all runs.
    pub(super) fn shorten(&mut self) -> Turn {
        self.best = None;
        self.put_all_rows_on_mesh();
        Turn::Restart
    }

    /// Adds a finished run, finer than all before. One with values that are not finite counts as failed, unless the same columns
    /// were not finite in the previous run: these are then excluded. Returns `None` if the usable runs decide.
    pub(super) fn take(&mut self, mut run: Run, runner: &mut dyn Runner) -> Result<Option<Turn>, Stop> {
        if self.exclude(&run) {
            return Ok(Some(self.failed_within(DIVERGED)));
        }
        self.failures = 0;
        let columns = self.weights.columns();
        self.excluded.iter().for_each(|&column| run.clear(column, columns));
        self.forget_other_events(&run);
        let repeats = self.runs.last().is_some_and(|last| last.is_repeated_by(&run, &self.settings.is_entangled));
        self.runs.push(Rc::new(run));
        let restricted = self.restrict(runner);
        if repeats {
            self.runs.drain(..self.runs.len().saturating_sub(1));
            self.best = None;
            self.update_weights()?;
            self.keep_finest(&[]);
            return Ok(Some(Turn::Over(Next::GiveUp(GiveUp::EqualRuns))));
        }
        Ok(if restricted && self.runs.is_empty() { Some(Turn::Restart) } else { None })
    }

    /// Drops runs with steps that, as is now known, the FMUs do not accept. If no others remain, the error of the finest run is
    /// unknown.
    pub(super) fn restrict(&mut self, runner: &mut dyn Runner) -> bool {
        let Some(admitted) = runner.admitted() else { return false };
        if self.settings.off_mesh_rows.is_some() {
            self.put_all_rows_on_mesh();
            self.runs.clear();
        }
        match admitted.is_empty() {
            true => drop(self.runs.drain(..self.runs.len().saturating_sub(1))),
            false => self.runs.retain(|run| admitted.contains(&run.subdivisions)),
        }
        self.settings.admitted = Some(admitted);
        (self.best, self.remembered) = (None, None);
        true
    }

    /// The action after runs were dropped because the FMUs do not accept their steps.
    pub(super) fn continue_with_remaining(&mut self) -> Result<Turn, Stop> {
        if self.runs.is_empty() {
            return Ok(Turn::Restart);
        }
        self.update_weights()?;
        self.keep_finest(&[]);
        Ok(Turn::Finer)
    }

    /// Drops runs whose events differ from those of this finer one: their rows do not correspond.
    fn forget_other_events(&mut self, run: &Run) {
        if self.runs.last().is_some_and(|last| last.events != run.events) {
            self.runs.clear();
            (self.best, self.remembered) = (None, None);
        }
    }

    /// Whether a run has values that are not finite in other columns than the previous run, or from another time on.
    fn exclude(&mut self, run: &Run) -> bool {
        let columns = self.weights.columns();
        let mut broken = run.broken(columns);
        broken.retain(|(column, _)| !self.excluded.contains(column));
        // Values that grow beyond all limits with large steps do so later, or not at all, with smaller ones.
        let is_same = |((column, time), (other, before)): (&(usize, f64), &(usize, f64))| {
            column == other && (time - before).abs() <= self.base.distance()
        };
        if broken.len() == self.suspects.len() && broken.iter().zip(&self.suspects).all(is_same) {
            self.excluded.extend(self.suspects.drain(..).map(|(column, _)| column));
            self.last_rows = None;
            for usable in &mut self.runs {
                let cleared = Rc::make_mut(usable);
                self.excluded.iter().for_each(|&column| cleared.clear(column, columns));
            }
            return false;
        }
        self.suspects = broken;
        !self.suspects.is_empty()
    }

    pub(super) fn update_weights(&mut self) -> Result<(), SignChange> {
        let Some(finest) = self.runs.last() else { return Ok(()) };
        self.weights = self.settings.bound.weights(&finest.values, &finest.trace.value_traces);
        match &self.runs[..] {
            [.., before, last] => self.settings.bound.check_signs(&[&last.values, &before.values]),
            _ => Ok(()),
        }
    }

    pub(super) fn drop_coarse(&mut self) {
        let coarse: Vec<_> = self.runs.drain(..diverged(&self.runs, &self.weights)).collect();
        let dropped: Vec<_> = coarse.iter().map(|run| run.id).collect();
        self.parted.extend(coarse);
        if self.best.as_ref().and_then(Found::coarsest).is_some_and(|coarsest| dropped.contains(&coarsest.id)) {
            self.best = None;
        }
        if !dropped.is_empty() {
            self.remembered = None;
        }
    }

    /// The numbers of the runs that are still used.
    pub(super) fn used(&self) -> HashSet<usize> {
        let best = self.best.iter().flat_map(|best| best.runs.iter().map(|run| run.id));
        self.runs.iter().map(|run| run.id).chain(best).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{
        super::{ErrorExpansion, Run},
        samples::{Fake, search},
    };

    /// Values that grow beyond all limits with large steps do so at another time with smaller ones: a later run may have none.
    #[test]
    fn a_column_that_is_not_finite_at_another_time_is_no_result_yet() {
        let mut search = search(ErrorExpansion::Even, &[]);
        let from = |time: f64| {
            let times = vec![0.0, 4.0, 8.0, 12.0];
            let values = times.iter().map(|t| if *t >= time { f64::INFINITY } else { 1.0 }).collect();
            Run { times, values, ..Run::default() }
        };
        assert!(search.exclude(&from(4.0)) && search.exclude(&from(8.0)) && search.excluded().is_empty());
        assert!(!search.exclude(&from(20.0)) && search.excluded().is_empty(), "all values are finite");
        assert!(search.exclude(&from(8.0)) && !search.exclude(&from(8.0)), "twice from the same time on");
        assert_eq!(search.excluded(), [0]);
    }

    #[test]
    fn calls_end_at_a_multiple_of_those_of_the_first_run_or_where_the_user_says() {
        let spent = |first, max_calls, calls| {
            let mut search = search(ErrorExpansion::Even, &[]);
            (search.first_calls, search.settings.max_calls) = (first, max_calls);
            search.spent(&Fake { calls, ..Fake::new(|_| 1.0) })
        };
        assert_eq!(spent(Some(10), None, 299_999), None);
        assert_eq!(spent(Some(10), None, 300_000), Some((300_000, 300_000)));
        assert_eq!(spent(Some(10_000), None, 999_999), None);
        assert_eq!(spent(Some(10_000), None, 1_000_000), Some((1_000_000, 1_000_000)));
        assert_eq!(spent(Some(10), Some(20), 30), Some((30, 20)));
        assert_eq!(spent(None, Some(20), 20), None, "one run is made in any case");
    }
}
