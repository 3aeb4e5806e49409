//! Partial derivatives of the right-hand side.

use crate::{EvaluationError, Problem, work::count};

/// The matrix `df/dx` by forward differences, row by row:
///
/// ```text
/// J_ij = (f_i(t, x + δ_j e_j) - f_i(t, x)) / δ_j        δ_j = ± sqrt(ε) max(|x_j|, atol_j / rtol)
/// ```
///
/// with the machine precision `ε` and the sign of the time derivative of `x_j`, so that the difference is taken in the direction
/// of the solution. If the right-hand side refuses this evaluation, the other sign is tried.
///
/// Source: E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, 1996, IV.8, doi 10.1007/978-3-642-05221-7.
pub(super) struct Jacobian {
    pub values: Vec<f64>,
    /// Whether the matrix belongs to the states at the start of the next step, not to earlier ones.
    pub is_current: bool,
    beside: Vec<f64>,
    slope: Vec<f64>,
    bound: Option<f64>,
}

impl Jacobian {
    /// Allocates a matrix for `n` states.
    pub fn new(n: usize) -> Self {
        Self { values: vec![0.0; n * n], is_current: false, beside: vec![0.0; n], slope: vec![0.0; n], bound: None }
    }

    /// Evaluates the matrix at `x`, where the derivatives are `dx`.
    pub fn evaluate(&mut self, problem: &mut Problem, tau: f64, x: &[f64], dx: &[f64]) -> Result<(), EvaluationError> {
        let n = x.len();
        count(&mut problem.work.n_jacobians);
        self.beside.copy_from_slice(x);
        for j in 0..n {
            let increment = increment(problem, j, x[j], dx[j]);
            let change = match self.difference(problem, tau, j, increment) {
                Err(EvaluationError::Refused) => self.difference(problem, tau, j, -increment)?,
                outcome => outcome?,
            };
            self.beside[j] = x[j];
            for (i, (beside, here)) in self.slope.iter().zip(dx).enumerate() {
                self.values[i * n + j] = (beside - here) / change;
            }
        }
        self.is_current = true;
        self.bound = None;
        Ok(())
    }

    /// Returns an upper bound of the spectral radius, `|J^8|^(1/8)` with the Frobenius norm. If `J` is normal, the bound is too
    /// large by a factor of at most `n^(1/16)`.
    ///
    /// Source: I. Gelfand, Normierte Ringe, Matematicheskii Sbornik 9 (1941).
    pub fn spectral_bound(&mut self) -> f64 {
        let (values, slope) = (&self.values, self.slope.len());
        *self.bound.get_or_insert_with(|| {
            let mut power = values.clone();
            let mut bound = scale(&mut power);
            for exponent in [0.5, 0.25, 0.125] {
                power = square(&power, slope);
                bound *= scale(&mut power).powf(exponent);
            }
            bound
        })
    }

    /// Evaluates the derivatives with state `j` changed. Returns the change after rounding.
    fn difference(&mut self, problem: &mut Problem, tau: f64, j: usize, increment: f64) -> Result<f64, EvaluationError> {
        let x = self.beside[j];
        self.beside[j] = x + increment;
        let change = self.beside[j] - x;
        let outcome = problem.derivatives(tau, &self.beside, &mut self.slope);
        if outcome.is_err() {
            self.beside[j] = x;
        }
        outcome.map(|()| change)
    }
}

/// Divides a matrix by its Frobenius norm, and returns the norm.
fn scale(matrix: &mut [f64]) -> f64 {
    let norm = matrix.iter().map(|value| value * value).sum::<f64>().sqrt();
    if norm > 0.0 {
        matrix.iter_mut().for_each(|value| *value /= norm);
    }
    norm
}

/// Returns the square of a matrix with `n` rows.
fn square(matrix: &[f64], n: usize) -> Vec<f64> {
    let element = |i, j| (0..n).map(|k| matrix[i * n + k] * matrix[k * n + j]).sum();
    (0..n * n).map(|at| element(at / n, at % n)).collect()
}

/// Returns the change of state `j` for a difference quotient.
fn increment(problem: &Problem, j: usize, x: f64, dx: f64) -> f64 {
    let settings = &problem.settings;
    let least = settings.absolute(j) / settings.relative_tolerance;
    let least = if least.is_finite() && least > 0.0 { least } else { 1.0 };
    f64::EPSILON.sqrt() * x.abs().max(least) * if dx < 0.0 { -1.0 } else { 1.0 }
}
