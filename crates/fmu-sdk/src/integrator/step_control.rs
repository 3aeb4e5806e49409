//! Internal steps chosen by an estimate of their error.

use super::{
    failure::Failure,
    grid::MAX_STEPS,
    problem::{Problem, Settings},
};

/// The next step is this part of the one that would just be accepted.
const SAFETY: f64 = 0.9;
/// By how much the step may change at once.
const CHANGE: [f64; 2] = [0.2, 5.0];
/// Steps are not smaller than this part of the communication step.
pub(super) const SMALLEST: f64 = 1e-12;

/// Accepts and rejects internal steps, and proposes their size: `h (1 / error)^(1 / (p + 1))` with a safety factor, where `p` is the order
/// of the error estimate and `error` its norm, `sqrt(mean((e_i / (rtol max(|x_i|, |y_i|) + atol))²))` for a step from `x` to `y`.
///
/// Source: E. Hairer, S. P. Nørsett, G. Wanner, Solving Ordinary Differential Equations I, 1993, II.4, doi 10.1007/978-3-540-78862-1.
pub(super) struct StepControl {
    /// How much of the communication step is done \[s\].
    pub tau: f64,
    /// The step to be tried \[s\]; the last one ends where the communication step does.
    pub h: f64,
    end: f64,
    exponent: f64,
    tried: u32,
}

impl StepControl {
    /// A control for an estimate of order `order`, whose first step is found from the derivatives `dx` at the start and those
    /// after a small step of Euler's method.
    pub fn new(problem: &mut Problem, order: u32, x: &[f64], dx: &[f64]) -> Self {
        let exponent = 1.0 / f64::from(order + 1);
        let h = first_step(problem, exponent, x, dx).min(problem.h);
        Self { tau: 0.0, h, end: problem.h, exponent, tried: 0 }
    }

    /// Whether the communication step is done.
    pub fn is_done(&self) -> bool {
        self.tau >= self.end
    }

    /// Judges the step that was tried by the norm of its error, and proposes the next one.
    pub fn accepts(&mut self, problem: &mut Problem, error: f64) -> Result<bool, Failure> {
        self.tried += 1;
        let accepted = error <= 1.0;
        if accepted {
            self.tau = if self.h >= self.end - self.tau { self.end } else { self.tau + self.h };
        } else {
            problem.work.n_rejected = problem.work.n_rejected.saturating_add(1);
        }
        let left = self.end - self.tau;
        self.h *= factor(error, self.exponent).min(if accepted { CHANGE[1] } else { 1.0 });
        if !accepted && self.h < SMALLEST * self.end {
            return Err(Failure::StepTooSmall { tau: self.tau, step: SMALLEST * self.end });
        }
        if self.tried == MAX_STEPS && left > 0.0 {
            return Err(Failure::TooManySteps { tau: self.tau, limit: MAX_STEPS });
        }
        self.h = if self.h >= left * (1.0 - SMALLEST) { left } else { self.h };
        Ok(accepted)
    }
}

/// By which factor the step changes after an error of this norm, which may be no number.
fn factor(error: f64, exponent: f64) -> f64 {
    let [least, most] = CHANGE;
    if error.is_finite() { (SAFETY * error.powf(-exponent)).clamp(least, most) } else { least }
}

/// A first step whose error is likely to be small: it changes states and derivatives by about a hundredth of the tolerance's scale.
fn first_step(problem: &mut Problem, exponent: f64, x: &[f64], dx: &[f64]) -> f64 {
    let settings = problem.settings;
    let size = |v: &[f64]| norm(&settings, v, x, x);
    let (states, slopes) = (size(x), size(dx));
    let guess = if states > 1e-5 && slopes > 1e-5 { 0.01 * states / slopes } else { 1e-6 };
    let guess = if guess.is_finite() { guess.min(problem.h) } else { problem.h };
    let ahead: Vec<_> = x.iter().zip(dx).map(|(x, dx)| x + guess * dx).collect();
    let mut bend = vec![0.0; x.len()];
    problem.derivatives(guess, &ahead, &mut bend);
    bend.iter_mut().zip(dx).for_each(|(bend, dx)| *bend = (*bend - dx) / guess);
    let largest = slopes.max(size(&bend));
    let step = if largest > 1e-15 { (0.01 / largest).powf(exponent) } else { f64::max(1e-6, 1e-3 * guess) };
    if step.is_finite() { step.min(100.0 * guess) } else { guess }
}

/// Norm of the error `e` of a step from `x` to `y`, as told at [`StepControl`].
pub(super) fn norm(settings: &Settings, e: &[f64], x: &[f64], y: &[f64]) -> f64 {
    let weight = |x: f64, y: f64| settings.relative_tolerance * x.abs().max(y.abs()) + settings.absolute_tolerance;
    let sum: f64 = e.iter().zip(x).zip(y).map(|((e, x), y)| (e / weight(*x, *y)).powi(2)).sum();
    (sum / e.len() as f64).sqrt()
}
