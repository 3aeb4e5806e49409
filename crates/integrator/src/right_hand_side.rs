//! Right-hand sides.

/// The right-hand side of ordinary differential equations, `dx/dt = f(t, x)`.
///
/// A closure with the arguments of `derivatives` is one, too. A type of your own:
///
/// ```
/// use integrator::{EvaluationError, Method, Problem, RightHandSide, Settings, Time, Work};
///
/// /// Torricelli's law: a tank runs empty, x' = -sqrt(x). No level is below zero.
/// struct Tank;
///
/// impl RightHandSide for Tank {
///     fn derivatives(&mut self, _: Time, x: &[f64], dx: &mut [f64]) -> Result<(), EvaluationError> {
///         if x[0] < 0.0 {
///             return Err(EvaluationError::Refused);
///         }
///         dx[0] = -x[0].sqrt();
///         Ok(())
///     }
/// }
///
/// let (mut tank, mut x, mut work) = (Tank, [1.0], Work::default());
/// let mut problem = Problem::new(&mut tank, 0.0, 1.0, Settings::default(), &mut work);
/// Method::named("dopri5")?.integrate(&mut problem, &mut x)?;
/// assert!((x[0] - 0.25_f64).abs() < 1e-6); // x = (1 - t / 2)²
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait RightHandSide {
    /// Computes the time derivatives `dx` \[1/s\] of the states `x` at `time`. Both slices have one element per state; every
    /// element of `dx` must be written. A method with step control treats values that are not finite like a refusal.
    ///
    /// # Errors
    /// [`EvaluationError::Refused`] if there is no value at this time and these states, [`EvaluationError::Failed`] if there are
    /// none from now on.
    fn derivatives(&mut self, time: Time, x: &[f64], dx: &mut [f64]) -> Result<(), EvaluationError>;
}

impl<F: FnMut(Time, &[f64], &mut [f64]) -> Result<(), EvaluationError>> RightHandSide for F {
    fn derivatives(&mut self, time: Time, x: &[f64], dx: &mut [f64]) -> Result<(), EvaluationError> {
        self(time, x, dx)
    }
}

/// A time within a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Time {
    /// Simulation time \[s\].
    pub t: f64,
    /// Time since the start of the step \[s\]; in co-simulation, since the communication point.
    pub tau: f64,
}

/// Why a right-hand side or an event function has no value. The caller, who knows what it evaluates, keeps the details.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum EvaluationError {
    /// No value at this time and these states. A method with step control tries a smaller step; one with fixed steps fails.
    #[error("the right-hand side refuses an evaluation")]
    Refused,
    /// No value from now on. Every method fails at once and makes no further call.
    #[error("the right-hand side fails")]
    Failed,
}
