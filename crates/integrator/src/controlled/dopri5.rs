//! The method of Dormand and Prince.

use super::{AcceptedStep, Dense, Embedded, Rejection};
use crate::{
    EvaluationError, Problem, Settings,
    fixed::{Stages, Tableau},
};

/// Order 5 with step control: the difference from an embedded result of order 4 estimates the error of a step, and the better
/// result is kept. The last of the seven stages is the first one of the next step, so a step costs six evaluations.
///
/// Dense output of order 4, with `θ` the part of the step and stages `k_i`:
///
/// ```text
/// x(t + θ h) = x + θ (r_1 + (1 - θ) (r_2 + θ (r_3 + (1 - θ) r_4)))
/// r_1 = x(t + h) - x        r_2 = h k_1 - r_1        r_3 = r_1 - h k_7 - r_2        r_4 = h Σ d_i k_i
/// ```
///
/// Source: J. R. Dormand, P. J. Prince, A Family of Embedded Runge-Kutta Formulae, Journal of Computational and Applied
/// Mathematics 6 (1980), doi 10.1016/0771-050X(80)90013-3; the dense output is that of the program DOPRI5: E. Hairer, S. P.
/// Nørsett, G. Wanner, Solving Ordinary Differential Equations I, 1993, II.6, doi 10.1007/978-3-540-78862-1.
pub(crate) struct Dopri5 {
    stages: Stages<'static>,
    /// Whether the stages belong to an accepted step: its last stage is the first of the next step.
    is_accepted: bool,
    error: Vec<f64>,
}

/// The seven stages. The last row has the weights of order 5: the last stage is evaluated at the result.
static STAGES: Tableau = Tableau {
    a: &[
        &[],
        &[1.0 / 5.0],
        &[3.0 / 40.0, 9.0 / 40.0],
        &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
        &[19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0],
        &[9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0],
        &WEIGHTS,
    ],
    b: &WEIGHTS,
    c: &[0.0, 1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0, 1.0],
};

const WEIGHTS: [f64; 6] = [35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0];

/// The weights of order 5 minus those of order 4.
const ERROR: [f64; 7] = [71.0 / 57600.0, 0.0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0];

/// `d_i` of the dense output.
const DENSE: [f64; 7] = [
    -12715105075.0 / 11282082432.0,
    0.0,
    87487479700.0 / 32700410799.0,
    -10690763975.0 / 1880347072.0,
    701980252875.0 / 199316789632.0,
    -1453857185.0 / 822651844.0,
    69997945.0 / 29380423.0,
];

impl Dopri5 {
    pub fn new(n_states: usize) -> Self {
        Self { stages: Stages::new(&STAGES, n_states), is_accepted: false, error: vec![0.0; n_states] }
    }

    /// Restarts from states with these derivatives.
    pub fn start_with(&mut self, slope: &[f64]) {
        self.stages.stage_mut(0).copy_from_slice(slope);
        self.is_accepted = false;
    }

    /// Returns the derivatives at the end of the last step.
    pub fn last_slope(&self) -> &[f64] {
        self.stages.stage(6)
    }

    /// Returns an estimate of `h |λ|` for the eigenvalue `λ` of `df/dx` with the largest modulus, from the last two stages, which
    /// are both at the end of the step: `h |k_7 - k_6| / |x_7 - x_6|`. The method is stable up to about 3.3. The norm is that of
    /// the error: it weights each state with its own size, so the estimate is independent of units.
    ///
    /// Source: E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, 1996, IV.2, doi 10.1007/978-3-642-05221-7.
    pub fn stiffness(&mut self, settings: &Settings, h: f64, x: &[f64], next: &[f64]) -> f64 {
        self.error.copy_from_slice(x);
        self.stages.add(STAGES.a[5], h, &mut self.error);
        self.error.iter_mut().zip(next).for_each(|(sixth, seventh)| *sixth = seventh - *sixth);
        let states = settings.norm(&self.error, x, next);
        let slopes = self.stages.stage(6).iter().zip(self.stages.stage(5));
        self.error.iter_mut().zip(slopes).for_each(|(difference, (seventh, sixth))| *difference = seventh - sixth);
        let slopes = settings.norm(&self.error, x, next);
        if states > 0.0 { h * slopes / states } else { 0.0 }
    }
}

impl Embedded for Dopri5 {
    fn order(&self) -> u32 {
        4
    }

    fn start(&mut self, problem: &mut Problem, x: &[f64]) -> Result<(), EvaluationError> {
        problem.derivatives(0.0, x, self.stages.stage_mut(0))
    }

    fn slope(&self) -> &[f64] {
        self.stages.stage(0)
    }

    fn attempt(&mut self, problem: &mut Problem, tau: f64, h: f64, x: &[f64], next: &mut [f64]) -> Result<f64, Rejection> {
        if self.is_accepted {
            self.stages.keep_last();
            self.is_accepted = false;
        }
        self.stages.evaluate_rest(problem, tau, h, x)?;
        next.copy_from_slice(x);
        self.stages.add(STAGES.b, h, next);
        self.error.fill(0.0);
        self.stages.add(&ERROR, h, &mut self.error);
        Ok(problem.settings.norm(&self.error, x, next))
    }

    fn proceed(&mut self, _: &mut Problem, _: f64, _: &[f64]) -> Result<(), EvaluationError> {
        self.is_accepted = true;
        Ok(())
    }
}

impl Dense for Dopri5 {
    fn interpolate(&self, step: &AcceptedStep, theta: f64, x: &mut [f64]) {
        x.fill(0.0);
        self.stages.add(&DENSE, step.h, x);
        let (first, last) = (self.stages.stage(0), self.stages.stage(6));
        for (i, x) in x.iter_mut().enumerate() {
            let change = step.next[i] - step.x[i];
            let bend = step.h * first[i] - change;
            let rest = change - step.h * last[i] - bend;
            *x = step.x[i] + theta * (change + (1.0 - theta) * (bend + theta * (rest + (1.0 - theta) * *x)));
        }
    }
}
