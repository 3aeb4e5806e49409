//! Anderson acceleration, also known as interface quasi-Newton with an inverse Jacobian from least squares.

use super::{
    Acceleration, FixedPoint,
    secants::{Point, Secants},
    vector::{is_finite, retreat, subtract, weighted_norm},
};
use crate::checkpoint::{Persistent, Transfer, Transferred};

/// Differences of earlier steps are misleading if the residual exceeds this multiple of the step's first residual.
const MISLED: f64 = 10.0;

/// Columns are also misleading if the residual does not halve within this number of evaluations beyond the number of values.
const PATIENCE: usize = 3;

/// Anderson acceleration (IQN-ILS): `x <- g - sum(c_j dg_j)` with `c` such that `|f - sum(c_j df_j)|_w` is minimal.
///
/// `df_j`, `dg_j` are differences of residual and values of consecutive evaluations: secants of `G`. On a linear `G` of `n`
/// values, `n` columns solve the problem with `n + 1` evaluations. On nonlinear ones convergence is superlinear once there are
/// enough columns. Directions outside the span of the columns get the plain fixed-point iteration, and so does the first
/// iteration of a step without columns. The exchange of values over a short step is nearly always a contraction. Where it is not,
/// the large first difference still points in the directions that matter.
///
/// Columns of converged steps are reused in the following `reused_steps` steps; those of other steps are dropped. Of nearly
/// dependent columns (a new share below 1e-4) the older is dropped. Weights are those of the first iteration of each step, with
/// which the remaining columns are refactored; after that, one iteration costs O(n × columns).
///
/// Failure: columns of earlier steps are dropped when the residual grows tenfold within a step (an event, another regime). All
/// columns are dropped when the residual does not halve for a while (they hold rounding errors in a direction that matters). If
/// least squares yields a value that is not finite, the plain value `g` is next. If `G(x)` is not finite, the next `x` is halfway
/// back to the last good `x` of the step, or the same `x` if there was none; no column is made from it.
///
/// References: Walker and Ni 2011, doi 10.1137/10078356X; Degroote, Bathe, Vierendeels 2009, doi 10.1016/j.compstruc.2008.11.013;
/// filter after Haelterman et al. 2016, doi 10.1016/j.compstruc.2016.04.001.
pub(crate) struct Anderson {
    reused_steps: u64,
    secants: Secants,
    step: u64,
    is_converged: bool,
    /// `|f|_w` of the first evaluation of this step that was finite.
    first_norm: Option<f64>,
    /// The residual to halve, and the number of evaluations since.
    to_halve: (f64, usize),
    previous_x: Vec<f64>,
    previous_g: Vec<f64>,
    previous_residual: Vec<f64>,
    residual: Vec<f64>,
}

impl Anderson {
    /// For `n` values, with at most `columns` differences (5 to 20 are usual; more than `n` are of no use), kept for
    /// `reused_steps` further steps.
    pub(crate) fn new(n: usize, columns: usize, reused_steps: usize) -> Self {
        let zeros = || vec![0.0; n];
        Self {
            reused_steps: reused_steps as u64,
            secants: Secants::new(n, columns),
            step: 0,
            is_converged: false,
            first_norm: None,
            to_halve: (f64::INFINITY, 0),
            previous_x: zeros(),
            previous_g: zeros(),
            previous_residual: zeros(),
            residual: zeros(),
        }
    }

    /// Adds a finite evaluation.
    fn learn(&mut self, x: &[f64], g: &[f64], weights: &[f64]) {
        let norm = weighted_norm(&self.residual, weights);
        if let Some(first) = self.first_norm {
            let new = Point { g, residual: &self.residual };
            let old = Point { g: &self.previous_g, residual: &self.previous_residual };
            self.secants.add(self.step, new, old);
            if norm > MISLED * first {
                self.secants.retain(|step| step == self.step);
            }
            self.watch(norm);
        } else {
            self.secants.weigh(weights);
            self.first_norm = Some(norm);
            self.to_halve = (norm, 0);
        }
        self.previous_x.copy_from_slice(x);
        self.previous_g.copy_from_slice(g);
        self.previous_residual.copy_from_slice(&self.residual);
    }

    /// Drops all columns if the residual does not decrease.
    fn watch(&mut self, norm: f64) {
        let (last, evaluations) = self.to_halve;
        if norm <= 0.5 * last {
            self.to_halve = (norm, 0);
        } else if evaluations < self.residual.len() + PATIENCE {
            self.to_halve.1 += 1;
        } else {
            self.secants.retain(|_| false);
            self.to_halve = (norm, 0);
        }
    }
}

/// The values of the last evaluation are used within one step only.
impl Persistent for Anderson {
    fn transfer(&mut self, transfer: &mut Transfer<'_>) -> Transferred {
        transfer.value(&mut self.step)?;
        transfer.value(&mut self.is_converged)?;
        self.secants.transfer(transfer)
    }
}

impl Acceleration for Anderson {
    fn begin(&mut self) {
        let (last, reused) = (self.step, self.reused_steps);
        let is_converged = self.is_converged;
        self.secants.retain(|step| last - step < reused && (is_converged || step < last));
        self.step += 1;
        self.is_converged = false;
        self.first_norm = None;
    }

    fn next(&mut self, x: &mut [f64], g: &[f64], weights: &[f64]) {
        subtract(&mut self.residual, g, x);
        if !is_finite(&self.residual) {
            if self.first_norm.is_some() {
                retreat(x, &self.previous_x);
            }
            return;
        }
        self.learn(x, g, weights);
        if !self.secants.propose(x, Point { g, residual: &self.residual }) {
            FixedPoint.next(x, g, weights);
        }
    }

    fn converged(&mut self) {
        self.is_converged = true;
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::tests::{Linear, iterations, solve},
        *,
    };

    #[test]
    fn as_many_columns_as_values_solve_a_linear_problem_with_one_more_evaluation() {
        for n in 1..=6 {
            let problem = Linear::coupled(n, 3.0);
            let needed = iterations(&mut Anderson::new(n, n, 0), &problem, 1e-9, 60);
            assert!(needed.is_some_and(|needed| needed <= n + 1), "{n} values: {needed:?}");
        }
    }

    #[test]
    fn converges_where_plain_iteration_explodes() {
        let problem = Linear::diagonal(&[-1e4, -30.0, 2.0, 0.5, -0.1, 0.0]);
        assert_eq!(iterations(&mut FixedPoint, &problem, 1e-9, 50), None);
        let needed = iterations(&mut Anderson::new(6, 10, 0), &problem, 1e-9, 50);
        assert!(needed.is_some_and(|needed| needed <= 9), "{needed:?}");
    }

    #[test]
    fn few_columns_serve_many_values() {
        let spectrum: Vec<f64> = (0..500).map(|k| if k < 4 { -2.0 - k as f64 } else { 0.3 * (k as f64).cos() }).collect();
        let problem = Linear::diagonal(&spectrum);
        let needed = iterations(&mut Anderson::new(500, 10, 0), &problem, 1e-8, 100);
        assert!(needed.is_some_and(|needed| needed <= 40), "{needed:?}");
    }

    /// Number of evaluations over ten steps of a slowly changing problem.
    fn evaluations(reused_steps: usize) -> usize {
        let mut anderson = Anderson::new(8, 20, reused_steps);
        let steps = (0..10).map(|step| {
            let drift = 0.01 * f64::from(step);
            let problem = Linear::coupled(8, 3.0 + drift);
            iterations(&mut anderson, &problem, 1e-6, 60).expect("converges")
        });
        steps.sum()
    }

    #[test]
    fn reuse_lowers_the_number_of_evaluations() {
        let (without, with) = (evaluations(0), evaluations(3));
        assert!(3 * with < 2 * without, "{with} with, {without} without");
    }

    #[test]
    fn columns_are_reused_as_long_as_asked_and_only_from_steps_that_converged() {
        let mut anderson = Anderson::new(4, 4, 2);
        let problem = Linear::coupled(4, 3.0);
        iterations(&mut anderson, &problem, 1e-8, 60);
        assert_eq!(anderson.secants.len(), 4);
        for expected in [4, 4, 0] {
            anderson.begin();
            anderson.converged();
            assert_eq!(anderson.secants.len(), expected);
        }
        iterations(&mut anderson, &problem, 1e-8, 3);
        anderson.begin();
        assert_eq!(anderson.secants.len(), 0, "did not converge");
    }

    #[test]
    fn columns_that_mislead_are_forgotten() {
        let mut anderson = Anderson::new(6, 20, 5);
        iterations(&mut anderson, &Linear::diagonal(&[-50.0, 20.0, -30.0, 10.0, 5.0, -5.0]), 1e-8, 60).expect("converges");
        let other = Linear::diagonal(&[50.0, -20.0, 30.0, -10.0, -5.0, 5.0]);
        let needed = iterations(&mut anderson, &other, 1e-8, 60);
        assert!(needed.is_some_and(|needed| needed <= 16), "{needed:?}");
    }

    /// Two columns from a converged step, and then a step whose first residual is 1.
    fn with_a_past() -> (Anderson, [f64; 2]) {
        let mut anderson = Anderson::new(2, 2, 5);
        iterations(&mut anderson, &Linear::coupled(2, 3.0), 1e-8, 60).expect("converges");
        assert_eq!(anderson.secants.len(), 2);
        let mut x = [0.0; 2];
        anderson.begin();
        anderson.next(&mut x, &[1.0, 0.0], &[1.0; 2]);
        (anderson, x)
    }

    /// A further evaluation with this residual.
    fn evaluate(anderson: &mut Anderson, x: &mut [f64; 2], residual: [f64; 2]) {
        let g = [x[0] + residual[0], x[1] + residual[1]];
        anderson.next(x, &g, &[1.0; 2]);
    }

    #[test]
    fn columns_of_earlier_steps_are_forgotten_when_the_residual_grows_tenfold() {
        for (size, expected) in [(5.0, 2), (20.0, 1)] {
            let (mut anderson, mut x) = with_a_past();
            evaluate(&mut anderson, &mut x, [0.0, size]);
            assert_eq!(anderson.secants.len(), expected, "a residual of {size}");
        }
    }

    #[test]
    fn all_columns_are_forgotten_when_the_residual_does_not_halve_for_a_while() {
        let (mut anderson, mut x) = with_a_past();
        // The residual rotates without shrinking.
        for evaluation in 1..=2 + PATIENCE {
            let angle = evaluation as f64;
            evaluate(&mut anderson, &mut x, [angle.cos(), angle.sin()]);
            assert_eq!(anderson.secants.len(), 2, "evaluation {evaluation}");
        }
        evaluate(&mut anderson, &mut x, [0.0, 1.0]);
        assert_eq!(anderson.secants.len(), 0);
        // Learning restarts: columns are learned again, and the patience is renewed.
        evaluate(&mut anderson, &mut x, [1.0, 0.0]);
        assert_eq!(anderson.secants.len(), 1);
        let (mut anderson, mut x) = with_a_past();
        for evaluation in 1..30 {
            let size = 0.8_f64.powi(evaluation);
            evaluate(&mut anderson, &mut x, [size * f64::from(evaluation).cos(), size * f64::from(evaluation).sin()]);
            assert_eq!(anderson.secants.len(), 2, "it halves every four evaluations: {evaluation}");
        }
    }

    #[test]
    fn values_that_are_not_finite_lead_back_and_make_no_column() {
        let (mut anderson, mut x) = (Anderson::new(1, 5, 1), [0.0]);
        anderson.begin();
        anderson.next(&mut x, &[f64::NAN], &[1.0]);
        assert_eq!(x, [0.0]);
        anderson.next(&mut x, &[8.0], &[1.0]);
        anderson.next(&mut x, &[f64::INFINITY], &[1.0]);
        assert_eq!((x, anderson.secants.len()), ([4.0], 0));
        anderson.next(&mut x, &[-4.0], &[1.0]);
        assert_eq!((x, anderson.secants.len()), ([2.0], 1));
    }

    #[test]
    fn weights_that_are_not_finite_give_the_plain_value() {
        let (mut anderson, mut x) = (Anderson::new(2, 5, 1), [0.0, 0.0]);
        anderson.begin();
        for g in [[1.0, 2.0], [-3.0, 5.0], [7.0, 0.0]] {
            anderson.next(&mut x, &g, &[f64::INFINITY, f64::NAN]);
            assert_eq!(x, g);
        }
    }

    #[test]
    fn units_do_not_matter_where_weights_know_them() {
        let problem = Linear::coupled(5, 3.0);
        let plain = solve(&mut Anderson::new(5, 3, 0), |x| problem.value(x), &[0.0; 5], &[1.0; 5], 8);
        let scale = [1.0, 1e6, 1e-6, 1024.0, 1e3];
        let other = |x: &[f64]| {
            let x: Vec<f64> = x.iter().zip(&scale).map(|(x, s)| x / s).collect();
            problem.value(&x).iter().zip(&scale).map(|(g, s)| g * s).collect()
        };
        let scaled = solve(&mut Anderson::new(5, 3, 0), other, &[0.0; 5], &scale.map(f64::recip), 8);
        for k in 0..5 {
            assert!((scaled[k] / scale[k] - plain[k]).abs() < 1e-6 * (1.0 + plain[k].abs()), "{scaled:?} {plain:?}");
        }
    }

    #[test]
    fn without_columns_it_is_the_plain_iteration() {
        let problem = Linear::coupled(3, 0.5);
        let plain = solve(&mut FixedPoint, |x| problem.value(x), &[0.0; 3], &[1.0; 3], 7);
        assert_eq!(solve(&mut Anderson::new(3, 0, 2), |x| problem.value(x), &[0.0; 3], &[1.0; 3], 7), plain);
    }
}
