//! RunFactories where signals are discontinuous, or have discontinuous derivatives, at the scale of the mesh.

use std::{collections::HashSet, rc::Rc};

use lotka_step::algorithm::{Difference, Followed};

use super::{Search, discontinuity_bracket::DiscontinuityBracket};
use crate::global::{ErrorExpansion, Run};

/// Share of the tolerance, relative to the range of a value, above which differences count.
pub(super) const SIGNIFICANT: f64 = 0.01;

/// The same share if there is no order, so that there must be such a place.
pub(super) const SLIGHT: f64 = 1e-7;

/// Minimum powers of the ratio of step sizes with which differences of smooth signals fall: order 2; order 4 if the error has
/// even powers or is zero; order 4 otherwise; order 4 if errors are of order 1, and order 2 if outputs are stale.
const POWERS: [f64; 4] = [1.5, 2.5, 1.5, 0.5];

/// The same for order 2 and order 4 in the first and the last base step, and after a known kink. There, differences of a coarse
/// run do not extend as far as those of a fine one.
const FIRST: [f64; 2] = [1.1, 1.5];

/// The power of order 2 there if internal errors are of order 1: those of a kink fall with power 1.
const FIRST_OF_ONE: f64 = 1.25;

/// Differences below this multiple of the rounding error of the value are rounding: order 2, order 4.
const ROUNDING: [f64; 2] = [256.0 * f64::EPSILON, 2048.0 * f64::EPSILON];

/// The same as multiples of the noise of the FMUs.
const NOISE: [f64; 2] = [8.0, 32.0];

/// Share of the coarser run's difference above which it does not decrease at all.
const JUMP: f64 = 0.7;

/// Number of base steps after the start in which differences of order 4 do not count if steps begin with held inputs. Those of
/// order 2 do: they alone show a fast mode that is over within a step.
pub(super) const START: usize = 2;

impl Search {
    /// RunFactories where values of the finest run are not smooth, in comparison with the finest run with steps at least twice as
    /// large; at most one place for each communication point.
    pub(super) fn discontinuities(&self, significance: f64) -> Vec<DiscontinuityBracket> {
        let Some(fine) = self.runs.last() else { return Vec::new() };
        let Some(coarse) = self.coarser() else { return Vec::new() };
        let mut discontinuities: Vec<DiscontinuityBracket> = Vec::new();
        let mut points = HashSet::new();
        let floors = self.floors();
        for (value, followed) in self.settings.followed.iter().enumerate() {
            for order in 0..2 {
                let found = self.discontinuities_of((value, *followed, order), floors[value], (fine, coarse), significance);
                discontinuities.extend(found.into_iter().filter(|discontinuity| points.insert(discontinuity.point)));
            }
        }
        discontinuities
    }

    pub(super) fn coarser(&self) -> Option<&Rc<Run>> {
        let fine = self.runs.last()?;
        self.runs.iter().rev().find(|run| 2 * run.subdivisions <= fine.subdivisions)
    }

    pub(super) fn discontinuities_of(
        &self,
        (value, followed, order): (usize, Followed, usize),
        floor: f64,
        (fine, coarse): (&Run, &Run),
        significance: f64,
    ) -> Vec<DiscontinuityBracket> {
        let (Some(value_trace), Some(other)) = (fine.trace.value_traces.get(value), coarse.trace.value_traces.get(value)) else {
            return Vec::new();
        };
        let range = value_trace.range().max(floor);
        if value_trace.range() <= 0.0 || !range.is_finite() {
            return Vec::new();
        }
        let (power, first, is_late_start) = self.power(followed, order);
        let ratio = f64::from(coarse.subdivisions) / f64::from(fine.subdivisions);
        // Its points are not equidistant.
        let is_late = self.settings.late == Some(followed.instance);
        let (fines, coarses) = (&value_trace.differences[order], &other.differences[order]);
        let mut discontinuities = Vec::new();
        for (step, difference) in fines.iter().enumerate().skip(if is_late_start { START } else { 0 }) {
            let beside = step.saturating_sub(order + 1)..=(step + order + 1).min(coarses.len().saturating_sub(1));
            // Between two points where signals restart, a coarse run may have too few points for a difference.
            let others = || coarses.get(beside.clone()).unwrap_or_default().iter().filter(|other| other.h > 0.0);
            let largest = others().map(|other| other.size).fold(f64::NAN, f64::max);
            if largest.is_nan() {
                continue;
            }
            let falls_by = if largest > 0.0 { difference.size / largest } else { f64::INFINITY };
            // A value without memory affects others only over the step; a state keeps the full error of a late switch.
            let effect = if followed.is_lasting { 1.0 } else { (difference.h / self.base.distance()).min(1.0) };
            let share = difference.size * effect / (self.settings.bound.tolerance * range);
            let restart =
                fine.trace.restarts.iter().filter(|(begin, _)| *begin == step).map(|(_, jumps)| *jumps).reduce(|a, b| a || b);
            if restart == Some(true) {
                continue;
            }
            let is_end = step == 0 || step + 1 == self.base.n_steps();
            let power = if is_end || restart.is_some() { first.min(power) } else { power };
            // Beside a step that is longer or shorter than the others, a difference falls by more or less than the number of
            // steps suggests.
            let smooth = |other: &Difference| {
                let of_lengths = difference.h / other.h;
                other.size * if is_late { ratio.max(of_lengths) } else { ratio.min(of_lengths) }.powf(power)
            };
            if share > significance
                && difference.size > (ROUNDING[order] + NOISE[order] * self.settings.noise) * value_trace.size()
                && others().all(|other| difference.size > smooth(other))
            {
                let point = difference.at as usize;
                let time = fine.trace.times.get(point).copied().unwrap_or_default();
                let (width, size) = (difference.h, difference.size);
                discontinuities.push(DiscontinuityBracket {
                    value,
                    point,
                    time,
                    step,
                    width,
                    size,
                    share,
                    jumps: falls_by > JUMP,
                });
            }
        }
        discontinuities
    }

    /// The size of negligible values for each followed value; 0 for those that are not recorded.
    pub(super) fn floors(&self) -> Vec<f64> {
        let mut floors = vec![0.0; self.settings.followed.len()];
        for (column, followed_value) in self.settings.bound.followed_values.iter().enumerate() {
            if let Some(value) = followed_value {
                floors[*value] = self.weights.floor(column);
            }
        }
        floors
    }

    /// The powers with which differences fall, everywhere and at ends, and whether the first base steps are ignored.
    fn power(&self, followed: Followed, order: usize) -> (f64, f64, bool) {
        // The values of a lagging instance have an additional error, which changes with the step size.
        let is_late = self.settings.late == Some(followed.instance);
        let is_even = self.settings.expansion == ErrorExpansion::Even && !is_late;
        let is_of_one = self.settings.expansion == ErrorExpansion::FromOne;
        let power = match order {
            // A fast output lags behind the mean slope of its inputs over a step, which changes with the size of steps.
            _ if self.settings.is_implicit && !followed.is_free => POWERS[3],
            _ if is_of_one && !followed.is_free && (order == 1 || self.settings.is_stale) => POWERS[3],
            0 => POWERS[0],
            _ if is_even || followed.is_free => POWERS[1],
            _ => POWERS[2],
        };
        // If powers of the error are even, a switch that is late by a share of a step spoils them; an internal error of order 1
        // hides it.
        let hides_kinks = is_of_one && !self.settings.is_stale && order == 0;
        let first = if hides_kinks { FIRST_OF_ONE } else { FIRST[order] };
        (power, first, order == 1 && (is_late || !is_even && !followed.is_free))
    }
}

#[cfg(test)]
mod tests {
    use super::{super::samples::search, *};
    use lotka_prepare::mesh::Base;
    use lotka_step::algorithm::{Exchanged, Trace, ValueTrace};

    /// Differences of order 4 in the middle of a base, where the step of the coarse run is three times as long instead of twice.
    /// They fall with the power of these lengths that applies to a kink or to smooth signals.
    #[test]
    fn steps_that_are_longer_beside_a_place_do_not_hide_a_kink_there() {
        let discontinuities = |power: i32| {
            let mut search = search(ErrorExpansion::Even, &[(2, 1.0), (4, 1.0)]);
            search.settings.followed =
                vec![Followed { value: Exchanged::Real(0), instance: 0, is_free: false, is_lasting: true }];
            search.base = Rc::new(Base::new((0..=4).map(|point| (f64::from(point), true)).collect(), 1.0));
            for (run, h) in search.runs.iter_mut().zip([3.0, 1.0_f64]) {
                let difference = Difference { size: 1e-3 * h.powi(power), h, at: 2 };
                let differences = [Vec::new(), vec![Difference::default(), difference, difference, Difference::default()]];
                let value_trace = ValueTrace { low: 0.0, high: 1.0, differences };
                Rc::make_mut(run).trace = Trace { times: vec![0.0; 5], value_traces: vec![value_trace], ..Trace::default() };
            }
            search.discontinuities(SIGNIFICANT).len()
        };
        assert_eq!(discontinuities(2), 1);
        assert_eq!(discontinuities(4), 0);
    }
}
