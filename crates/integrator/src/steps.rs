//! Internal steps one by one.

use crate::{
    Failure, Problem,
    controlled::{self, AcceptedStep, Dense, StepControl},
};

/// A step whose internal steps the caller makes one by one, with the states in between: to locate events, for output at times of
/// its own, or to do something after each internal step. [`Method::steps`](crate::Method::steps) starts it.
///
/// ```
/// use integrator::{Method, Problem, Settings, Time, Work};
///
/// let mut circle = |_: Time, x: &[f64], dx: &mut [f64]| {
///     (dx[0], dx[1]) = (x[1], -x[0]);
///     Ok(())
/// };
/// let mut work = Work::default();
/// let mut problem = Problem::new(&mut circle, 0.0, 3.0, Settings::default(), &mut work);
/// let mut steps = Method::named("dopri5")?.steps(&mut problem, &[0.0, 1.0])?.expect("this method has dense output");
/// let mut largest = 0.0_f64;
/// while !steps.is_done() {
///     steps.advance(&mut problem)?;
///     let [from, to] = steps.span();
///     let mut x = [0.0; 2];
///     steps.interpolate(0.5 * (from + to), &mut x);
///     largest = largest.max((x[0] - (0.5 * (from + to)).sin()).abs());
/// }
/// assert!(largest < 1e-5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Steps {
    method: Box<dyn Dense>,
    control: StepControl,
    /// Start of the last internal step \[s\].
    from: f64,
    before: Vec<f64>,
    x: Vec<f64>,
}

impl Steps {
    pub(crate) fn start(mut method: Box<dyn Dense>, problem: &mut Problem, x: &[f64]) -> Result<Self, Failure> {
        let control = controlled::start(&mut *method, problem, x)?;
        Ok(Self { method, control, from: 0.0, before: x.to_vec(), x: x.to_vec() })
    }

    /// Makes one internal step. `problem` must be that of the start, or have the same step and right-hand side.
    ///
    /// # Errors
    /// A [`Failure`]; the states are then those after the last internal step that succeeded.
    pub fn advance(&mut self, problem: &mut Problem) -> Result<(), Failure> {
        if self.is_done() {
            return Ok(());
        }
        let from = self.control.tau;
        let outcome = controlled::advance(&mut *self.method, &mut self.control, problem, &mut self.x, &mut self.before);
        self.from = from;
        if outcome.is_err() {
            self.from = self.control.tau;
            self.before.copy_from_slice(&self.x);
        }
        outcome
    }

    /// Returns whether the whole step is done.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.control.is_done()
    }

    /// Returns start and end of the last internal step, since the start of the whole step \[s\]. Before the first internal step,
    /// both are 0.
    #[must_use]
    pub fn span(&self) -> [f64; 2] {
        [self.from, self.control.tau]
    }

    /// Returns the size of the next internal step to be tried \[s\], for [`Settings::first_step`](crate::Settings::first_step) of
    /// an integration that continues from the end of this one.
    #[must_use]
    pub fn next_step(&self) -> f64 {
        self.control.proposal()
    }

    /// Returns the states at the end of the last internal step.
    #[must_use]
    pub fn states(&self) -> &[f64] {
        &self.x
    }

    /// Computes the states `x` at `tau` \[s\] within the last internal step with the dense output of the method. The table at
    /// [`Method`](crate::Method) has its order; both ends are exact. Before the first internal step, `x` has the states at the
    /// start.
    pub fn interpolate(&self, tau: f64, x: &mut [f64]) {
        let [from, to] = self.span();
        if tau >= to {
            x.copy_from_slice(&self.x);
        } else if tau <= from {
            x.copy_from_slice(&self.before);
        } else {
            let h = to - from;
            self.method.interpolate(&AcceptedStep { h, x: &self.before, next: &self.x }, (tau - from) / h, x);
        }
    }
}
