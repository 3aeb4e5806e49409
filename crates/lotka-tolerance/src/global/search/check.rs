//! Checks of a result by runs on meshes with other points, which must agree with it.

use std::rc::Rc;

use lotka_prepare::mesh::Between;

use super::{Ending, Made, Obstacle, Runner, Search};
use crate::global::{Extrapolation, Run, Weights};

/// Maximum ratio of the difference between a run with other points and the result to that of the run of the same density.
const FACTOR: f64 = 4.0;

/// The same ratio if it occurs at two densities, and its maximum growth at the finer one: errors with other constants and the
/// same order.
const FACTOR_OF_TWO: (f64, f64) = (16.0, 1.3);

/// Rows whose errors explain an error at a row: number before it, or share of all rows, and number after it.
const BEFORE: (usize, usize) = (8, 3);
const AFTER: usize = 4;

/// Number of rows before and after a row that determine the size of a value there.
const NEARBY: usize = 2;

/// Number of meshes with other points with which a result is compared.
const MESHES: usize = 2;

/// The result of the comparison.
pub(super) enum Checked {
    Passed { runs: usize },
    Differs(Differs),
    Stopped,
}

/// Why a result is not valid.
pub(super) struct Differs {
    /// Per column, and the largest of all.
    pub(super) deviations: Vec<Deviation>,
    pub(super) worst: Obstacle,
}

/// The differences of a column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Deviation {
    /// The first row with an unexplained difference \[s\]; infinite if every difference is explained.
    since: f64,
    /// The largest.
    by: f64,
}

impl Deviation {
    const NONE: Self = Self { since: f64::INFINITY, by: 0.0 };

    /// This difference at all rows.
    fn everywhere(by: f64) -> Self {
        Self { since: f64::NEG_INFINITY, by }
    }

    fn add(&mut self, time: f64, by: f64) {
        self.since = self.since.min(time);
        self.by = self.by.max(if by.is_nan() { f64::INFINITY } else { by });
    }
}

impl Differs {
    /// Every value of each column is off by this much.
    pub(super) fn everywhere(by: impl IntoIterator<Item = f64>, worst: Obstacle) -> Self {
        Self { deviations: by.into_iter().map(Deviation::everywhere).collect(), worst }
    }

    /// Widens the estimates of a result, with rows at these times, by what other meshes have shown.
    pub(super) fn widen(&self, result: &mut Extrapolation, times: &[f64], weights: &Weights) {
        for (row, time) in result.estimate.chunks_mut(weights.columns()).zip(times) {
            for (estimate, deviation) in row.iter_mut().zip(&self.deviations).filter(|(_, deviation)| *time >= deviation.since) {
                *estimate = estimate.max(deviation.by);
            }
        }
        result.measure(weights);
    }
}

impl From<Differs> for Checked {
    fn from(differs: Differs) -> Self {
        Self::Differs(differs)
    }
}

/// Comparison of a run with other points with the one of the same density.
pub(super) struct Comparison {
    passed: bool,
    /// Factor by which the error of the run of the same density must be multiplied to explain the difference.
    factor: f64,
    deviations: Vec<Deviation>,
    worst: Option<Obstacle>,
}

impl Search {
    /// Compares a table with runs on two meshes with other points, from the density of its coarsest run on.
    pub(super) fn check(&mut self, table: &mut Extrapolation, runner: &mut dyn Runner) -> Checked {
        if self.settings.admitted.is_some() {
            return Checked::Passed { runs: 0 };
        }
        let densities = self.densities(&table.subdivisions);
        let (mut begin, mut runs) = (0, 0);
        for mesh in 0..MESHES {
            let mut last: Option<f64> = None;
            let mut found = None;
            for (place, &density) in densities.iter().enumerate().skip(begin) {
                let Some(run) = self.check_run(density, mesh, table, runner) else { return Checked::Stopped };
                let Some(same) = self.runs.iter().find(|run| run.subdivisions == density) else { continue };
                let comparison = self.compare(&run, same, table);
                let converges =
                    last.is_some_and(|last| comparison.factor <= FACTOR_OF_TWO.0 && comparison.factor <= FACTOR_OF_TWO.1 * last);
                if let Some(fast) = self.add_fast_modes(&run, table, runner) {
                    return fast;
                }
                if comparison.passed || converges {
                    (found, runs) = (None, runs + 1);
                    break;
                }
                self.least_density = self.least_density.max(density);
                (begin, last) = (place, Some(comparison.factor));
                found = Some(comparison);
            }
            if let Some(Comparison { deviations, worst: Some(worst), .. }) = found {
                return Differs { deviations, worst }.into();
            }
        }
        Checked::Passed { runs }
    }

    /// Compares a result, which need not be within the tolerance, with one run on another mesh. `None` if no run has its density.
    pub(super) fn check_once(&mut self, result: &Extrapolation, runner: &mut dyn Runner) -> Option<Checked> {
        let density = self.densities(&result.subdivisions).pop()?;
        let Some(run) = self.check_run(density, 0, result, runner) else { return Some(Checked::Stopped) };
        let same = self.runs.iter().find(|run| run.subdivisions == density)?;
        Some(match self.compare(&run, same, result) {
            Comparison { deviations, worst: Some(worst), .. } => Differs { deviations, worst }.into(),
            _ => Checked::Passed { runs: 1 },
        })
    }

    /// The densities of the comparison: those of runs in the table, each at least twice the previous one, none below those that
    /// failed.
    fn densities(&self, table: &[u32]) -> Vec<u32> {
        let mut densities: Vec<u32> = Vec::new();
        for &subdivisions in table {
            let is_next = densities.last().is_none_or(|last| subdivisions >= 2 * last);
            if subdivisions >= self.least_density && is_next {
                densities.push(subdivisions);
            }
        }
        if densities.is_empty() {
            densities.extend(table.last());
        }
        densities
    }

    /// The runs that follow if a result passes its checks at once.
    pub(super) fn ending(&self, table: &Extrapolation) -> Option<Ending> {
        let coarsest = self.runs.iter().find(|run| Some(&run.subdivisions) == table.subdivisions.first())?;
        let density = self.densities(&table.subdivisions).first().copied().filter(|_| self.settings.admitted.is_none());
        let checks = density.map_or_else(Vec::new, |density| (0..MESHES).map(|mesh| Between::check(mesh, density)).collect());
        Some(Ending { coarsest: coarsest.clone(), least: self.runs.first()?.subdivisions, checks })
    }

    fn check_run(&mut self, density: u32, mesh: usize, table: &Extrapolation, runner: &mut dyn Runner) -> Option<Rc<Run>> {
        if let Some(run) = self.checks.get(&(density, mesh)) {
            return Some(run.clone());
        }
        let run = match runner.between(&self.base, Between::check(mesh, density), &[], self.ending(table).as_ref()) {
            Made::Finished(mut run) => {
                let columns = self.weights.columns();
                self.excluded.iter().for_each(|&column| run.clear(column, columns));
                *run
            }
            // Such a run agrees with nothing.
            Made::Failed { .. } | Made::Shorter => Run::default(),
            Made::Stopped => return None,
        };
        let run = Rc::new(run);
        self.checks.insert((density, mesh), run.clone());
        Some(run)
    }

    /// Compares a run with other points, and the run of the same density, with a result.
    pub(super) fn compare(&self, run: &Run, same: &Run, table: &Extrapolation) -> Comparison {
        let columns = self.weights.columns();
        let tolerance = self.settings.bound.tolerance;
        let mut comparison = Comparison { passed: true, factor: 0.0, deviations: vec![Deviation::NONE; columns], worst: None };
        let pairs = same.common_rows(run, self.base.slack());
        if pairs.is_empty() || run.events.len() != same.events.len() {
            comparison.deviations.fill(Deviation::everywhere(f64::INFINITY));
            comparison.fail(0, self.base.times().last().copied().unwrap_or_default(), f64::INFINITY, f64::INFINITY);
        }
        for (row, other) in pairs {
            for column in 0..columns {
                let (index, value) = (row * columns + column, run.values[other * columns + column]);
                let deviation = (value - table.values[index]).abs();
                let scale = self.weights.scale(column, table.values[index]);
                let beyond = deviation - tolerance * scale;
                if beyond <= 0.0 {
                    continue;
                }
                let explained = self.explained(row, column, same, table, beyond / FACTOR);
                comparison.factor = comparison.factor.max(beyond / explained.max(f64::MIN_POSITIVE));
                if beyond > FACTOR * explained || beyond.is_nan() {
                    comparison.fail(
                        column,
                        same.times[row],
                        deviation,
                        self.weights.relative(column, table.values[index], deviation),
                    );
                }
            }
        }
        comparison
    }

    /// The largest error of the run of the same density at the adjacent rows, scaled down to the values there; or one that is at
    /// least `enough`.
    fn explained(&self, row: usize, column: usize, same: &Run, table: &Extrapolation, enough: f64) -> f64 {
        let columns = self.weights.columns();
        let rows = table.values.len() / columns;
        let scale_of = |row: usize| self.weights.scale(column, table.values[row * columns + column]);
        // The error of a value does not vanish where the value passes 0.
        let nearby = row.saturating_sub(NEARBY)..=(row + NEARBY).min(rows.saturating_sub(1));
        let scale = nearby.map(scale_of).fold(0.0, f64::max);
        let before = row.saturating_sub(BEFORE.0.max(rows / BEFORE.1))..=row;
        let after = row + 1..=(row + AFTER).min(rows.saturating_sub(1));
        let mut largest = 0.0_f64;
        for place in before.rev().chain(after) {
            let index = place * columns + column;
            let error = (same.values[index] - table.values[index]).abs() + table.estimate[index];
            let other = scale_of(place).max(f64::MIN_POSITIVE);
            largest = largest.max(error * (scale / other).min(1.0));
            if largest >= enough {
                break;
            }
        }
        largest
    }
}

impl Comparison {
    /// The first row with a difference that is not explained \[s\]; infinite if all are explained.
    pub(super) fn since(&self) -> f64 {
        self.deviations.iter().map(|deviation| deviation.since).fold(f64::INFINITY, f64::min)
    }

    fn fail(&mut self, column: usize, time: f64, deviation: f64, by: f64) {
        self.passed = false;
        if !deviation.is_finite() {
            self.factor = f64::INFINITY;
        }
        self.deviations[column].add(time, deviation);
        let found = Obstacle::Differs { column, time, by };
        self.worst = Some(self.worst.map_or(found, |worst| worst.worse(found)));
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{
            super::{ErrorExpansion, tableau},
            samples::{Fake, search},
        },
        *,
    };

    /// The result of several runs is one of their values.
    fn table(search: &Search, subdivisions: &[u32], value: f64) -> Extrapolation {
        let alone = tableau::alone(&search.runs[0], ErrorExpansion::Even, &search.weights, 0.0);
        Extrapolation { subdivisions: subdivisions.to_vec(), values: vec![1.0, value], estimate: vec![0.0; 2], ..alone }
    }

    /// A coarse run with other points may agree with another result by chance: if a finer one has failed before, it is not made
    /// any more.
    #[test]
    fn a_check_that_failed_is_never_passed_with_coarser_steps() {
        let mut search = search(ErrorExpansion::Even, &[(1, 1.0), (2, 1.0), (3, 1.0), (4, 1.0)]);
        let mut runner = Fake::new(|density| if density == 1 { 1.001 } else { 1.5 });
        let mut first = table(&search, &[1, 2, 3], 1.0);
        assert!(matches!(search.check(&mut first, &mut runner), Checked::Differs(_)));
        let mut second = table(&search, &[1, 2, 3, 4], 1.001);
        assert!(matches!(search.check(&mut second, &mut runner), Checked::Differs(_)));
    }

    /// Nor is one that failed at two densities, although these do not differ.
    #[test]
    fn runs_that_fail_pass_no_check() {
        let mut search = search(ErrorExpansion::Even, &[(1, 1.0), (2, 1.0), (4, 1.0)]);
        let mut table = table(&search, &[1, 2, 4], 1.0);
        assert!(matches!(search.check(&mut table, &mut Fake::new(|_| f64::NAN)), Checked::Differs(_)));
    }

    /// From the first difference on, and also those of a result that was found before.
    #[test]
    fn contradicted_estimates_become_wider() {
        let mut search = search(ErrorExpansion::Even, &[(1, 1.0), (2, 1.0), (4, 1.0)]);
        let before = Extrapolation { largest: 2e-6, ..table(&search, &[1, 2], 1.0) };
        search.keep(before, 0);
        let mut after = table(&search, &[1, 2, 4], 1.0);
        let Checked::Differs(differs) = search.check(&mut after, &mut Fake::new(|_| 1.5)) else { panic!("the runs agree") };
        search.reject(after, &differs);
        let best = search.best.unwrap();
        assert!(best.is_compared && best.result.largest > 0.4, "{best:?}");
        assert_eq!(best.result.estimate, [0.0, 0.5]);
    }

    #[test]
    fn runs_with_other_points_that_agree_pass_at_once() {
        let mut search = search(ErrorExpansion::Even, &[(1, 1.01), (2, 1.0025), (3, 1.0011)]);
        let mut table = table(&search, &[1, 2, 3], 1.0);
        assert!(matches!(search.check(&mut table, &mut Fake::new(|_| 1.0)), Checked::Passed { runs: 2 }));
        assert_eq!(search.least_density, 0);
    }
}
