//! The extrapolation table applied to the recorded values of the runs, with an estimate per value.

use super::{
    ErrorExpansion, Run, Weights,
    expansion::absolute_sum,
    order::{Orders, Support, difference, support},
};

/// Minimum number of runs in a table that reveals orders.
const FEWEST: usize = 3;

/// Factor by which the estimate is widened without extrapolation.
const SAFETY: f64 = 2.0;

/// The result of several runs.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Extrapolation {
    /// Steps per base step of the runs in the table, from coarse to fine.
    pub(crate) subdivisions: Vec<u32>,
    /// Extrapolated values, row by row.
    pub(crate) values: Vec<f64>,
    /// Estimate of the absolute error of each value; infinite with a single run.
    pub(crate) estimate: Vec<f64>,
    /// Largest estimates of each output.
    pub(crate) outputs: Vec<Largest>,
    /// Largest of all estimates, relative to `max(|y|, s_k)`: the tolerance is met if this does not exceed it.
    pub(crate) largest: f64,
    /// Largest share of rounding and noise in it, relative to the same scale.
    pub(crate) floor: f64,
    pub(crate) orders: Orders,
}

/// Largest error estimates of an output over all rows.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Largest {
    /// In the units of the output.
    pub(crate) absolute: f64,
    /// Relative to `max(|y|, s_k)`.
    pub(crate) relative: f64,
}

/// Rounding error of a run with this number of steps, relative to its values, plus the given noise (relative to their scale):
/// `4 eps sqrt(steps) + noise`.
pub(crate) fn level(steps: u64, noise: f64) -> f64 {
    4.0 * f64::EPSILON * (steps as f64).sqrt() + noise
}

/// Runs that are combined, from coarse to fine; at least one.
pub(crate) struct Table<'a> {
    runs: &'a [&'a Run],
    pub(crate) subdivisions: Vec<u32>,
    weights: &'a Weights,
    noise: f64,
    pub(crate) tolerance: f64,
    /// Relative noise and rounding of the finest run.
    pub(crate) level: f64,
    inverse_scales: Vec<f64>,
}

impl<'a> Table<'a> {
    /// Creates a table. `noise` is that of each run, relative to the scale of its values; 0 if only rounding is known.
    pub(crate) fn new(runs: &'a [&'a Run], weights: &'a Weights, noise: f64) -> Self {
        let subdivisions = runs.iter().map(|run| run.subdivisions).collect();
        let level = level(runs.iter().map(|run| run.steps).max().unwrap_or(0), noise);
        let inverse_scales = weights.inverse_scales(finest(runs));
        Self { runs, subdivisions, weights, noise, tolerance: weights.tolerance(), level, inverse_scales }
    }

    /// Whether the coupling has no error in an output.
    pub(crate) fn is_free(&self, column: usize) -> bool {
        self.weights.is_free(column)
    }

    /// Root mean square over the rows of `sum w_i y_i` (the `w_i` add up to 0), relative to the scales, per output.
    pub(crate) fn norms(&self, weights: &[f64]) -> Vec<f64> {
        let columns = self.weights.columns();
        let mut squares = vec![0.0; columns];
        let deviations = self.deviations(weights);
        for (row, scales) in deviations.chunks(columns).zip(self.inverse_scales.chunks(columns)) {
            squares.iter_mut().zip(row.iter().zip(scales)).for_each(|(sum, (d, s))| *sum += (d * s) * (d * s));
        }
        let rows = deviations.len().div_ceil(columns).max(1) as f64;
        squares.into_iter().map(|sum| (sum / rows).sqrt()).collect()
    }

    /// `sum w_i (y_i - y)` with y the finest run: exactly 0 where all runs agree, whatever the rounding of the weights.
    fn deviations(&self, weights: &[f64]) -> Vec<f64> {
        let finest = finest(self.runs);
        let mut sum = vec![0.0; finest.len()];
        for (run, &weight) in self.runs.iter().zip(weights).rev().skip(1).filter(|(_, weight)| **weight != 0.0) {
            for ((sum, value), finest) in sum.iter_mut().zip(&run.values).zip(finest) {
                *sum += weight * (value - finest);
            }
        }
        sum
    }

    fn result(&self, combination: &Combination, orders: Orders) -> Extrapolation {
        let mut values = self.deviations(&combination.value);
        values.iter_mut().zip(finest(self.runs)).for_each(|(value, finest)| *value += finest);
        let amplification = absolute_sum(&combination.value);
        let rounding = (self.level - self.noise) * amplification;
        let mut estimate: Vec<f64> = values.iter().map(|value| rounding * value.abs()).collect();
        for compared in &combination.compared {
            let deviations = self.deviations(&difference(&combination.value, compared));
            let rows = estimate.chunks_mut(self.weights.columns()).zip(deviations.chunks(self.weights.columns()));
            for (estimates, deviations) in rows {
                for (estimate, deviation) in estimates.iter_mut().zip(deviations) {
                    *estimate = widened(*estimate, deviation.abs() * combination.factor);
                }
            }
        }
        let floor = self.add_noise(&values, &mut estimate, amplification);
        let subdivisions = self.subdivisions.clone();
        let mut result = Extrapolation { subdivisions, values, estimate, outputs: Vec::new(), largest: 0.0, floor, orders };
        result.measure(self.weights);
        result
    }

    /// Widens estimates by the possible noise. Returns the largest relative share of noise and rounding.
    fn add_noise(&self, values: &[f64], estimate: &mut [f64], amplification: f64) -> f64 {
        if self.noise > 0.0 {
            for (estimates, row) in estimate.chunks_mut(self.weights.columns()).zip(values.chunks(self.weights.columns())) {
                for (k, (estimate, value)) in estimates.iter_mut().zip(row).enumerate() {
                    *estimate = widened(*estimate, self.noise * amplification * self.weights.scale(k, *value));
                }
            }
        }
        self.level * amplification
    }
}

/// The larger of two estimates; a value that is not a number counts as infinite.
fn widened(estimate: f64, other: f64) -> f64 {
    if other.is_nan() { f64::INFINITY } else { estimate.max(other) }
}

fn finest<'a>(runs: &[&'a Run]) -> &'a [f64] {
    runs.last().map_or(&[], |run| &run.values)
}

/// A combination of the runs, and those with which it is compared; the estimate is the largest difference, times a factor.
struct Combination {
    value: Vec<f64>,
    compared: Vec<Vec<f64>>,
    factor: f64,
}

impl Combination {
    /// All runs; `max(|T_kk - T_{k-1,k-1}|, |T_kk - T_{k,k-1}|)`. The diagonal difference was never below 0.7 of the true error
    /// in any case tried. The difference in the last row alone is too small before the asymptotic range and under noise.
    fn whole(table: &Table<'_>, expansion: ErrorExpansion) -> Self {
        let (runs, k) = (&table.subdivisions, table.subdivisions.len());
        let compared = vec![expansion.entry(runs, k - 1, k - 1), expansion.entry(runs, k, k - 1)];
        Self { value: expansion.entry(runs, k, k), compared, factor: 1.0 }
    }

    /// The finest run, whatever order the runs reveal: the largest of the estimates that the coarser runs yield for a first
    /// power, `2 |y_k - y_j| n_j / (n_k - n_j)`. The errors of a jump are below `C h`, but in a single run they may be anything
    /// below it.
    fn finest(table: &Table<'_>) -> Self {
        let runs = &table.subdivisions;
        let last = runs.len() - 1;
        let against = |coarser: usize| {
            let factor = SAFETY * f64::from(runs[coarser]) / f64::from(runs[last] - runs[coarser]);
            let mut weights = vec![0.0; runs.len()];
            (weights[coarser], weights[last]) = (factor, 1.0 - factor);
            weights
        };
        let compared = (0..last).map(against).collect();
        Self { value: ErrorExpansion::None.table_weights(runs), compared, factor: 1.0 }
    }
}

/// Extrapolates runs (from coarse to fine, at least three, with equally many values each) to step size 0. Returns `None` if they
/// do not have the expected orders: an order that is only observed is not trusted.
///
/// An odd power instead of expected even ones is trusted from 3 on, because it is small beside power 2. Rounding, and the given
/// noise, are added to every estimate: `floor = 4 eps |value| (sum |weights|) sqrt(steps of the longest run)`.
pub(crate) fn extrapolate(runs: &[&Run], expected: ErrorExpansion, weights: &Weights, noise: f64) -> Option<Extrapolation> {
    if runs.len() < FEWEST || expected == ErrorExpansion::None {
        return None;
    }
    let table = Table::new(runs, weights, noise);
    let Support { observed, shortfall } = support(&table, expected);
    let used = match shortfall {
        None => expected,
        Some(shortfall) => expected.fallback(shortfall).filter(|expansion| support(&table, *expansion).shortfall.is_none())?,
    };
    Some(table.result(&Combination::whole(&table, used), Orders { expected, used, observed }))
}

/// Returns the finest run as a result, with the error estimated from the coarser ones; infinite without coarser runs.
pub(crate) fn finest_run(runs: &[&Run], expected: ErrorExpansion, weights: &Weights, noise: f64) -> Option<Extrapolation> {
    let (last, coarser) = runs.split_last()?;
    if coarser.len() < 2 {
        let mut result = alone(last, expected, weights, noise);
        result.estimate.fill(f64::INFINITY);
        result.measure(weights);
        return Some(result);
    }
    let table = Table::new(runs, weights, noise);
    let observed = support(&table, expected).observed;
    Some(table.result(&Combination::finest(&table), Orders { expected, used: ErrorExpansion::None, observed }))
}

/// Returns a single run, with only rounding and noise in its estimate.
pub(crate) fn alone(run: &Run, expected: ErrorExpansion, weights: &Weights, noise: f64) -> Extrapolation {
    let runs = [run];
    let table = Table::new(&runs, weights, noise);
    let alone = Combination { value: vec![1.0], compared: Vec::new(), factor: 1.0 };
    table.result(&alone, Orders { expected, used: ErrorExpansion::None, observed: None })
}

impl Extrapolation {
    /// The least and the largest value of a column.
    pub(crate) fn extent(&self, column: usize, columns: usize) -> (f64, f64) {
        let values = self.values.iter().skip(column).step_by(columns);
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(*value), high.max(*value)))
    }

    /// The largest absolute value of a column.
    pub(crate) fn size(&self, column: usize, columns: usize) -> f64 {
        let (low, high) = self.extent(column, columns);
        low.abs().max(high.abs())
    }

    /// Widens estimates of values with a coupling error to those of adjacent rows, if these are larger, times a factor.
    pub(crate) fn widen(&mut self, factor: f64, weights: &Weights) {
        let spread = self.spread(weights);
        for (index, (estimate, wide)) in self.estimate.iter_mut().zip(spread).enumerate() {
            *estimate = if weights.is_free(index % weights.columns()) { wide } else { factor * wide };
        }
        self.measure(weights);
    }

    /// Returns the estimates; for values with a coupling error those of adjacent rows, if these are larger.
    pub(crate) fn spread(&self, weights: &Weights) -> Vec<f64> {
        let columns = weights.columns();
        let mut wide = self.estimate.clone();
        for (index, wide) in wide.iter_mut().enumerate().filter(|(index, _)| !weights.is_free(index % columns)) {
            let column = index % columns;
            let scale = weights.scale(column, self.values[index]);
            let beside = [index.checked_sub(columns), Some(index + columns)].into_iter().flatten();
            let other = |place: usize| {
                let estimate = *self.estimate.get(place)?;
                Some(estimate.min(estimate / weights.scale(column, self.values[place]) * scale))
            };
            *wide = beside.filter_map(other).fold(*wide, f64::max);
        }
        wide
    }

    /// Makes all errors unknown.
    pub(crate) fn forget_errors(&mut self) {
        self.estimate.fill(f64::INFINITY);
        self.outputs.fill(Largest { absolute: f64::INFINITY, relative: f64::INFINITY });
        self.largest = f64::INFINITY;
    }

    /// Recomputes the largest estimates.
    pub(crate) fn measure(&mut self, weights: &Weights) {
        let columns = weights.columns();
        self.outputs = vec![Largest::default(); columns];
        let (values, estimates) = (std::mem::take(&mut self.values), std::mem::take(&mut self.estimate));
        self.take_in(&values, &estimates, weights);
        (self.values, self.estimate) = (values, estimates);
    }

    /// Widens the largest estimates to those of additional rows.
    pub(crate) fn take_in(&mut self, values: &[f64], estimates: &[f64], weights: &Weights) {
        let columns = weights.columns();
        for (values, estimates) in values.chunks(columns).zip(estimates.chunks(columns)) {
            for (k, (value, estimate)) in values.iter().zip(estimates).enumerate() {
                let output = &mut self.outputs[k];
                output.absolute = widened(output.absolute, *estimate);
                output.relative = widened(output.relative, weights.relative(k, *value, *estimate));
            }
        }
        self.largest = self.outputs.iter().map(|output| output.relative).fold(0.0, widened);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::global::ErrorBound;

    /// A table of runs with these subdivisions; their records do not matter.
    fn with_table(subdivisions: &[u32], columns: usize, check: impl Fn(&Table<'_>)) {
        let run = |&subdivisions: &u32| Run { subdivisions, steps: 1, values: vec![1.0; columns], ..Run::default() };
        let runs: Vec<Run> = subdivisions.iter().map(run).collect();
        let bound = ErrorBound { tolerance: 1e-6, absolute: None, nominals: vec![None; columns], ..ErrorBound::default() };
        let weights = bound.weights(&runs[0].values, &[]);
        check(&Table::new(&runs.iter().collect::<Vec<_>>(), &weights, 0.0));
    }

    #[track_caller]
    fn assert_close(found: &[f64], expected: &[f64]) {
        let is_close = found.len() == expected.len() && found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12);
        assert!(is_close, "{found:?} instead of {expected:?}");
    }

    /// `2 |y_3 - y_j| n_j / (n_3 - n_j)`: a first power in errors of 4, 5 and 7 steps.
    #[test]
    fn a_jump_takes_what_each_coarser_run_says_of_a_first_power() {
        with_table(&[4, 5, 7], 1, |table| {
            let finest = Combination::finest(table);
            assert_close(&finest.value, &[0.0, 0.0, 1.0]);
            assert_close(&finest.compared[0], &[8.0 / 3.0, 0.0, -5.0 / 3.0]);
            assert_close(&finest.compared[1], &[0.0, 5.0, -4.0]);
            assert_eq!((finest.compared.len(), finest.factor), (2, 1.0));
        });
    }

    /// Even powers: `T_22 = (n_2^2 y_2 - n_1^2 y_1) / (n_2^2 - n_1^2)`.
    #[test]
    fn what_shows_its_orders_is_compared_with_the_diagonal_and_the_row() {
        with_table(&[1, 2, 4], 1, |table| {
            let whole = Combination::whole(table, ErrorExpansion::Even);
            assert_close(&whole.value, &[1.0 / 45.0, -20.0 / 45.0, 64.0 / 45.0]);
            assert_close(&whole.compared[0], &[-1.0 / 3.0, 4.0 / 3.0, 0.0]);
            assert_close(&whole.compared[1], &[0.0, -1.0 / 3.0, 4.0 / 3.0]);
            assert_eq!((whole.compared.len(), whole.factor), (2, 1.0));
        });
    }
}
