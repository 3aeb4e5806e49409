//! Rows between base points, interpolated from the runs of a result.
//!
//! Runs have values at the ends of parts of base steps ([`Base::dues`](lotka_prepare::mesh::Base::dues)). At the ends of eighths
//! these are runs with 8, 16, 24 … steps per base step; at those of quarters also runs with 4, 12 …; at base points all runs. The
//! coarser the points, the more is known there. A row is the sum of the polynomial through the result at the finest points and of
//! the corrections from coarser points, each interpolated on its own points. The more points are missing between two others, the
//! smaller and smoother the correction is.

use lotka_prepare::mesh::Base;

use super::{
    ErrorExpansion, Extrapolation, Run, Weights,
    interpolation::{Polynomials, REACH},
};

/// Minimum decrease of the changes from degree to degree if polynomials converge.
const FALLS: f64 = 0.5;

/// Minimum of the last change relative to the one that follows from the decrease before it.
const EXPECTED: f64 = 0.3;

/// Factor for the change from one degree to the next, and for the estimate at the adjacent base points: between them, errors of
/// high powers may be larger than there.
const SAFETY: f64 = 6.0;
const BESIDE: f64 = 3.0;

/// Additional factor if most points lie on one side of a row, or if their distances differ by more than a factor.
const ONE_SIDED: f64 = 4.0;
const UNEVEN: f64 = 1.5;

/// Values at rows between base points.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Rows {
    /// Times of the rows \[s\].
    pub(crate) times: Vec<f64>,
    /// Values, row by row.
    pub(crate) values: Vec<f64>,
    /// Possible contribution of interpolation to the error of each value.
    interpolation: Vec<f64>,
}

impl Rows {
    /// Computes values at `times`, none of which is that of a base row, from the runs of a result, in its order; `breaks` are
    /// base points at which signals restart.
    pub(crate) fn new(
        result: &Extrapolation,
        runs: &[&Run],
        times: impl Iterator<Item = f64>,
        (mesh, breaks): (&Base, &[f64]),
        weights: &Weights,
    ) -> Self {
        let Some(finest) = runs.last() else { return Self::default() };
        let base = BaseRows::new(&finest.times, mesh, breaks);
        let (columns, levels) = (weights.columns(), levels(result, runs, &base, weights.columns()));
        let most = times.size_hint().1.unwrap_or_default();
        let mut rows = Self {
            times: Vec::with_capacity(most),
            values: Vec::with_capacity(most * columns),
            interpolation: Vec::with_capacity(most * columns),
        };
        // The base step of the last row, and its first value.
        let mut step = (None, 0);
        for time in times {
            let Some((before, _)) = place(base.times, time) else { continue };
            let begin = rows.values.len();
            if step.0 != Some(before) {
                rows.share_within_step(step.1, columns);
                step = (Some(before), begin);
            }
            rows.times.push(time);
            rows.values.resize(begin + columns, 0.0);
            rows.interpolation.resize(begin + columns, 0.0);
            for level in &levels {
                let (values, errors) = (&mut rows.values[begin..], &mut rows.interpolation[begin..]);
                level.add(&base, (before, time), values, errors);
            }
        }
        rows.share_within_step(step.1, columns);
        rows
    }

    /// Assigns the largest contribution of interpolation in a base step, whose values start at `begin`, to all its rows: a small
    /// value at one row may be a coincidence.
    fn share_within_step(&mut self, begin: usize, columns: usize) {
        let of_step = &mut self.interpolation[begin..];
        for column in 0..columns {
            let largest = of_step.iter().skip(column).step_by(columns).copied().fold(0.0, f64::max);
            of_step.iter_mut().skip(column).step_by(columns).for_each(|error| *error = largest);
        }
    }

    /// Estimates the absolute errors, given the result at base rows and their times: the estimates of the adjacent base rows plus
    /// the contribution of interpolation, whose memory they take over.
    pub(crate) fn take_estimates(&mut self, (times, result): (&[f64], &Extrapolation), weights: &Weights) -> Vec<f64> {
        let spread = result.spread(weights);
        let mut estimates = std::mem::take(&mut self.interpolation);
        let rows = estimates.chunks_mut(weights.columns()).zip(self.values.chunks(weights.columns()));
        for ((estimates, values), &time) in rows.zip(&self.times) {
            add_adjacent(time, values, estimates, (times, result, &spread), weights);
        }
        estimates
    }

    /// The result at base rows, whose times are given, with largest estimates that include these rows.
    pub(crate) fn taken_in(&self, (times, result): (&[f64], &Extrapolation), weights: &Weights) -> Extrapolation {
        let (columns, spread, mut widened) = (weights.columns(), result.spread(weights), result.clone());
        let rows = self.values.chunks(columns).zip(self.interpolation.chunks(columns));
        let mut estimates = vec![0.0; columns];
        for ((values, interpolation), &time) in rows.zip(&self.times) {
            estimates.copy_from_slice(interpolation);
            add_adjacent(time, values, &mut estimates, (times, result, &spread), weights);
            widened.take_in(values, &estimates, weights);
        }
        widened
    }
}

/// Adds the estimates of the adjacent base rows to those of a row.
fn add_adjacent(
    time: f64,
    values: &[f64],
    estimates: &mut [f64],
    (times, result, spread): (&[f64], &Extrapolation, &[f64]),
    weights: &Weights,
) {
    let Some((before, share)) = place(times, time) else { return };
    for (column, (value, estimate)) in values.iter().zip(estimates).enumerate() {
        let beside = [before, before + 1].map(|row| row * values.len() + column);
        let scale = weights.scale(column, *value);
        // The adjacent estimate, at most as large as it is for a value of this size; interpolated between both sides.
        let reduced = beside.map(|place| {
            let other = weights.scale(column, result.values[place]);
            if other > scale { spread[place] * (scale / other) } else { spread[place] }
        });
        let [from, to] = beside.map(|place| spread[place]);
        let along = if from == to { from } else { from + share * (to - from) };
        let sum = *estimate + BESIDE * along.max(reduced[0]).max(reduced[1]);
        *estimate = if sum.is_nan() || along.is_nan() { f64::INFINITY } else { sum };
    }
}

/// The base row before a time, and the relative position in the step there.
fn place(times: &[f64], time: f64) -> Option<(usize, f64)> {
    let after = times.partition_point(|row| *row <= time);
    let before = after.checked_sub(1)?;
    let (from, to) = (times[before], *times.get(after)?);
    Some((before, (time - from) / (to - from)))
}

/// The rows at base points, and their grouping.
struct BaseRows<'a> {
    times: &'a [f64],
    mesh: &'a Base,
    /// Number of base steps before each of them: two rows at one time are no step.
    steps: Vec<usize>,
    /// The first and the last row of the piece of each step, which contains no breaks.
    pieces: Vec<(usize, usize)>,
}

impl<'a> BaseRows<'a> {
    fn new(times: &'a [f64], mesh: &'a Base, breaks: &[f64]) -> Self {
        let is_step = |row: usize| times[row + 1] > times[row];
        let is_break = |row: usize| breaks.binary_search_by(|time| time.total_cmp(&times[row])).is_ok();
        let last = times.len().saturating_sub(1);
        let (mut steps, mut pieces) = (vec![0; times.len()], vec![(0, 0); times.len()]);
        let (mut begin, mut end) = (0, last);
        for row in 0..last {
            steps[row + 1] = steps[row] + usize::from(is_step(row));
            begin = if !is_step(row) {
                row + 1
            } else if is_break(row) {
                row
            } else {
                begin
            };
            pieces[row].0 = begin;
        }
        for row in (0..last).rev() {
            pieces[row].1 = end;
            if !is_step(row) || pieces[row].0 == row {
                end = row;
            }
        }
        Self { times, mesh, steps, pieces }
    }

    /// The first point of a row among those of parts of the base steps.
    fn point(&self, row: usize, parts: usize) -> usize {
        row + self.steps[row] * (parts - 1)
    }
}

/// Values at the ends of parts of the base steps: their correction to those at finer points.
struct Level {
    parts: usize,
    times: Vec<f64>,
    values: Vec<f64>,
    columns: usize,
}

/// Levels from fine points to coarse ones.
fn levels(result: &Extrapolation, runs: &[&Run], base: &BaseRows<'_>, columns: usize) -> Vec<Level> {
    // Without extrapolation, the finest run is the result.
    let runs = if result.orders.used == ErrorExpansion::None { &runs[runs.len().saturating_sub(1)..] } else { runs };
    let most = runs.iter().map(|run| run.inner.parts.max(1)).max().unwrap_or(1);
    let powers = (0..=most.trailing_zeros()).rev().map(|power| 1 << power);
    let (mut levels, mut known): (Vec<Level>, Vec<&Run>) = (Vec::new(), Vec::new());
    for parts in std::iter::once(most).chain(powers) {
        let there: Vec<&Run> = runs.iter().copied().filter(|run| run.inner.parts.max(1).is_multiple_of(parts)).collect();
        if there.len() == known.len() {
            continue;
        }
        let mut values = Vec::new();
        combine(&there, result.orders.used, (base, parts as usize, columns), 1.0, &mut values);
        combine(&known, result.orders.used, (base, parts as usize, columns), -1.0, &mut values);
        levels.push(Level { parts: parts as usize, times: base.points(parts as usize), values, columns });
        known = there;
    }
    levels
}

/// Adds a multiple of the result of some runs at the ends of parts.
fn combine(
    runs: &[&Run],
    expansion: ErrorExpansion,
    (base, parts, columns): (&BaseRows<'_>, usize, usize),
    factor: f64,
    sum: &mut Vec<f64>,
) {
    let subdivisions: Vec<u32> = runs.iter().map(|run| run.subdivisions).collect();
    for (run, weight) in runs.iter().zip(expansion.table_weights(&subdivisions)) {
        let (all, own) = (factor * weight, run.inner.parts.max(1) as usize);
        let mut add = |point: usize, values: &[f64]| {
            sum.resize(sum.len().max((point + 1) * columns), 0.0);
            sum[point * columns..].iter_mut().zip(values).for_each(|(sum, value)| *sum += all * value);
        };
        for row in 0..base.times.len() {
            let point = base.point(row, parts);
            add(point, &run.values[row * columns..(row + 1) * columns]);
            if base.steps.get(row + 1).is_some_and(|after| *after > base.steps[row]) {
                for part in 1..parts {
                    let inner = base.steps[row] * (own - 1) + part * (own / parts) - 1;
                    add(point + part, &run.inner.values[inner * columns..(inner + 1) * columns]);
                }
            }
        }
    }
}

impl BaseRows<'_> {
    /// Ends of parts of the base steps \[s\].
    fn points(&self, parts: usize) -> Vec<f64> {
        let mut points = Vec::with_capacity(self.times.len() * parts);
        for (row, from) in self.times.iter().enumerate() {
            points.push(*from);
            if self.times.get(row + 1).is_some_and(|to| to > from) {
                points.extend((1..parts).map(|part| self.mesh.within(self.steps[row], part as f64 / parts as f64)));
            }
        }
        points
    }
}

impl Level {
    /// Whether points are approximately equidistant.
    fn is_even(&self, points: std::ops::RangeInclusive<usize>) -> bool {
        let distances = self.times[points].windows(2).map(|pair| pair[1] - pair[0]);
        let (shortest, longest) = distances.fold((f64::INFINITY, 0.0_f64), |(low, high), h| (low.min(h), high.max(h)));
        longest <= UNEVEN * shortest
    }

    /// Adds the values of the polynomials at a place, and their possible errors.
    fn add(&self, base: &BaseRows<'_>, (before, time): (usize, f64), values: &mut [f64], errors: &mut [f64]) {
        let (first, last) = base.pieces[before];
        let (lowest, highest) = (base.point(first, self.parts), base.point(last, self.parts));
        let start = base.point(before, self.parts);
        let nearest = start + self.times[start + 1..start + self.parts].partition_point(|point| *point <= time);
        let is_inside = nearest + 1 >= lowest + REACH && nearest + REACH <= highest;
        let factor = if is_inside && self.is_even(nearest + 1 - REACH..=nearest + REACH) { SAFETY } else { ONE_SIDED * SAFETY };
        let polynomials = Polynomials::new(&self.times, lowest..=highest, nearest, time);
        for (column, (sum, sum_of_errors)) in values.iter_mut().zip(errors).enumerate() {
            let point = |point: usize| self.values[point * self.columns + column];
            let (mut value, mut changes) = (point(nearest), [f64::INFINITY; 3]);
            let mut best = (value, f64::INFINITY);
            for next in polynomials.values(point) {
                changes = [changes[1], changes[2], (next - value).abs()];
                value = next;
                let off = error(changes);
                if off <= best.1 {
                    best = (value, off);
                }
            }
            *sum += best.0;
            *sum_of_errors += factor * best.1;
        }
    }
}

/// The possible error of a polynomial, given the last three changes from one degree to the next. If they fall, it is the last
/// change, but at least a share of the one that continues their fall; otherwise the larger of the last two. A single small change
/// may be a coincidence.
fn error([first, second, third]: [f64; 3]) -> f64 {
    if third <= FALLS * second && second <= FALLS * first && first.is_finite() {
        third.max(EXPECTED * second * (second / first))
    } else {
        second.max(third)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::global::{ErrorBound, Inner, tableau};
    use lotka_prepare::mesh::Dues;

    const STEPS: usize = 16;
    const SUBDIVISIONS: [u32; 6] = [1, 2, 3, 4, 6, 8];

    /// Runs with errors in even powers of the step size, all of which have values at the ends of all of their steps; a jump at
    /// `breaks` is one of the signal.
    fn runs(mesh: &Base, jump: impl Fn(f64) -> f64) -> Vec<Run> {
        let run = |&subdivisions: &u32| {
            let n = f64::from(subdivisions);
            let value = |t: f64| jump(t) + t.sin() + 1e-2 * (0.7 * t).cos() / (n * n) + 1e-3 * (0.5 * t).sin() / n.powi(4);
            let times = mesh.times().to_vec();
            let inner =
                (0..mesh.n_steps()).flat_map(|step| (1..subdivisions).map(move |part| mesh.within(step, f64::from(part) / n)));
            Run {
                subdivisions,
                steps: 1,
                values: times.iter().map(|t| value(*t)).collect(),
                inner: Inner { parts: subdivisions, values: inner.map(value).collect() },
                times,
                ..Run::default()
            }
        };
        SUBDIVISIONS.iter().map(run).collect()
    }

    fn equal(steps: usize) -> Base {
        Base::equal((0.0, steps as f64), steps)
    }

    fn table(runs: &[&Run]) -> (Extrapolation, Weights) {
        let bound = ErrorBound { tolerance: 1e-6, absolute: None, nominals: vec![Some(1.0)], ..ErrorBound::default() };
        let weights = bound.weights(&runs[0].values, &[]);
        (tableau::extrapolate(runs, ErrorExpansion::Even, &weights, 0.0).unwrap(), weights)
    }

    /// Largest error and largest estimate of rows between base points.
    fn worst(
        runs: &[&Run],
        result: &Extrapolation,
        weights: &Weights,
        at: (&Base, &[f64]),
        exact: impl Fn(f64) -> f64,
    ) -> (f64, f64) {
        let times: Vec<f64> = (0..100).map(|row| 0.007 + 0.159 * f64::from(row)).collect();
        let mut rows = Rows::new(result, runs, times.iter().copied(), at, weights);
        assert_eq!(rows.times, times);
        let largest = rows.taken_in((&runs[0].times, result), weights);
        let estimates = rows.take_estimates((&runs[0].times, result), weights);
        let mut expected = result.clone();
        expected.take_in(&rows.values, &estimates, weights);
        assert_eq!(largest, expected);
        for ((time, value), estimate) in times.iter().zip(&rows.values).zip(&estimates) {
            let error = (value - exact(*time)).abs();
            assert!(error <= estimate + 1e-13, "{time}: {value} instead of {}, {estimate:e}", exact(*time));
        }
        let errors = times.iter().zip(&rows.values).map(|(time, value)| (value - exact(*time)).abs());
        (errors.fold(0.0, f64::max), estimates.into_iter().fold(0.0, f64::max))
    }

    #[test]
    fn rows_are_as_exact_as_base_points_although_the_finest_run_is_not() {
        let all = runs(&equal(STEPS), |_| 0.0);
        let all: Vec<&Run> = all.iter().collect();
        let (result, weights) = table(&all);
        let (error, estimate) = worst(&all, &result, &weights, (&equal(STEPS), &[]), f64::sin);
        assert!(error < 1e-9 && estimate < 1e-7, "{error:e} {estimate:e}");
        // An error of 1e-2 / 64 remains in the finest run.
        let alone = tableau::alone(all[5], ErrorExpansion::Even, &weights, 0.0);
        let rows = Rows::new(&alone, &all[5..], [3.3].into_iter(), (&equal(STEPS), &[]), &weights);
        assert!((rows.values[0] - 3.3_f64.sin()).abs() > 1e-5, "{rows:?}");
    }

    #[test]
    fn polynomials_do_not_reach_across_breaks() {
        let step = |t: f64| if t < 8.0 { 0.0 } else { 1.0 };
        // The value at the break is the one after it; before the break the signal differs.
        let all = runs(&equal(STEPS), |t| (t - 8.0).abs());
        let all: Vec<&Run> = all.iter().collect();
        let (result, weights) = table(&all);
        let exact = |t: f64| t.sin() + (t - 8.0).abs();
        let (error, estimate) = worst(&all, &result, &weights, (&equal(STEPS), &[8.0]), exact);
        assert!(error < 1e-8 && estimate < 1e-6, "{error:e} {estimate:e}");
        let across = Rows::new(&result, &all, [7.93].into_iter(), (&equal(STEPS), &[]), &weights);
        assert!(
            across.taken_in((&all[0].times, &result), &weights).largest > 1e-6,
            "a kink that nobody declared shows: {across:?}"
        );
        let jumps = runs(&equal(STEPS), step);
        let jumps: Vec<&Run> = jumps.iter().collect();
        let (result, weights) = table(&jumps);
        let rows = Rows::new(&result, &jumps, [7.99].into_iter(), (&equal(STEPS), &[]), &weights);
        assert!(rows.taken_in((&jumps[0].times, &result), &weights).largest > 1e-6, "{rows:?}");
    }

    /// Near ends, polynomials through points of equal steps are much less exact.
    #[test]
    fn gradual_steps_have_rows_that_are_as_exact_near_ends() {
        let exact = |t: f64| t.sin() + (t - 8.0).abs();
        let errors = [false, true].map(|is_gradual| {
            let mesh = Base::with_off_mesh_rows(&[0.0, 8.0, 16.0], 0.9, Dues::Eighths, is_gradual);
            let all = runs(&mesh, |t| (t - 8.0).abs());
            let all: Vec<&Run> = all.iter().collect();
            let (result, weights) = table(&all);
            worst(&all, &result, &weights, (&mesh, &[8.0]), exact)
        });
        assert!(errors[1].0 < 0.3 * errors[0].0, "{errors:?}");
    }

    #[test]
    fn a_small_change_may_be_a_coincidence() {
        assert_eq!(error([1e-1, 1e-2, 0.0]), EXPECTED * 1e-3);
        assert_eq!(error([1e-1, 1e-2, 1e-3]), 1e-3);
        assert_eq!(error([1e-2, 1e-2, 1e-5]), 1e-2);
    }

    #[test]
    fn two_rows_at_one_time_are_a_break() {
        let mesh = equal(5);
        let base = BaseRows::new(&[0.0, 1.0, 2.0, 2.0, 3.0, 4.0, 5.0], &mesh, &[4.0]);
        let pieces = [0, 1, 3, 4, 5].map(|step| base.pieces[step]);
        assert_eq!(pieces, [(0, 2), (0, 2), (3, 5), (3, 5), (5, 6)]);
        assert_eq!((0..7).map(|row| base.point(row, 4)).collect::<Vec<_>>(), [0, 4, 8, 9, 13, 17, 21]);
        assert_eq!(place(base.times, 2.25), Some((3, 0.25)));
    }
}
