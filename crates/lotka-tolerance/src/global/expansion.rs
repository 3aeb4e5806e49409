//! The powers of the step size in the error of a run, and the weights that cancel them.

/// The powers of the step size h in the error expansion `y(h) = y + c_1 h^p_1 + c_2 h^p_2 + ...`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ErrorExpansion {
    /// 2, 4, 6 ...: symmetric coupling schemes without feedthrough.
    Even,
    /// 2, 3, 4 ...: methods of order 2.
    FromTwo,
    /// 1, 2, 3 ...: methods of order 1.
    FromOne,
    /// No order is known: nothing is extrapolated.
    None,
}

impl ErrorExpansion {
    /// Power of the leading error in a column of the extrapolation table; column 1 holds the runs. If no order is known, the
    /// minimum power by which convergence is judged.
    pub(crate) fn power(self, column: usize) -> f64 {
        let column = column as f64;
        match self {
            Self::Even => 2.0 * column,
            Self::FromTwo => column + 1.0,
            Self::FromOne | Self::None => column,
        }
    }

    /// The observed power below which a column does not support the expansion: half a power below in column 1; in the others
    /// halfway to the power that the previous column should have canceled.
    pub(crate) fn least_power(self, column: usize) -> f64 {
        match column {
            1 => self.power(1) - 0.5,
            _ => 0.5 * (self.power(column - 1) + self.power(column)),
        }
    }

    /// The expansion that explains an observed power missing in this one, if any: an odd power of at least 3 requires 2, 3, 4 ...
    pub(crate) fn fallback(self, observed: f64) -> Option<Self> {
        let near = (observed - observed.round()).abs() <= 0.3;
        match (self, near, observed.round() as u32) {
            (Self::Even, true, odd) if odd >= 3 && odd % 2 == 1 => Some(Self::FromTwo),
            _ => None,
        }
    }

    /// Weights `w_i` of runs with `n_i` steps per step of the base mesh: with `h_i = 1 / n_i`, `sum w_i = 1` and `sum w_i h_i^p =
    /// 0` for as many powers as there are further runs. Then `sum w_i y_i` is the entry of the Aitken–Neville table over these
    /// runs.
    ///
    /// ```text
    /// 1, 2, 3 ...   w_i = prod n_i / (n_i - n_j)                   the value at 0 of the polynomial through all runs
    /// 2, 4, 6 ...   w_i = prod n_i^2 / (n_i^2 - n_j^2)             the same in h^2
    /// 2, 3, 4 ...   w_i = n_i / (sum n_j) prod n_i / (n_i - n_j)   one degree more, slope 0 at h = 0
    /// none          the finest run alone
    /// ```
    ///
    /// Products over all j but i. Finer runs come later; all `n_i` differ.
    pub(crate) fn table_weights(self, subdivisions: &[u32]) -> Vec<f64> {
        let sum: f64 = subdivisions.iter().map(|&n| f64::from(n)).sum();
        let product = |i: usize, term: fn(f64) -> f64| {
            let others = subdivisions.iter().enumerate().filter(|&(j, _)| j != i);
            let own = term(f64::from(subdivisions[i]));
            let (above, below) = others.fold((1.0, 1.0), |(a, b), (_, &n)| (a * own, b * (own - term(f64::from(n)))));
            above / below
        };
        let weight = |i: usize| match self {
            Self::Even => product(i, |n| n * n),
            Self::FromTwo => product(i, |n| n) * f64::from(subdivisions[i]) / sum,
            Self::FromOne => product(i, |n| n),
            Self::None => f64::from(u8::from(i + 1 == subdivisions.len())),
        };
        (0..subdivisions.len()).map(weight).collect()
    }

    /// Amplification of errors of the runs by the table: `sum |w_i|`.
    pub(crate) fn amplification(self, subdivisions: &[u32]) -> f64 {
        absolute_sum(&self.table_weights(subdivisions))
    }

    /// Ratio of the error of the last result to the difference of the last two, if all of it is of power 1; at least 1.
    pub(crate) fn first_power_factor(self, subdivisions: &[u32]) -> f64 {
        if self == Self::FromOne {
            return 1.0;
        }
        let left = |runs: &[u32]| residual(&self.table_weights(runs), runs, 1.0).abs();
        let (before, last) = (left(&subdivisions[..subdivisions.len().saturating_sub(1)]), left(subdivisions));
        (last / (before - last).abs()).max(1.0)
    }

    /// Weights, over all runs, of the table's entry in a column (from 1) whose finest run is the last of the first `end` ones.
    pub(crate) fn entry(self, subdivisions: &[u32], end: usize, column: usize) -> Vec<f64> {
        let mut weights = vec![0.0; subdivisions.len()];
        weights[end - column..end].copy_from_slice(&self.table_weights(&subdivisions[end - column..end]));
        weights
    }
}

/// `sum |w_i|`.
pub(crate) fn absolute_sum(weights: &[f64]) -> f64 {
    weights.iter().map(|weight| weight.abs()).sum()
}

/// `sum w_i n_i^-q`: the rest of an error `h^q` of the runs in a combination of them.
pub(crate) fn residual(weights: &[f64], subdivisions: &[u32], q: f64) -> f64 {
    weights.iter().zip(subdivisions).map(|(weight, &n)| weight * f64::from(n).powf(-q)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_cancel_their_powers_and_no_others() {
        for expansion in [ErrorExpansion::Even, ErrorExpansion::FromTwo, ErrorExpansion::FromOne] {
            for runs in [&[1, 2, 3, 4, 5, 6][..], &[4, 6, 8, 12, 16, 24], &[1, 2, 4, 8, 16, 32], &[3], &[5, 6]] {
                let weights = expansion.table_weights(runs);
                let rounding = 1e-15 * absolute_sum(&weights);
                assert!((residual(&weights, runs, 0.0) - 1.0).abs() <= rounding, "{expansion:?} {runs:?}");
                for column in 1..runs.len() {
                    let left = residual(&weights, runs, expansion.power(column));
                    assert!(left.abs() <= rounding, "{expansion:?} {runs:?} {column}: {left}");
                }
                assert!(residual(&weights, runs, expansion.power(runs.len())).abs() > 1e-20);
            }
        }
    }

    #[test]
    fn weights_are_those_of_richardson() {
        let near = |found: Vec<f64>, right: &[f64]| found.iter().zip(right).all(|(a, b)| (a - b).abs() < 1e-15);
        assert!(near(ErrorExpansion::Even.table_weights(&[1, 2]), &[-1.0 / 3.0, 4.0 / 3.0]));
        assert!(near(ErrorExpansion::FromTwo.table_weights(&[1, 2]), &[-1.0 / 3.0, 4.0 / 3.0]));
        assert!(near(ErrorExpansion::FromOne.table_weights(&[1, 2]), &[-1.0, 2.0]));
        assert!(near(ErrorExpansion::None.table_weights(&[1, 2]), &[0.0, 1.0]));
    }

    #[test]
    fn an_error_of_power_1_is_larger_than_the_difference_of_results() {
        let runs = [1, 2, 3, 4, 5];
        let result = |count: usize| {
            let weights = ErrorExpansion::Even.table_weights(&runs[..count]);
            weights.iter().zip(&runs).map(|(weight, &n)| weight * (1.0 + 0.1 / f64::from(n))).sum::<f64>()
        };
        let (error, difference) = (result(5) - 1.0, result(4) - result(5));
        assert!((ErrorExpansion::Even.first_power_factor(&runs) - error / difference).abs() < 1e-9);
        assert_eq!(ErrorExpansion::FromOne.first_power_factor(&runs), 1.0);
        // Two runs: their result has a third of the error of the first one, which is less than the difference.
        assert_eq!(ErrorExpansion::Even.first_power_factor(&[1, 2]), 1.0);
    }

    #[test]
    fn entries_use_a_window_of_the_runs() {
        let entry = ErrorExpansion::FromOne.entry(&[1, 2, 3, 4], 3, 2);
        assert_eq!(entry, [0.0, -2.0, 3.0, 0.0]);
    }

    #[test]
    fn the_missing_power_names_the_fallback() {
        assert_eq!(ErrorExpansion::Even.fallback(2.9), Some(ErrorExpansion::FromTwo));
        assert_eq!(ErrorExpansion::Even.fallback(1.1), None, "an order that is only observed");
        assert_eq!(ErrorExpansion::FromTwo.fallback(0.8), None);
        assert_eq!(ErrorExpansion::Even.fallback(0.0), None);
        assert_eq!(ErrorExpansion::Even.fallback(1.5), None);
        assert_eq!(ErrorExpansion::FromOne.fallback(1.0), None);
    }
}
