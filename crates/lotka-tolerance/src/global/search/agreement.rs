//! Results without an order: the finest run, if many others agree with it.

use std::rc::Rc;

use lotka_prepare::mesh::Between;

use super::{DiscontinuityBracket, Made, Runner, Search, Stop, Turn, check::Checked};
use crate::global::{ErrorExpansion, Extrapolation, Next, Run, tableau};

/// Steps per base step from which on a run may be a result without an order.
const FINE: u32 = 8;

/// Minimum number of runs for comparison with it, and their maximum coarseness.
const RUNS: usize = 8;
const COARSEST: f64 = 16.0;

/// Factor for differences, and the share of the finest run's steps up to which they count as errors of power 1.
const SAFETY: f64 = 3.0;
const NEAR: f64 = 0.7;

/// Distances of rows below this share of the largest one, as beside an event, do not count for how fast values change.
const SHORT: f64 = 1e-6;

impl Search {
    /// Makes two runs between the points of the finest one, and compares it with all available runs.
    pub(super) fn agree(&mut self, discontinuities: &[DiscontinuityBracket], runner: &mut dyn Runner) -> Result<Turn, Stop> {
        let Some(finest) = self.runs.last().cloned() else { return Ok(Turn::Finer) };
        if finest.subdivisions < FINE {
            self.keep_finest(discontinuities);
            return Ok(Turn::Finer);
        }
        if self.settings.admitted.is_none() {
            let first = self.n_neighbors;
            for number in first..first + 2 {
                let neighbor = |number| Between::neighbor(number, finest.subdivisions);
                let following: Vec<_> = (number + 1..first + 2).map(neighbor).collect();
                match runner.between(&self.base, neighbor(number), &following, None) {
                    Made::Finished(mut run) => {
                        let columns = self.weights.columns();
                        self.excluded.iter().for_each(|&column| run.clear(column, columns));
                        self.neighbors.push(Rc::from(run));
                    }
                    Made::Stopped => return Ok(Turn::Stopped),
                    Made::Failed { .. } | Made::Shorter => {}
                }
                self.n_neighbors += 1;
            }
        }
        let others = self.others(&finest);
        if others.len() < RUNS {
            self.keep_finest(discontinuities);
            return Ok(Turn::Finer);
        }
        let mut result = self.with_error_bars(&finest, &others, discontinuities);
        let is_within = result.largest <= self.settings.bound.tolerance;
        if is_within && let Some(turn) = self.improve_rows(&result) {
            return Ok(turn);
        }
        let undecided = self.undecided(&result);
        self.obstacle = undecided.or(self.obstacle);
        if is_within {
            for run in self.neighbors.iter().rev().take(2).cloned().collect::<Vec<_>>() {
                match self.add_fast_modes(&run, &mut result, runner) {
                    Some(Checked::Stopped) => return Ok(Turn::Stopped),
                    Some(Checked::Differs(differs)) => {
                        self.reject(result, &differs);
                        return Ok(Turn::Finer);
                    }
                    Some(Checked::Passed { .. }) | None => {}
                }
            }
        }
        if is_within && undecided.is_none() && !self.settings.relies_on_trials {
            self.best = None;
            let checks = self.neighbors.len();
            self.keep(result, checks.max(1));
            return Ok(Turn::Over(Next::Reached));
        }
        if self.keep(result, 0) {
            // They are part of its estimate.
            let has_neighbors = !self.neighbors.is_empty();
            self.best.iter_mut().for_each(|best| best.is_compared = has_neighbors);
        }
        Ok(Turn::Finer)
    }

    fn others(&self, finest: &Run) -> Vec<Rc<Run>> {
        let least = f64::from(finest.subdivisions) / COARSEST;
        let coarser = self.runs.iter().filter(|run| run.subdivisions < finest.subdivisions);
        let all = coarser.chain(&self.neighbors).filter(|run| f64::from(run.subdivisions) >= least);
        all.filter(|run| run.events.len() == finest.events.len()).cloned().collect()
    }

    /// The finest run, with estimates from its differences to the others.
    fn with_error_bars(&self, finest: &Rc<Run>, others: &[Rc<Run>], discontinuities: &[DiscontinuityBracket]) -> Extrapolation {
        let columns = self.weights.columns();
        let mut result = tableau::alone(finest, self.settings.expansion, &self.weights, self.settings.noise);
        for other in others {
            let (n, finer) = (f64::from(other.subdivisions), f64::from(finest.subdivisions));
            let factor = if n <= NEAR * finer { SAFETY * n / (finer - n) } else { SAFETY };
            for (row, place) in finest.common_rows(other, self.base.slack()) {
                for column in 0..columns {
                    let index = row * columns + column;
                    let difference = factor * (other.values[place * columns + column] - finest.values[index]).abs();
                    let estimate = &mut result.estimate[index];
                    *estimate = if difference.is_nan() { f64::INFINITY } else { estimate.max(difference) };
                }
            }
        }
        result.widen(1.0, &self.weights);
        self.add_largest_steps(finest, discontinuities.iter().filter(|discontinuity| discontinuity.jumps), &mut result);
        result.orders.used = ErrorExpansion::None;
        result.measure(&self.weights);
        result
    }

    /// Widens estimates by the possible effect of a switch that is noticed a step late: the largest change of the column in a
    /// step as long as the longest one at these places.
    pub(super) fn add_largest_steps<'s>(
        &self,
        finest: &Run,
        discontinuities: impl Iterator<Item = &'s DiscontinuityBracket>,
        result: &mut Extrapolation,
    ) {
        let columns = self.weights.columns();
        let width = discontinuities.map(|discontinuity| discontinuity.width).fold(0.0, f64::max);
        let is_step = |row: &usize| finest.times[row + 1] - finest.times[*row] > SHORT * self.base.distance();
        let steps: Vec<usize> = (0..finest.times.len().saturating_sub(1)).filter(is_step).collect();
        for column in (0..columns).filter(|column| !self.weights.is_free(*column)) {
            let value = |row: usize| finest.values[row * columns + column];
            let rate = |row: &usize| (value(row + 1) - value(*row)).abs() / (finest.times[row + 1] - finest.times[*row]);
            let change = width * steps.iter().map(rate).fold(0.0, f64::max);
            result.estimate.iter_mut().skip(column).step_by(columns).for_each(|estimate| *estimate = estimate.max(change));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{
            super::ErrorExpansion,
            samples::{Fake, search},
        },
        *,
    };

    /// A few runs may agree by chance.
    #[test]
    fn many_runs_must_agree_with_a_result_without_an_order() {
        let mut search = search(ErrorExpansion::Even, &[1, 2, 3, 4, 6, 8].map(|subdivisions| (subdivisions, 1.0)));
        let mut runner = Fake::new(|_| 1.0);
        assert!(matches!(search.agree(&[], &mut runner).unwrap(), Turn::Finer));
        assert_eq!(search.others(&search.runs[5]).len(), RUNS - 1);
        assert!(matches!(search.agree(&[], &mut runner).unwrap(), Turn::Over(Next::Reached)));
    }

    #[test]
    fn one_run_that_does_not_agree_is_enough() {
        let mut search = search(ErrorExpansion::Even, &[1, 2, 3, 4, 6, 8].map(|subdivisions| (subdivisions, 1.0)));
        search.agree(&[], &mut Fake::new(|_| 1.0)).unwrap();
        assert!(matches!(search.agree(&[], &mut Fake::new(|_| 1.0 + 1e-6)).unwrap(), Turn::Finer));
    }
}
