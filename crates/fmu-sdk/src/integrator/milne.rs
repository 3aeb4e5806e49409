//! Milne's predictor and corrector.

use super::{
    failure::Failure,
    method::Method,
    multistep::{Past, Start},
    problem::Problem,
    runge_kutta::add,
};

/// Order 4. With derivatives `f_j` and states `x_j` of `j` steps ago,
///
/// ```text
/// predictor  p        = x_3 + 4 h (2 f_0 - f_1 + 2 f_2) / 3
/// corrector  x(t + h) = x_1 + h (f(t + h, p) + 4 f_0 + f_1) / 3
/// ```
///
/// The corrector, Simpson's rule, is applied twice, the second time to its own result: the error of the predictor is thirty times that of the
/// corrector, and only then of no account. It is not damped: where states decay, errors grow slowly in the long run. The first three
/// steps of a communication step are made by the classic Runge–Kutta method.
///
/// Source: W. E. Milne, Numerical Integration of Ordinary Differential Equations, American Mathematical Monthly 33 (1926), doi
/// 10.1080/00029890.1926.11986619.
pub(super) struct Milne;

const PREDICTOR: [f64; 3] = [8.0 / 3.0, -4.0 / 3.0, 8.0 / 3.0];
/// Weights of the predicted derivative, then of the known ones.
const CORRECTOR: [f64; 3] = [1.0 / 3.0, 4.0 / 3.0, 1.0 / 3.0];
/// How often the corrector is applied.
const CORRECTIONS: u32 = 2;
/// Steps made before the first of the method.
const STARTING_STEPS: u32 = 3;

impl Method for Milne {
    fn integrate(&self, problem: &mut Problem, x: &mut [f64]) -> Result<(), Failure> {
        let grid = problem.grid()?;
        let (mut states, mut derivatives) = (Past::new(4, x.len()), Past::new(3, x.len()));
        let mut start = Start::new(x.len());
        let mut slope = x.to_vec();
        for i in 0..grid.n {
            let (tau, h) = (grid.tau(i), grid.step());
            states.push(x);
            if i < STARTING_STEPS {
                derivatives.push(start.step(problem, tau, h, x));
            } else {
                problem.derivatives(tau, x, derivatives.push_empty());
                x.copy_from_slice(states.get(3));
                derivatives.add(&PREDICTOR, h, x);
                for _ in 0..CORRECTIONS {
                    problem.derivatives(grid.tau(i + 1), x, &mut slope);
                    x.copy_from_slice(states.get(1));
                    derivatives.add(&CORRECTOR[1..], h, x);
                    add(&CORRECTOR[..1], &slope, h, x);
                }
            }
            problem.took_step(tau, x)?;
        }
        Ok(())
    }
}
