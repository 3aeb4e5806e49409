//! Control of time and internal step size.

use super::Rejection;
use crate::{EvaluationError, Failure, Problem, fixed::MAX_STEPS, work::count};

/// The smallest and the largest factor by which a step may change.
const CHANGE: [f64; 2] = [0.2, 5.0];
/// The factor after Newton's iteration did not converge.
const NOT_CONVERGED: f64 = 0.5;
/// Steps are larger than this part of the time since the start, so that the times of their stages differ, and of the first step.
const SMALLEST: f64 = 16.0 * f64::EPSILON;
/// The smallest first step \[s\]: it is 0 if the norm of the derivatives overflows, and the reciprocal of a step must be finite.
const SMALLEST_FIRST: f64 = 1e-300;
/// A step that would leave less than this part of the rest takes the whole rest.
const REMAINDER: f64 = 1e-12;

/// Accepts and rejects internal steps, and determines the next from the factor that the method proposes.
///
/// Source: E. Hairer, S. P. Nørsett, G. Wanner, Solving Ordinary Differential Equations I, 1993, II.4, doi
/// 10.1007/978-3-540-78862-1.
pub(crate) struct StepControl {
    /// Time since the start of the whole step \[s\].
    pub tau: f64,
    /// The internal step to be tried \[s\]; the last one ends with the whole step.
    pub h: f64,
    /// The first step that was tried \[s\].
    first: f64,
    end: f64,
    tried: u32,
    /// The step that would be tried next if the whole step did not end \[s\].
    proposal: f64,
}

impl StepControl {
    /// Creates the control for an estimate of order `order`. Its first step is that of the settings, or follows from the
    /// derivatives `dx` at the start and those after a small step of Euler's method.
    pub fn new(problem: &mut Problem, order: u32, x: &[f64], dx: &[f64]) -> Result<Self, Failure> {
        let h = match problem.settings.first_step {
            Some(h) if h > 0.0 => h,
            _ if x.is_empty() => problem.h,
            _ => first_step(problem, 1.0 / f64::from(order + 1), x, dx)?,
        };
        let first = h.max(SMALLEST_FIRST).min(problem.h);
        Ok(Self { tau: 0.0, h: first, first, end: problem.h, tried: 0, proposal: h })
    }

    /// Whether the whole step is done.
    pub fn is_done(&self) -> bool {
        self.tau >= self.end
    }

    /// Whether the internal step to be tried is the last one.
    pub fn reaches_end(&self) -> bool {
        self.h >= self.end - self.tau
    }

    /// End of the internal step to be tried \[s\].
    pub fn target(&self) -> f64 {
        if self.reaches_end() { self.end } else { self.tau + self.h }
    }

    /// The step that would be tried next if the whole step did not end \[s\].
    pub fn proposal(&self) -> f64 {
        self.proposal
    }

    /// Accepts or rejects the step that was tried by the norm of its error, and changes the next one by `factor`, within limits.
    pub fn accepts(&mut self, problem: &mut Problem, error: f64, factor: f64) -> Result<bool, Failure> {
        let [least, most] = CHANGE;
        let factor = if error.is_finite() { factor.clamp(least, most) } else { least };
        let accepted = error <= 1.0;
        if accepted {
            self.tried += 1;
            self.tau = self.target();
            // A step that was shortened to end with the whole step is no reason to propose a shorter one.
            let uncut = if self.h < self.proposal { self.proposal } else { 0.0 };
            self.h *= factor;
            self.proposal = self.h.max(uncut);
            self.limit()?;
        } else {
            self.shrink(problem, factor.min(1.0), self.too_small())?;
        }
        Ok(accepted)
    }

    /// Rejects a step that has no result.
    pub fn rejects(&mut self, problem: &mut Problem, rejection: Rejection) -> Result<(), Failure> {
        let tau = self.tau;
        match rejection {
            Rejection::NotConverged => self.shrink(problem, NOT_CONVERGED, self.too_small()),
            Rejection::Evaluation(EvaluationError::Refused) => self.shrink(problem, CHANGE[0], Failure::Refused { tau }),
            Rejection::Evaluation(EvaluationError::Failed) => Err(Failure::Failed { tau }),
        }
    }

    /// The size that steps must exceed \[s\]. It does not depend on the length of the whole step: the transient at its start may
    /// be many orders of magnitude shorter.
    fn smallest(&self) -> f64 {
        SMALLEST * self.tau.max(self.first)
    }

    fn too_small(&self) -> Failure {
        Failure::StepTooSmall { tau: self.tau, step: self.smallest() }
    }

    /// Proposes a smaller step, unless it is too small.
    fn shrink(&mut self, problem: &mut Problem, factor: f64, too_small: Failure) -> Result<(), Failure> {
        self.tried += 1;
        count(&mut problem.work.n_rejected);
        self.h *= factor;
        self.proposal = self.h;
        if self.h <= self.smallest() {
            return Err(too_small);
        }
        self.limit()
    }

    /// Fails after too many attempts; else limits the next step to the rest of the whole step.
    fn limit(&mut self) -> Result<(), Failure> {
        let left = self.end - self.tau;
        if self.tried == MAX_STEPS && left > 0.0 {
            return Err(Failure::TooManySteps { tau: self.tau, limit: MAX_STEPS });
        }
        self.h = if self.h >= left * (1.0 - REMAINDER) { left } else { self.h };
        Ok(())
    }
}

/// Returns a first step whose error is likely to be small: it changes states and derivatives by about a hundredth of the scale of
/// the tolerance.
fn first_step(problem: &mut Problem, exponent: f64, x: &[f64], dx: &[f64]) -> Result<f64, Failure> {
    let settings = problem.settings;
    let size = |v: &[f64]| settings.norm(v, x, x);
    let (states, slopes) = (size(x), size(dx));
    let guess = if states > 1e-5 && slopes > 1e-5 { 0.01 * states / slopes } else { 1e-6 };
    let guess = if guess.is_finite() { guess.min(problem.h) } else { problem.h };
    let ahead: Vec<_> = x.iter().zip(dx).map(|(x, dx)| x + guess * dx).collect();
    let mut bend = vec![0.0; x.len()];
    match problem.derivatives(guess, &ahead, &mut bend) {
        Ok(()) => {}
        Err(EvaluationError::Refused) => return Ok(guess * CHANGE[0]),
        Err(error) => return Err(Failure::at(0.0)(error)),
    }
    bend.iter_mut().zip(dx).for_each(|(bend, dx)| *bend = (*bend - dx) / guess);
    let largest = slopes.max(size(&bend));
    let step = if largest > 1e-15 { (0.01 / largest).powf(exponent) } else { f64::max(1e-6, 1e-3 * guess) };
    Ok(if step.is_finite() { step.min(100.0 * guess) } else { guess })
}
