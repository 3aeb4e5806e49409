//! What fast modes add to a result that are over within its steps.

use lotka_prepare::mesh::Between;
use lotka_step::algorithm::{Comb, FastMode};

use super::{
    Made, Obstacle, Runner, Search,
    check::{Checked, Differs},
    hidden::Hidden,
};
use crate::global::{Extrapolation, Run};

/// Maximum share of the steps of the finest run that a fast mode takes which is not resolved; and the same for values that do not
/// move in ordinary steps, whose orders show nothing of it.
const RESOLVED: f64 = 0.25;
const RESOLVED_AT_REST: f64 = 1.0;

/// Factor for what a mode adds: it is seen at one place.
const SAFETY: f64 = 5.0;

impl Search {
    /// Compares a result with what fast modes do, as a run with other points shows them, if the finest run does not resolve them.
    /// Widens it by what they add, and returns why it is not within the tolerance if it is not.
    pub(super) fn add_fast_modes(&mut self, run: &Run, result: &mut Extrapolation, runner: &mut dyn Runner) -> Option<Checked> {
        self.remember(run);
        if let Some(differs) = self.moving(run, result) {
            return Some(differs.into());
        }
        let mut wide = result.clone();
        self.widen_by_hidden(&mut wide)?;
        if wide.largest > self.settings.bound.tolerance
            && let Some(stopped) = self.measure_hidden(result, runner)
        {
            return Some(stopped);
        }
        let differs = self.widen_by_hidden(result)?;
        (result.largest > self.settings.bound.tolerance).then_some(differs.into())
    }

    /// Remembers the fast modes that only a comb shows: where steps are hardly longer, no needle shows them.
    fn remember(&mut self, run: &Run) {
        for mode in run.trace.fast_modes.iter().filter(|mode| mode.is_at_rest) {
            match self.hidden.iter_mut().find(|hidden| hidden.mode.value == mode.value) {
                Some(hidden) => hidden.mode.within = hidden.mode.within.min(mode.within),
                None => self.hidden.push(Hidden { mode: *mode, is_measured: false }),
            }
        }
    }

    /// The mode of a value that moves with it whose share is above the tolerance.
    fn moving(&self, run: &Run, result: &Extrapolation) -> Option<Differs> {
        let modes = run.trace.fast_modes.iter().filter(|mode| !mode.is_at_rest && self.is_over(mode, RESOLVED, result));
        let (worst, share) = self.worst(modes)?;
        let columns = self.weights.columns();
        let by = |column: usize| share * result.size(column, columns);
        (share > self.settings.bound.tolerance).then(|| Differs::everywhere((0..columns).map(by), follows(worst, share)))
    }

    /// Makes a run with a comb, which shows the means of the hidden modes.
    fn measure_hidden(&mut self, result: &Extrapolation, runner: &mut dyn Runner) -> Option<Checked> {
        let unknown = self.hidden.iter().filter(|hidden| !hidden.is_measured).map(|hidden| &hidden.mode);
        let (worst, _) = self.worst(unknown)?;
        let density = *result.subdivisions.last()?;
        let mesh = Between::check(0, density).with_comb(Comb::of(&worst));
        match runner.between(&self.base, mesh, &[], None) {
            Made::Stopped => Some(Checked::Stopped),
            Made::Failed { .. } | Made::Shorter => None,
            Made::Finished(run) => {
                for hidden in &mut self.hidden {
                    if let Some(measured) = run.trace.fast_modes.iter().find(|measured| measured.value == hidden.mode.value) {
                        (hidden.mode.mean, hidden.is_measured) = (measured.mean, true);
                    }
                }
                None
            }
        }
    }

    /// Widens a result by what hidden modes add: a value lacks their mean, and other values lack that share of their movement.
    fn widen_by_hidden(&self, result: &mut Extrapolation) -> Option<Differs> {
        let (columns, floors) = (self.weights.columns(), self.floors());
        let all = self.hidden.iter().map(|hidden| &hidden.mode);
        let modes: Vec<&FastMode> = all.filter(|mode| self.is_over(mode, RESOLVED_AT_REST, result)).collect();
        let (worst, share) = self.worst(modes.iter().copied())?;
        let by = |column: usize| {
            let own = self.settings.bound.followed_values.get(column).copied().flatten();
            let (low, high) = result.extent(column, columns);
            let of = |mode: &&FastMode| {
                if own == Some(mode.value) { mode.mean } else { mode.share(floors[mode.value]) * (high - low) }
            };
            if self.weights.is_free(column) { 0.0 } else { SAFETY * modes.iter().map(of).fold(0.0, f64::max) }
        };
        let differs = Differs::everywhere((0..columns).map(by), follows(worst, share));
        differs.widen(result, &self.row_times(), &self.weights);
        Some(differs)
    }

    /// Whether a mode is over within this share of a step of the finest run.
    fn is_over(&self, mode: &FastMode, share: f64, result: &Extrapolation) -> bool {
        let finest = result.subdivisions.last().copied().map_or(1.0, f64::from);
        let times = self.base.times();
        let after = times.partition_point(|time| *time <= mode.time).clamp(1, times.len() - 1);
        mode.within < share * (times[after] - times[after - 1]) / finest
    }

    fn worst<'m>(&self, modes: impl Iterator<Item = &'m FastMode>) -> Option<(FastMode, f64)> {
        let floors = self.floors();
        modes.map(|mode| (*mode, mode.share(floors[mode.value]))).max_by(|(_, a), (_, b)| a.total_cmp(b))
    }
}

fn follows(mode: FastMode, share: f64) -> Obstacle {
    Obstacle::FollowsWithinStep { value: mode.value, within: mode.within, by: share }
}
