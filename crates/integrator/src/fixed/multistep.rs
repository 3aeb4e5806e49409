//! Linear multistep methods with fixed steps: derivatives of past steps instead of stages.

use super::{
    FixedStep,
    grid::Grid,
    rk4::RK4,
    runge_kutta::{Stages, add},
};
use crate::{EvaluationError, Failure, Problem};

/// An Adams–Bashforth method by its weights: of the derivatives at the start of this step, of the step before, and so on.
///
/// ```text
/// x(t + h) = x + h Σ w_j f(t - j h, x(t - j h))
/// ```
///
/// The classic Runge–Kutta method makes the first internal steps, for which too few derivatives are known. It makes all internal
/// steps if there are no others.
///
/// Source: F. Bashforth, J. C. Adams, An Attempt to Test the Theories of Capillary Action, 1883; E. Hairer, S. P. Nørsett, G.
/// Wanner, Solving Ordinary Differential Equations I, 1993, III.1, doi 10.1007/978-3-540-78862-1.
pub(crate) struct AdamsBashforth {
    pub weights: &'static [f64],
}

impl FixedStep for AdamsBashforth {
    fn integrate(&self, problem: &mut Problem, x: &mut [f64]) -> Result<(), Failure> {
        let grid = Grid::of(problem)?;
        let mut past = Past::new(self.weights.len(), x.len());
        let mut start = Start::new(x.len());
        for i in 0..grid.n {
            let (tau, h) = (grid.tau(i), grid.step());
            if i as usize + 1 < self.weights.len() {
                past.push(start.step(problem, tau, h, x).map_err(Failure::at(tau))?);
            } else {
                problem.derivatives(tau, x, past.push_empty()).map_err(Failure::at(tau))?;
                past.add(self.weights, h, x);
            }
            problem.took_step(tau, x)?;
        }
        Ok(())
    }
}

/// The first internal steps, for which too few derivatives are known.
pub(crate) struct Start {
    stages: Stages<'static>,
}

impl Start {
    pub fn new(n_states: usize) -> Self {
        Self { stages: Stages::new(&RK4, n_states) }
    }

    /// Makes one step of the classic Runge–Kutta method; returns the derivatives at its start.
    pub fn step(&mut self, problem: &mut Problem, tau: f64, h: f64, x: &mut [f64]) -> Result<&[f64], EvaluationError> {
        self.stages.evaluate(problem, tau, h, x)?;
        self.stages.add(RK4.b, h, x);
        Ok(self.stages.stage(0))
    }
}

/// The derivatives or states of the last few steps, the latest first.
pub(crate) struct Past {
    values: Vec<f64>,
    n_states: usize,
}

impl Past {
    /// Allocates `length` vectors.
    pub fn new(length: usize, n_states: usize) -> Self {
        Self { values: vec![0.0; length * n_states], n_states }
    }

    pub fn push(&mut self, values: &[f64]) {
        self.push_empty().copy_from_slice(values);
    }

    /// Discards the oldest vector, and returns the memory for a new one.
    pub fn push_empty(&mut self) -> &mut [f64] {
        self.values.rotate_right(self.n_states);
        &mut self.values[..self.n_states]
    }

    /// Returns the vector that was pushed `age` pushes before the last.
    pub fn get(&self, age: usize) -> &[f64] {
        &self.values[age * self.n_states..][..self.n_states]
    }

    /// Computes `x += h Σ weight_i value_i`, the latest first.
    pub fn add(&self, weights: &[f64], h: f64, x: &mut [f64]) {
        add(weights, &self.values, h, x);
    }
}
