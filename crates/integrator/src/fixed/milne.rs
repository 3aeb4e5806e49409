//! Milne's predictor and corrector.

use super::{
    FixedStep,
    grid::Grid,
    multistep::{Past, Start},
    runge_kutta::add,
};
use crate::{EvaluationError, Failure, Problem};

/// Order 4. With derivatives `f_j` and states `x_j` of `j` steps ago,
///
/// ```text
/// predictor  p        = x_3 + 4 h (2 f_0 - f_1 + 2 f_2) / 3
/// corrector  x(t + h) = x_1 + h (f(t + h, p) + 4 f_0 + f_1) / 3
/// ```
///
/// The corrector, Simpson's rule, is applied twice, the second time to its own result. The error of the predictor is thirty times
/// that of the corrector, and only the second application makes it negligible. The method damps nothing: if states decay, errors
/// grow slowly in the long run. The classic Runge–Kutta method makes the first three internal steps.
///
/// Source: W. E. Milne, Numerical Integration of Ordinary Differential Equations, American Mathematical Monthly 33 (1926), doi
/// 10.1080/00029890.1926.11986619.
pub(crate) struct Milne;

const PREDICTOR: [f64; 3] = [8.0 / 3.0, -4.0 / 3.0, 8.0 / 3.0];
/// Weights of the predicted derivative, then of the known ones.
const CORRECTOR: [f64; 3] = [1.0 / 3.0, 4.0 / 3.0, 1.0 / 3.0];
/// How often the corrector is applied.
const CORRECTIONS: u32 = 2;
/// Steps made before the first of the method.
const STARTING_STEPS: u32 = 3;

impl FixedStep for Milne {
    fn integrate(&self, problem: &mut Problem, x: &mut [f64]) -> Result<(), Failure> {
        let grid = Grid::of(problem)?;
        let (mut known, mut start) = (Known::new(x.len()), Start::new(x.len()));
        for i in 0..grid.n {
            let (tau, h) = (grid.tau(i), grid.step());
            known.states.push(x);
            let outcome = if i < STARTING_STEPS {
                start.step(problem, tau, h, x).map(|slope| known.derivatives.push(slope))
            } else {
                known.step(problem, [tau, grid.tau(i + 1)], h, x)
            };
            outcome.map_err(Failure::at(tau))?;
            problem.took_step(tau, x)?;
        }
        Ok(())
    }
}

/// States and derivatives of past steps, and memory for the predicted derivatives.
struct Known {
    states: Past,
    derivatives: Past,
    slope: Vec<f64>,
}

impl Known {
    fn new(n_states: usize) -> Self {
        Self { states: Past::new(4, n_states), derivatives: Past::new(3, n_states), slope: vec![0.0; n_states] }
    }

    /// Applies predictor and corrector to a step of `h` seconds between these times.
    fn step(&mut self, problem: &mut Problem, [from, to]: [f64; 2], h: f64, x: &mut [f64]) -> Result<(), EvaluationError> {
        problem.derivatives(from, x, self.derivatives.push_empty())?;
        x.copy_from_slice(self.states.get(3));
        self.derivatives.add(&PREDICTOR, h, x);
        for _ in 0..CORRECTIONS {
            problem.derivatives(to, x, &mut self.slope)?;
            x.copy_from_slice(self.states.get(1));
            self.derivatives.add(&CORRECTOR[1..], h, x);
            add(&CORRECTOR[..1], &self.slope, h, x);
        }
        Ok(())
    }
}
