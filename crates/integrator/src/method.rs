//! Methods of integration by name.

use crate::{
    Failure, Problem, Steps,
    controlled::{self, Dense, Embedded},
    fixed::FixedStep,
    registry::{METHODS, UnknownMethod, unknown},
};

/// A method of integration. It keeps nothing from one step to the next: a step depends on its start and its right-hand side
/// alone.
///
/// | name | order | internal steps | dense output |
/// |---|---|---|---|
/// | `euler` | 1 | equal | |
/// | `modified-euler`, `midpoint`, `heun` | 2 | equal | |
/// | `rk4` | 4 | equal | |
/// | `adams-bashforth-2`, `-3`, `-4` | 2, 3, 4 | equal, the first by `rk4` | |
/// | `milne` | 4 | equal, the first three by `rk4` | |
/// | `rkf45` | 5(4) | chosen | |
/// | `tr-bdf2` | 2(3), implicit | chosen | order 2 |
/// | `esdirk34` | 3(4), implicit | chosen | order 3 |
/// | `dopri5` | 5(4) | chosen | order 4 |
/// | `radau5` | 5(3), implicit | chosen | order 3 |
/// | `auto` | `dopri5`, or `radau5` while the equations are stiff | chosen | order 4 or 3 |
///
/// ```
/// use integrator::{Method, Problem, Settings, Time, Work};
///
/// let mut decay = |_: Time, x: &[f64], dx: &mut [f64]| {
///     dx[0] = -x[0];
///     Ok(())
/// };
/// let (mut x, mut work) = ([1.0], Work::default());
/// let mut problem = Problem::new(&mut decay, 0.0, 2.0, Settings { internal_step: 0.1, ..Settings::default() }, &mut work);
/// Method::named("rk4")?.integrate(&mut problem, &mut x)?;
/// assert!((x[0] - (-2.0_f64).exp()).abs() < 1e-6);
/// assert_eq!((work.n_internal_steps, work.n_evaluations), (20, 80));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Method {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
}

/// How a method takes its internal steps. Methods that choose them are created for a number of states at the start of each step.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    Fixed(&'static dyn FixedStep),
    Controlled(fn(usize) -> Box<dyn Embedded>),
    Dense(fn(usize) -> Box<dyn Dense>),
}

impl Method {
    /// Returns the method with this name.
    ///
    /// # Errors
    /// The name is unknown. The message suggests the nearest name, or lists all names if none is near.
    pub fn named(name: &str) -> Result<Self, UnknownMethod> {
        Self::all().find(|method| method.name == name).ok_or_else(|| unknown(name))
    }

    /// Returns all methods, in the order of the table.
    pub fn all() -> impl Iterator<Item = Self> {
        METHODS.iter().copied()
    }

    /// Returns its name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Returns whether it chooses its internal steps itself.
    #[must_use]
    pub fn has_step_control(&self) -> bool {
        !matches!(self.kind, Kind::Fixed(_))
    }

    /// Advances the states `x` over the whole step. Without states, it evaluates nothing.
    ///
    /// # Errors
    /// A [`Failure`]; `x` then has the states that the integration reached.
    ///
    /// # Panics
    /// If there are fewer [absolute tolerances](crate::AbsoluteTolerance::Each) than states.
    pub fn integrate(&self, problem: &mut Problem, x: &mut [f64]) -> Result<(), Failure> {
        if x.is_empty() {
            return Ok(());
        }
        match self.kind {
            Kind::Fixed(method) => method.integrate(problem, x),
            Kind::Controlled(new) => controlled::integrate(&mut *new(x.len()), problem, x),
            Kind::Dense(new) => controlled::integrate(&mut *new(x.len()), problem, x),
        }
    }

    /// Starts a step from the states `x`. The caller makes its internal steps one by one, with dense output. Returns `None` if
    /// the method has no dense output.
    ///
    /// # Errors
    /// The right-hand side has no value at the start.
    ///
    /// # Panics
    /// If there are fewer [absolute tolerances](crate::AbsoluteTolerance::Each) than states.
    pub fn steps(&self, problem: &mut Problem, x: &[f64]) -> Result<Option<Steps>, Failure> {
        match self.kind {
            Kind::Dense(new) => Steps::start(new(x.len()), problem, x).map(Some),
            Kind::Fixed(_) | Kind::Controlled(_) => Ok(None),
        }
    }
}

impl std::fmt::Debug for Method {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Method").field(&self.name).finish()
    }
}
