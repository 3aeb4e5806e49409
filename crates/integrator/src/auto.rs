//! The automatic choice between an explicit and an implicit method.

use crate::{
    EvaluationError, Problem,
    controlled::{AcceptedStep, Dense, Dopri5, Embedded, Rejection},
    implicit::Radau5,
};

/// `dopri5` for equations that are not stiff, `radau5` for stiff ones. Each communication step starts with `dopri5`.
///
/// - To `radau5`, at the stability limit: the estimate `h |λ|` of `dopri5` exceeds [`LIMIT`] in [`STIFF_ATTEMPTS`] attempts, with
///   fewer than [`CALM_STEPS`] accepted steps in a row in between in which it does not.
/// - To `radau5`, before that limit: at tight tolerances, the components that should have decayed keep the step of `dopri5` below
///   it. After [`PATIENCE`] steps with `h |λ|` above [`SUSPECT`], `radau5` tries a step that is [`GAIN`] times as long, and takes
///   over if its error is acceptable. If it is not, the next trial waits twice as long.
/// - Back to `dopri5`: with the step of `radau5` it would be stable. `h ρ` is at most [`STABLE`] in [`CALM_STEPS`] accepted steps
///   in a row, where `ρ` is an upper bound of the spectral radius of the Jacobian matrix.
///
/// Sources: E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, 1996, IV.2 (program DOPRI5), doi
/// 10.1007/978-3-642-05221-7, for the limit; L. Petzold, Automatic Selection of Methods for Solving Stiff and Nonstiff Systems of
/// Ordinary Differential Equations, SIAM Journal on Scientific and Statistical Computing 4 (1983), doi 10.1137/0904010, for the
/// comparison of step sizes and its factor of 5.
pub(crate) struct Auto {
    explicit: Dopri5,
    implicit: Radau5,
    /// Whether `radau5` makes the next step.
    pub is_stiff: bool,
    /// Whether it made the last attempt.
    was_stiff: bool,
    /// `h |λ|` or `h ρ` of the last attempt.
    stiffness: f64,
    n_stiff: u32,
    n_calm: u32,
    trial: Trial,
}

/// Just inside the domain in which `dopri5` is stable, along the negative real axis.
const LIMIT: f64 = 3.25;
/// Attempts at the limit after which equations count as stiff.
const STIFF_ATTEMPTS: u32 = 3;
/// Accepted steps in a row away from it after which they do not.
const CALM_STEPS: u32 = 6;
/// Below this `dopri5` is stable with a step that is twice as large.
const STABLE: f64 = 1.5;
/// Above this a step of `radau5` that is [`GAIN`] times as long is not [`STABLE`] for `dopri5`.
const SUSPECT: f64 = 0.5;
/// Suspect steps before the first trial.
const PATIENCE: u32 = 30;
/// Suspect steps before any trial, at most: a trial then costs about one hundredth of the steps.
const MOST_PATIENCE: u32 = 240;
/// How much longer than a step of `dopri5` one of `radau5` must be to pay.
const GAIN: f64 = 5.0;

/// When `radau5` tries a longer step.
struct Trial {
    n_suspect: u32,
    patience: u32,
    /// Whether the last attempt had a trial that succeeded.
    succeeded: bool,
    /// Room for its result.
    next: Vec<f64>,
}

impl Trial {
    fn new(n: usize) -> Self {
        Self { n_suspect: 0, patience: PATIENCE, succeeded: false, next: vec![0.0; n] }
    }

    /// Counts an acceptable step of `dopri5`. Returns whether a trial is due.
    fn is_due(&mut self, stiffness: f64) -> bool {
        self.n_suspect += u32::from(stiffness > SUSPECT);
        self.n_suspect >= self.patience
    }

    fn end(&mut self, succeeded: bool) {
        self.succeeded = succeeded;
        self.n_suspect = 0;
        self.patience = if succeeded { PATIENCE } else { MOST_PATIENCE.min(2 * self.patience) };
    }
}

impl Auto {
    pub fn new(n: usize) -> Self {
        Self {
            explicit: Dopri5::new(n),
            implicit: Radau5::new(n),
            is_stiff: false,
            was_stiff: false,
            stiffness: 0.0,
            n_stiff: 0,
            n_calm: 0,
            trial: Trial::new(n),
        }
    }

    fn active(&mut self) -> &mut dyn Embedded {
        if self.is_stiff { &mut self.implicit } else { &mut self.explicit }
    }

    /// Has `radau5` try a step of `h` seconds from where the last attempt started.
    fn try_implicit(&mut self, problem: &mut Problem, tau: f64, h: f64, x: &[f64]) -> Result<(), EvaluationError> {
        self.implicit.start_with(self.explicit.slope());
        let outcome = self.implicit.attempt(problem, tau, h, x, &mut self.trial.next);
        self.trial.end(matches!(outcome, Ok(error) if error <= 1.0));
        match outcome {
            Err(Rejection::Evaluation(EvaluationError::Failed)) => Err(EvaluationError::Failed),
            _ => Ok(()),
        }
    }

    /// Judges an attempt, and changes the method.
    fn choose(&mut self, is_accepted: bool) {
        let is_calm = self.stiffness <= if self.is_stiff { STABLE } else { LIMIT };
        self.n_stiff += u32::from(!is_calm);
        self.n_calm = if is_calm { self.n_calm + u32::from(is_accepted) } else { 0 };
        if self.n_calm >= CALM_STEPS {
            self.n_stiff = 0;
        }
        let pays = std::mem::take(&mut self.trial.succeeded);
        if self.is_stiff && self.n_calm >= CALM_STEPS {
            self.explicit.start_with(self.implicit.slope());
            (self.is_stiff, self.n_calm, self.n_stiff) = (false, 0, 0);
        } else if !self.is_stiff && (pays || self.n_stiff >= STIFF_ATTEMPTS) {
            let slope = if is_accepted { self.explicit.last_slope() } else { self.explicit.slope() };
            self.implicit.start_with(slope);
            (self.is_stiff, self.n_calm, self.n_stiff) = (true, 0, 0);
        }
    }
}

impl Embedded for Auto {
    fn order(&self) -> u32 {
        if self.is_stiff { self.implicit.order() } else { self.explicit.order() }
    }

    fn start(&mut self, problem: &mut Problem, x: &[f64]) -> Result<(), EvaluationError> {
        self.explicit.start(problem, x)
    }

    fn slope(&self) -> &[f64] {
        self.explicit.slope()
    }

    fn attempt(&mut self, problem: &mut Problem, tau: f64, h: f64, x: &[f64], next: &mut [f64]) -> Result<f64, Rejection> {
        self.was_stiff = self.is_stiff;
        let error = self.active().attempt(problem, tau, h, x, next)?;
        if self.is_stiff {
            self.stiffness = h * self.implicit.spectral_bound();
            return Ok(error);
        }
        self.stiffness = self.explicit.stiffness(&problem.settings, h, x, next);
        if error <= 1.0 && self.trial.is_due(self.stiffness) && tau + GAIN * h <= problem.h {
            self.try_implicit(problem, tau, GAIN * h, x)?;
        }
        Ok(error)
    }

    fn proceed(&mut self, problem: &mut Problem, tau: f64, x: &[f64]) -> Result<(), EvaluationError> {
        self.active().proceed(problem, tau, x)
    }

    fn factor(&mut self, h: f64, error: f64) -> f64 {
        let factor = self.active().factor(h, error);
        self.choose(error <= 1.0);
        factor
    }
}

impl Dense for Auto {
    fn interpolate(&self, step: &AcceptedStep, theta: f64, x: &mut [f64]) {
        if self.was_stiff { self.implicit.interpolate(step, theta, x) } else { self.explicit.interpolate(step, theta, x) }
    }
}
