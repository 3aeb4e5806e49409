//! Dynamic relaxation after Aitken.

use super::{
    Acceleration,
    vector::{is_finite, retreat, subtract, weighted_dot, weighted_norm},
};
use crate::checkpoint::{Persistent, Transfer, Transferred};

/// Changes of the residual below this share of the values are rounding and carry no information.
const ROUNDING: f64 = 1e6 * f64::EPSILON;

/// Smallest factor; a factor close to zero would stall the iteration.
const SMALLEST_FACTOR: f64 = 1e-10;

/// Aitken's dynamic relaxation: `x <- x + omega f` with, from the second iteration of a step on,
/// `omega <- -omega <f_old, f - f_old>_w / |f - f_old|_w^2`.
///
/// In one dimension this is the secant method: exact after two evaluations of a linear `G`. One factor serves all components, so
/// several strong modes of different sign still slow it down; use [`super::Anderson`] there. A step that converges passes its
/// factor to the next one, bounded in size by the initial factor. Otherwise the next step begins with the initial factor.
///
/// Failure: if `f` does not change, or the new factor is not finite or close to zero, the old factor is kept. If `G(x)` is
/// not finite, the next `x` is halfway back to the last good `x` of the step, or the same `x` if there was none.
///
/// Reference: Küttler and Wall 2008, *Fixed-point fluid–structure interaction solvers with dynamic relaxation*, Computational
/// Mechanics 43, doi 10.1007/s00466-008-0255-5.
pub(crate) struct Aitken {
    initial: f64,
    factor: f64,
    is_converged: bool,
    /// Whether this step has a good `x` and its residual.
    has_previous: bool,
    previous_x: Vec<f64>,
    previous_residual: Vec<f64>,
    residual: Vec<f64>,
    change: Vec<f64>,
}

impl Aitken {
    /// For `n` values; `initial` is the factor of the first iteration, dimensionless, usually in (0, 1].
    pub(crate) fn new(n: usize, initial: f64) -> Self {
        let zeros = || vec![0.0; n];
        Self {
            initial,
            factor: initial,
            is_converged: false,
            has_previous: false,
            previous_x: zeros(),
            previous_residual: zeros(),
            residual: zeros(),
            change: zeros(),
        }
    }

    fn learn(&mut self, g: &[f64], weights: &[f64]) {
        subtract(&mut self.change, &self.residual, &self.previous_residual);
        let size = weighted_norm(&self.change, weights);
        let factor = -self.factor * weighted_dot(&self.previous_residual, &self.change, weights) / (size * size);
        let is_rounding = size <= ROUNDING * weighted_norm(g, weights);
        if !is_rounding && factor.is_finite() && factor.abs() >= SMALLEST_FACTOR {
            self.factor = factor;
        }
    }
}

impl Persistent for Aitken {
    fn transfer(&mut self, transfer: &mut Transfer<'_>) -> Transferred {
        transfer.value(&mut self.factor)?;
        transfer.value(&mut self.is_converged)
    }
}

impl Acceleration for Aitken {
    fn begin(&mut self) {
        let limit = self.initial.abs();
        self.factor = if self.is_converged { self.factor.clamp(-limit, limit) } else { self.initial };
        self.is_converged = false;
        self.has_previous = false;
    }

    fn next(&mut self, x: &mut [f64], g: &[f64], weights: &[f64]) {
        subtract(&mut self.residual, g, x);
        if !is_finite(&self.residual) {
            if self.has_previous {
                retreat(x, &self.previous_x);
                self.factor *= 0.5; // the factor that led from the old to the new point
            }
            return;
        }
        if self.has_previous {
            self.learn(g, weights);
        }
        self.has_previous = true;
        self.previous_x.copy_from_slice(x);
        self.previous_residual.copy_from_slice(&self.residual);
        for (x, residual) in x.iter_mut().zip(&self.residual) {
            *x += self.factor * residual;
        }
    }

    fn converged(&mut self) {
        self.is_converged = true;
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::tests::{Linear, iterations},
        *,
    };

    #[test]
    fn one_dimension_is_exact_after_two_evaluations() {
        for slope in [-30.0, -1.0, 0.9, 1.5, 40.0] {
            let (mut aitken, mut x) = (Aitken::new(1, 0.5), [7.0]);
            aitken.begin();
            for _ in 0..2 {
                let g = [slope * x[0] + 3.0];
                aitken.next(&mut x, &g, &[1.0]);
            }
            let exact = 3.0 / (1.0 - slope);
            assert!((x[0] - exact).abs() <= 1e-12 * (1.0 + exact.abs()), "slope {slope}: {} instead of {exact}", x[0]);
        }
    }

    #[test]
    fn converges_where_plain_iteration_does_not() {
        let problem = Linear::diagonal(&[-3.0, -2.5, -2.0]);
        assert_eq!(iterations(&mut Aitken::new(3, 1.0), &problem, 1e-10, 1), None);
        let needed = iterations(&mut Aitken::new(3, 1.0), &problem, 1e-10, 100);
        assert!(needed.is_some_and(|needed| needed < 30), "{needed:?}");
    }

    #[test]
    fn the_factor_is_kept_only_after_convergence_and_bounded() {
        let mut aitken = Aitken::new(1, 0.5);
        let step = |aitken: &mut Aitken, slope: f64| {
            aitken.begin();
            let (mut x, start) = ([1.0], aitken.factor);
            for _ in 0..2 {
                let g = [slope * x[0] + 1.0];
                aitken.next(&mut x, &g, &[1.0]);
            }
            start
        };
        step(&mut aitken, -4.0);
        aitken.converged();
        assert!((step(&mut aitken, -4.0) - 0.2).abs() < 1e-14, "learned");
        assert_eq!(step(&mut aitken, 0.9), 0.5, "the step before did not converge");
        aitken.converged();
        assert_eq!(step(&mut aitken, 0.9), 0.5, "10 is bounded by the initial factor");
    }

    #[test]
    fn a_residual_that_does_not_change_leaves_the_factor() {
        let (mut aitken, mut x) = (Aitken::new(1, 0.5), [1.0]);
        aitken.begin();
        for _ in 0..3 {
            let g = [x[0] + 2.0];
            aitken.next(&mut x, &g, &[1.0]);
        }
        assert_eq!(x, [4.0]);
    }

    #[test]
    fn values_that_are_not_finite_lead_back_and_teach_nothing() {
        let (mut aitken, mut x) = (Aitken::new(1, 1.0), [0.0]);
        aitken.begin();
        aitken.next(&mut x, &[f64::NAN], &[1.0]);
        assert_eq!(x, [0.0]);
        aitken.next(&mut x, &[8.0], &[1.0]);
        assert_eq!(x, [8.0]);
        aitken.next(&mut x, &[f64::INFINITY], &[1.0]);
        assert_eq!(x, [4.0]);
        aitken.next(&mut x, &[-4.0], &[1.0]);
        assert_eq!(x, [2.0], "the secant through the two good points");
    }
}
