//! Explicit Runge–Kutta methods with fixed steps.

use super::{failure::Failure, method::Method, problem::Problem};

/// An explicit Runge–Kutta method by its Butcher tableau. With stage derivatives `k_i`,
///
/// ```text
/// k_i      = f(t + c_i h, x + h Σ_(j < i) a_ij k_j)
/// x(t + h) = x + h Σ b_i k_i
/// ```
///
/// Source: J. C. Butcher, Numerical Methods for Ordinary Differential Equations, 2016, chapter 3, doi 10.1002/9781119121534.
pub(super) struct Tableau {
    /// Row `i` has the `i` numbers below the diagonal.
    pub a: &'static [&'static [f64]],
    pub b: &'static [f64],
    pub c: &'static [f64],
}

impl Method for Tableau {
    fn integrate(&self, problem: &mut Problem, x: &mut [f64]) -> Result<(), Failure> {
        let grid = problem.grid()?;
        let mut stages = Stages::new(self, x.len());
        for i in 0..grid.n {
            stages.evaluate_first(problem, grid.tau(i), x);
            stages.evaluate_rest(problem, grid.tau(i), grid.step(), x);
            stages.add(self.b, grid.step(), x);
            problem.took_step(grid.tau(i), x)?;
        }
        Ok(())
    }
}

/// The stage derivatives of one step, and room to compute them.
pub(super) struct Stages<'a> {
    tableau: &'a Tableau,
    k: Vec<f64>,
    x: Vec<f64>,
}

impl<'a> Stages<'a> {
    pub fn new(tableau: &'a Tableau, n_states: usize) -> Self {
        Self { tableau, k: vec![0.0; tableau.c.len() * n_states], x: vec![0.0; n_states] }
    }

    /// The first one: the derivatives at the start of the step, which hold for every step size.
    pub fn evaluate_first(&mut self, problem: &mut Problem, tau: f64, x: &[f64]) {
        problem.derivatives(tau, x, &mut self.k[..x.len()]);
    }

    /// The others, for a step of `h` seconds.
    pub fn evaluate_rest(&mut self, problem: &mut Problem, tau: f64, h: f64, x: &[f64]) {
        for (i, (row, c)) in self.tableau.a.iter().zip(self.tableau.c).enumerate().skip(1) {
            self.x.copy_from_slice(x);
            let (known, next) = self.k.split_at_mut(i * x.len());
            add(row, known, h, &mut self.x);
            problem.derivatives(tau + c * h, &self.x, &mut next[..x.len()]);
        }
    }

    /// The derivatives at the start of the step.
    pub fn first(&self) -> &[f64] {
        &self.k[..self.x.len()]
    }

    /// `x += h Σ weight_i k_i`.
    pub fn add(&self, weights: &[f64], h: f64, x: &mut [f64]) {
        add(weights, &self.k, h, x);
    }
}

/// `x += h Σ weight_i k_i`, with the vectors `k_i` one behind the other.
pub(super) fn add(weights: &[f64], k: &[f64], h: f64, x: &mut [f64]) {
    for (weight, k) in weights.iter().zip(k.chunks_exact(x.len())) {
        for (x, k) in x.iter_mut().zip(k) {
            *x += h * weight * k;
        }
    }
}
