//! Errors that no difference reveals: at refined places, and in the last step.

use super::{
    DiscontinuityBracket, Search,
    discontinuities::{SIGNIFICANT, SLIGHT},
};
use crate::global::Extrapolation;

/// Share of [`SIGNIFICANT`] above which differences count for values near 0, if the base was refined within this number of steps.
const NEAR_ZERO: f64 = 0.02;
const BESIDE: f64 = 4.0;

/// Number of base steps on each side in which a kink affects differences of order 4, around the step where it affects those of
/// order 2.
const ABOUT: usize = 2;

impl Search {
    /// The remaining error where the base was refined. All runs notice a switch late in the same step, because their steps begin
    /// at the same base point: they agree, and their error is this difference. It is small relative to the range of the value,
    /// but not necessarily to the value where that passes 0. Then these places are not smooth.
    pub(super) fn error_at_refinements(&self, table: &mut Extrapolation) -> Vec<DiscontinuityBracket> {
        let is_refined = |discontinuity: &DiscontinuityBracket| {
            let instance = |discontinuity: &DiscontinuityBracket| self.settings.followed[discontinuity.value].instance;
            let is_there = |place: &DiscontinuityBracket| {
                (place.time - discontinuity.time).abs() <= BESIDE * place.width && instance(place) == instance(discontinuity)
            };
            self.settings.followed[discontinuity.value].is_lasting && self.places.iter().any(is_there)
        };
        let mut discontinuities = if self.places.is_empty() { Vec::new() } else { self.discontinuities(NEAR_ZERO * SIGNIFICANT) };
        discontinuities.retain(is_refined);
        let (columns, Some(run)) = (self.weights.columns(), self.runs.last()) else { return Vec::new() };
        for (column, followed_value) in self.settings.bound.followed_values.iter().enumerate() {
            for discontinuity in discontinuities.iter().filter(|discontinuity| *followed_value == Some(discontinuity.value)) {
                let after = run.times.partition_point(|time| *time < discontinuity.time);
                let later = table.estimate.iter_mut().skip(column).step_by(columns).skip(after);
                later.for_each(|estimate| *estimate += discontinuity.size);
            }
        }
        self.if_above_tolerance(discontinuities, table)
    }

    /// The possible effect of a kink in the last step on the last row. No run has a point behind it, so that no difference
    /// reveals it. If values have kinks elsewhere, it is assumed to be as large as the largest of those: they fall with h if the
    /// slope jumps, with h^2 if the curvature does.
    pub(super) fn error_of_last_step(&self, table: &mut Extrapolation) -> Vec<DiscontinuityBracket> {
        let (Some(fine), Some(coarse)) = (self.runs.last(), self.coarser()) else { return Vec::new() };
        let (columns, floors) = (self.weights.columns(), self.floors());
        let [.., before, end] = fine.trace.times[..] else { return Vec::new() };
        if self.places.is_empty() {
            return Vec::new();
        }
        let is_place = |discontinuity: &DiscontinuityBracket| {
            self.places.iter().any(|place| (place.time - discontinuity.time).abs() <= BESIDE * place.width)
        };
        let mut ends = Vec::new();
        for (column, followed_value) in self.settings.bound.followed_values.iter().enumerate() {
            let Some((value, followed)) = followed_value.and_then(|value| Some((value, *self.settings.followed.get(value)?)))
            else {
                continue;
            };
            if !followed.is_lasting {
                continue;
            }
            let kinks = |order| {
                let mut kinks = self.discontinuities_of((value, followed, order), floors[value], (fine, coarse), SLIGHT);
                kinks.retain(is_place);
                kinks
            };
            let (slopes, mut curvatures) = (kinks(0), kinks(1));
            curvatures.retain(|kink| slopes.iter().all(|slope| slope.step.abs_diff(kink.step) > ABOUT));
            let of = |kinks: &[DiscontinuityBracket], power| {
                kinks.iter().map(|kink| kink.size * ((end - before) / kink.width).powi(power)).fold(0.0, f64::max)
            };
            let size = of(&slopes, 1).max(of(&curvatures, 2));
            let Some(estimate) = table.estimate.iter_mut().skip(column).step_by(columns).next_back() else { continue };
            *estimate += size;
            if size > 0.0 {
                let (step, point) = (self.base.n_steps().saturating_sub(1), fine.trace.times.len() - 1);
                let range = fine.trace.value_traces[value].range().max(floors[value]);
                let share = size / (self.settings.bound.tolerance * range);
                ends.push(DiscontinuityBracket { value, point, time: end, step, width: end - before, size, share, jumps: true });
            }
        }
        self.if_above_tolerance(ends, table)
    }

    /// These places, if their contribution moves the estimates of a table above the tolerance.
    fn if_above_tolerance(
        &self,
        discontinuities: Vec<DiscontinuityBracket>,
        table: &mut Extrapolation,
    ) -> Vec<DiscontinuityBracket> {
        if discontinuities.is_empty() {
            return discontinuities;
        }
        table.measure(&self.weights);
        if table.largest <= self.settings.bound.tolerance { Vec::new() } else { discontinuities }
    }
}
