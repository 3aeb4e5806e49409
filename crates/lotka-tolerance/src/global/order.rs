//! Comparison of the observed order of the runs with the expected powers.

use super::{
    ErrorExpansion,
    expansion::{absolute_sum, residual},
    tableau::Table,
};

/// Range in which an observed order is sought. Neither end, nor a point halfway, is a power that a table cancels.
const POWERS: (f64, f64) = (0.0137, 24.3);
const HALVINGS: usize = 24;

/// Number of columns that are judged. Later ones reveal their order only on meshes that are finer than needed; their deficit is
/// in the estimate.
const JUDGED: usize = 3;

/// Share of the tolerance below which entries differ too little to matter: their order is not judged.
const SLIGHT: f64 = 1e-3;

/// The canceled powers, and their justification.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Orders {
    /// The powers that the method guarantees.
    pub(crate) expected: ErrorExpansion,
    /// The powers that the runs support.
    pub(crate) used: ErrorExpansion,
    /// Observed order of the runs, the least of all outputs; `None` with fewer than three runs, or if they differ by rounding
    /// only.
    pub(crate) observed: Option<f64>,
}

/// Extent to which the runs support an expansion.
pub(crate) struct Support {
    pub(crate) observed: Option<f64>,
    /// The observed order of the first column of the table that converges more slowly than it should.
    pub(crate) shortfall: Option<f64>,
}

/// Checks the columns of the table as far as three entries reveal an order, up to the first whose order falls short of the
/// expansion in some output.
///
/// Three successive entries of column j, with runs `n_i`, have errors close to `c r_i(q)`, where `r_i(q) = sum w_m n_m^-q` and q
/// is the first power not canceled. So `(T_1 - T_2) / (T_2 - T_3) = (r_1(q) - r_2(q)) / (r_2(q) - r_3(q))`, which grows with q;
/// for the runs themselves (j = 1) `r_i = n_i^-q`. The differences are root mean squares over the rows, relative to the scale of
/// the values.
pub(crate) fn support(table: &Table<'_>, expansion: ErrorExpansion) -> Support {
    let mut support = Support { observed: None, shortfall: None };
    for column in 1..=table.subdivisions.len().saturating_sub(2).min(JUDGED) {
        let least = column_orders(table, expansion, column).into_iter().flatten().reduce(f64::min);
        if column == 1 {
            support.observed = least;
        }
        support.shortfall = least.filter(|&least| least < expansion.least_power(column));
        if support.shortfall.is_some() {
            break;
        }
    }
    support
}

/// Observed order of a column per output. `None` if the entries differ only by rounding and noise, by too little to matter, or by
/// effects other than the coupling.
fn column_orders(table: &Table<'_>, expansion: ErrorExpansion, column: usize) -> Vec<Option<f64>> {
    let runs = &table.subdivisions;
    let entry = |end| expansion.entry(runs, end, column);
    let (first, second, third) = (entry(runs.len() - 2), entry(runs.len() - 1), entry(runs.len()));
    let (coarse, fine) = (difference(&first, &second), difference(&second, &third));
    let noise = table.level * absolute_sum(&fine);
    let model = |q| (residual(&coarse, runs, q) / residual(&fine, runs, q)).abs();
    let norms = table.norms(&coarse).into_iter().zip(table.norms(&fine));
    let order = |(output, (coarse, fine)): (usize, (f64, f64))| {
        let shows = fine > noise && coarse.max(fine) > SLIGHT * table.tolerance && !table.is_free(output);
        shows.then(|| solve(model, coarse / fine))
    };
    norms.enumerate().map(order).collect()
}

/// The argument at which an increasing function has a value, to about six digits; otherwise the closer end of the range.
fn solve(growing: impl Fn(f64) -> f64, value: f64) -> f64 {
    let (mut low, mut high) = POWERS;
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if growing(middle) < value { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// `a - b`.
pub(crate) fn difference(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::global::{ErrorBound, Run};

    fn orders(expansion: ErrorExpansion, subdivisions: &[u32], error: impl Fn(f64) -> f64) -> Support {
        let run =
            |&n: &u32| Run { subdivisions: n, steps: 1, values: vec![1.0 + error(1.0 / f64::from(n)), 5.0], ..Run::default() };
        let runs: Vec<Run> = subdivisions.iter().map(run).collect();
        let weights = ErrorBound { tolerance: 1e-6, absolute: None, nominals: vec![None; 2], ..ErrorBound::default() }
            .weights(&[1.0, 5.0], &[]);
        support(&Table::new(&runs.iter().collect::<Vec<_>>(), &weights, 0.0), expansion)
    }

    #[test]
    fn the_order_of_three_runs_is_found() {
        for q in [0.5, 1.0, 1.7, 2.0, 4.0] {
            for runs in [&[1, 2, 3], &[4, 5, 6], &[6, 8, 12], &[8, 16, 32]] {
                let found = orders(ErrorExpansion::Even, runs, |h| 0.1 * h.powf(q)).observed.unwrap();
                assert!((found - q).abs() < 1e-4, "{found} for {q} with {runs:?}");
            }
        }
    }

    #[test]
    fn what_does_not_converge_has_no_order() {
        let support = orders(ErrorExpansion::Even, &[1, 2, 3], |h| if h == 0.5 { 0.1 } else { 0.0 });
        assert!(support.shortfall.unwrap() < 0.1);
    }

    #[test]
    fn equal_runs_are_no_evidence() {
        let support = orders(ErrorExpansion::Even, &[1, 2, 3, 4], |_| 0.0);
        assert_eq!((support.observed, support.shortfall), (None, None));
    }

    #[test]
    fn a_small_missing_power_shows_in_a_later_column() {
        let clean = orders(ErrorExpansion::Even, &[1, 2, 3, 4, 5], |h| 0.1 * h.powi(2) + 0.1 * h.powi(4) + 0.1 * h.powi(6));
        assert_eq!(clean.shortfall, None);
        let linear = orders(ErrorExpansion::Even, &[1, 2, 3, 4, 5], |h| 0.1 * h.powi(2) + 1e-3 * h).shortfall.unwrap();
        assert!((linear - 1.0).abs() < 1e-3);
        let cubic = orders(ErrorExpansion::Even, &[1, 2, 3, 4, 5], |h| 0.1 * h.powi(2) + 0.01 * h.powi(3)).shortfall.unwrap();
        assert!((cubic - 3.0).abs() < 1e-3);
    }
}
