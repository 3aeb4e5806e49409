//! A method that chooses between an explicit and an implicit one.

use crate::{
    EvaluationError, Problem,
    controlled::{AcceptedStep, Dense, Dopri5, Embedded, Rejection},
    implicit::Radau5,
};

/// `dopri5` where equations are not stiff, `radau5` where they are. Each step starts with `dopri5`.
///
/// - Stiff: the step size is bound by stability, not by the tolerance. That is so if the estimate `h |λ|` of the last two stages of `dopri5`
///   exceeds [`BOUND`] in [`STIFF_STEPS`] steps, without [`CALM_STEPS`] steps in between in which it does not.
/// - Not stiff any more: `dopri5` would be stable with the steps of `radau5`, because `h ρ` is less than [`STABLE`] for [`CALM_STEPS`] steps, with an
///   upper bound of the spectral radius `ρ` of the Jacobian matrix.
///
/// Source: E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, 1996, IV.2 (program DOPRI5), doi 10.1007/978-3-642-05221-7.
pub(crate) struct Auto {
    explicit: Dopri5,
    implicit: Radau5,
    /// Which one makes the next step.
    is_stiff: bool,
    /// Which one made the last attempt.
    was_stiff: bool,
    /// `h |λ|` of the last attempt.
    stiffness: f64,
    n_stiff: u32,
    n_calm: u32,
}

/// Just inside the domain in which `dopri5` is stable, along the negative real axis.
const BOUND: f64 = 3.25;
/// Steps at the bound after which equations count as stiff.
const STIFF_STEPS: u32 = 3;
/// Steps away from it after which they do not.
const CALM_STEPS: u32 = 6;
/// Below this `dopri5` is stable with a step that is twice as large.
const STABLE: f64 = 1.5;

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
        }
    }

    fn active(&mut self) -> &mut dyn Embedded {
        if self.is_stiff { &mut self.implicit } else { &mut self.explicit }
    }

    /// Judges an attempt, and changes the method.
    fn choose(&mut self, is_accepted: bool) {
        let is_calm = self.stiffness <= if self.is_stiff { STABLE } else { BOUND };
        self.n_stiff += u32::from(!is_calm);
        self.n_calm = if is_calm { self.n_calm + u32::from(is_accepted) } else { 0 };
        if self.n_calm >= CALM_STEPS {
            self.n_stiff = 0;
        }
        if self.is_stiff && self.n_calm >= CALM_STEPS {
            self.explicit.start_with(self.implicit.slope());
            (self.is_stiff, self.n_calm, self.n_stiff) = (false, 0, 0);
        } else if !self.is_stiff && self.n_stiff >= STIFF_STEPS {
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
        self.stiffness = if self.is_stiff { h * self.implicit.spectral_bound() } else { self.explicit.stiffness(h, x, next) };
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
