//! Explicit Runge–Kutta methods with fixed steps.

use super::{FixedStep, grid::Grid};
use crate::{EvaluationError, Failure, Problem};

/// An explicit Runge–Kutta method by its Butcher tableau. With stage derivatives `k_i`,
///
/// ```text
/// k_i      = f(t + c_i h, x + h Σ_(j < i) a_ij k_j)
/// x(t + h) = x + h Σ b_i k_i
/// ```
///
/// Source: J. C. Butcher, Numerical Methods for Ordinary Differential Equations, 2016, chapter 3, doi 10.1002/9781119121534.
pub(crate) struct Tableau {
    /// Row `i` has the `i` numbers below the diagonal.
    pub a: &'static [&'static [f64]],
    pub b: &'static [f64],
    pub c: &'static [f64],
}

impl FixedStep for Tableau {
    fn integrate(&self, problem: &mut Problem, x: &mut [f64]) -> Result<(), Failure> {
        let grid = Grid::of(problem)?;
        let mut stages = Stages::new(self, x.len());
        for i in 0..grid.n {
            let (tau, h) = (grid.tau(i), grid.step());
            stages.evaluate(problem, tau, h, x).map_err(Failure::at(tau))?;
            stages.add(self.b, h, x);
            problem.took_step(tau, x)?;
        }
        Ok(())
    }
}

/// The stage derivatives of one step, with the memory to compute them.
pub(crate) struct Stages<'a> {
    tableau: &'a Tableau,
    k: Vec<f64>,
    x: Vec<f64>,
}

impl<'a> Stages<'a> {
    pub fn new(tableau: &'a Tableau, n_states: usize) -> Self {
        Self { tableau, k: vec![0.0; tableau.c.len() * n_states], x: vec![0.0; n_states] }
    }

    /// Evaluates all stages for a step of `h` seconds from `x`.
    pub fn evaluate(&mut self, problem: &mut Problem, tau: f64, h: f64, x: &[f64]) -> Result<(), EvaluationError> {
        problem.derivatives(tau, x, self.stage_mut(0))?;
        self.evaluate_rest(problem, tau, h, x)
    }

    /// Evaluates all stages but the first, which does not depend on the step size.
    pub fn evaluate_rest(&mut self, problem: &mut Problem, tau: f64, h: f64, x: &[f64]) -> Result<(), EvaluationError> {
        for (i, (row, c)) in self.tableau.a.iter().zip(self.tableau.c).enumerate().skip(1) {
            self.x.copy_from_slice(x);
            let (known, next) = self.k.split_at_mut(i * x.len());
            add(row, known, h, &mut self.x);
            problem.derivatives(tau + c * h, &self.x, &mut next[..x.len()])?;
        }
        Ok(())
    }

    /// Returns the derivatives of stage `i`; stage 0 is the start of the step.
    pub fn stage(&self, i: usize) -> &[f64] {
        &self.k[i * self.x.len()..][..self.x.len()]
    }

    /// Room for stage derivatives `i`.
    pub fn stage_mut(&mut self, i: usize) -> &mut [f64] {
        &mut self.k[i * self.x.len()..][..self.x.len()]
    }

    /// Makes the last stage derivatives the first ones.
    pub fn keep_last(&mut self) {
        let last = self.k.len() - self.x.len();
        self.k.copy_within(last.., 0);
    }

    /// `x += h Σ weight_i k_i`.
    pub fn add(&self, weights: &[f64], h: f64, x: &mut [f64]) {
        add(weights, &self.k, h, x);
    }
}

/// `x += h Σ weight_i k_i`, with the vectors `k_i` one behind the other.
pub(crate) fn add(weights: &[f64], k: &[f64], h: f64, x: &mut [f64]) {
    for (weight, k) in weights.iter().zip(k.chunks_exact(x.len().max(1))) {
        for (x, k) in x.iter_mut().zip(k) {
            *x += h * weight * k;
        }
    }
}
