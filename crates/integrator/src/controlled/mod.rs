//! Methods that choose their internal steps by an error estimate. A method only tries a step ([`Embedded::attempt`]); [`advance`]
//! accepts or rejects it, and [`StepControl`] owns time and step size.

mod dense;
mod dopri5;
mod rkf45;
mod step_control;

pub(crate) use dense::{AcceptedStep, Dense, hermite};
pub(crate) use dopri5::Dopri5;
pub(crate) use rkf45::Rkf45;
pub(crate) use step_control::StepControl;

use crate::{EvaluationError, Failure, Problem};

/// The next step is this part of the longest step that is likely to be accepted.
const SAFETY: f64 = 0.9;

/// A method whose steps carry an estimate of their error.
pub(crate) trait Embedded {
    /// Order `p` of the estimate: the error of a step shrinks like `h^(p + 1)`.
    fn order(&self) -> u32;

    /// Computes the derivatives at the start, `x` at time 0 since the start of the step.
    fn start(&mut self, problem: &mut Problem, x: &[f64]) -> Result<(), EvaluationError>;

    /// The derivatives at the start.
    fn slope(&self) -> &[f64];

    /// Tries a step of `h` seconds from `x` at `tau` to `next`. Returns the norm of its error; the step is acceptable up to 1.
    fn attempt(&mut self, problem: &mut Problem, tau: f64, h: f64, x: &[f64], next: &mut [f64]) -> Result<f64, Rejection>;

    /// Prepares the next step, which starts from `x` at `tau`, after an acceptable attempt. If this fails, the attempt is
    /// rejected after all, and the method must still be able to try a smaller step.
    fn proceed(&mut self, problem: &mut Problem, tau: f64, x: &[f64]) -> Result<(), EvaluationError>;

    /// Returns the factor by which to change the step size `h` \[s\] after an attempt whose error has this norm: `0.9 error^(-1 /
    /// (p + 1))`.
    fn factor(&mut self, _h: f64, error: f64) -> f64 {
        proposal(self.order(), error)
    }
}

/// Returns the factor by which to change the step size after an error of this norm, estimated with this order.
pub(crate) fn proposal(order: u32, error: f64) -> f64 {
    SAFETY * error.powf(-1.0 / f64::from(order + 1))
}

/// Why an attempt has no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rejection {
    /// Newton's iteration did not converge.
    NotConverged,
    /// The right-hand side has no value.
    Evaluation(EvaluationError),
}

impl From<EvaluationError> for Rejection {
    fn from(error: EvaluationError) -> Self {
        Self::Evaluation(error)
    }
}

/// Starts a method.
pub(crate) fn start(method: &mut dyn Embedded, problem: &mut Problem, x: &[f64]) -> Result<StepControl, Failure> {
    method.start(problem, x).map_err(Failure::at(0.0))?;
    StepControl::new(problem, method.order(), x, method.slope())
}

/// Makes one internal step, with as many attempts as necessary: from `x` to `next`, which are then swapped.
pub(crate) fn advance(
    method: &mut dyn Embedded,
    control: &mut StepControl,
    problem: &mut Problem,
    x: &mut Vec<f64>,
    next: &mut Vec<f64>,
) -> Result<(), Failure> {
    loop {
        let (tau, h) = (control.tau, control.h);
        let mut outcome = method.attempt(problem, tau, h, x, next);
        if matches!(outcome, Ok(error) if error <= 1.0)
            && !control.reaches_end()
            && let Err(error) = method.proceed(problem, control.target(), next)
        {
            outcome = Err(error.into());
        }
        match outcome {
            Ok(error) => {
                if control.accepts(problem, error, method.factor(h, error))? {
                    std::mem::swap(x, next);
                    return problem.took_step(tau, x);
                }
            }
            Err(rejection) => control.rejects(problem, rejection)?,
        }
    }
}

/// Advances the states `x` over the whole step.
pub(crate) fn integrate(method: &mut dyn Embedded, problem: &mut Problem, x: &mut [f64]) -> Result<(), Failure> {
    let mut control = start(method, problem, x)?;
    let (mut now, mut next) = (x.to_vec(), x.to_vec());
    while !control.is_done() {
        let outcome = advance(method, &mut control, problem, &mut now, &mut next);
        x.copy_from_slice(&now);
        outcome?;
    }
    Ok(())
}
