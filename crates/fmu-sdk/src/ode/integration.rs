//! The integrator that a model embeds.

use serde::{Deserialize, Serialize};

use integrator::{AbsoluteTolerance, Method, Problem, Settings, Work};

use super::{
    equations::{Equations, Ode},
    refusal::refusal,
};
use crate::{Accessor, Declaration, Model, Refusal, Step};

/// The integrator of a model. Its settings are parameters of the FMU, and counts of its work are outputs.
///
/// | variable | meaning | initial value |
/// |---|---|---|
/// | `integrator` | name of the method | set by the model |
/// | `internal_step` | maximum step of the methods with fixed steps \[s\]; equal steps divide the communication step | set by the model |
/// | `relative_tolerance` | for the methods with step control; 0: that of the experiment, or 1e-6 if it has none | 0 |
/// | `absolute_tolerance` | for the same methods; 0: a thousandth of the relative one | 0 |
/// | `n_evaluations`, `n_internal_steps`, `n_rejected`, `n_jacobians`, `n_factorizations` | [`Work`] since the start | |
///
/// The methods:
///
/// | name | order | step | evaluations per internal step |
/// |---|---|---|---|
/// | `euler` | 1 | fixed | 1 |
/// | `modified-euler`, `midpoint`, `heun` | 2 | fixed | 2 |
/// | `rk4` | 4 | fixed | 4 |
/// | `adams-bashforth-2`, `-3`, `-4` | 2, 3, 4 | fixed | 1, at the start 4 |
/// | `milne` | 4 | fixed | 3, at the start 4 |
/// | `rkf45` | 5(4) | controlled | 6 |
/// | `tr-bdf2` | 2 | controlled | implicit, for stiff equations |
/// | `esdirk34` | 3 | controlled | implicit, for stiff equations |
/// | `dopri5` | 5(4) | controlled | 6 |
/// | `radau5` | 5 | controlled | implicit, for stiff equations |
/// | `auto` | 5 | controlled | `dopri5`; `radau5` where equations are found to be stiff |
///
/// The implicit methods solve their equations by Newton's method with a Jacobian matrix from finite differences. The methods are
/// in the crate `integrator`, which other programs can use, too.
///
/// Every method restarts at each communication point, where inputs may jump: multistep methods make their first steps with `rk4`,
/// and step control searches for its first step. Therefore only the states of the model must be saved, and equal steps from equal
/// states with equal inputs yield equal results.
///
/// ```
/// use fmu_sdk::{Declaration, Experiment, Integration, Model, Ode, Refusal, Step, Time};
/// use serde::{Deserialize, Serialize};
///
/// /// x' = -k x.
/// #[derive(Clone, Serialize, Deserialize)]
/// struct Decay { k: f64 }
///
/// impl Ode for Decay {
///     fn derivatives(&self, _: Time, x: &[f64], dx: &mut [f64]) {
///         dx[0] = -self.k * x[0];
///     }
/// }
///
/// #[derive(Clone, Serialize, Deserialize)]
/// struct Decaying { equations: Decay, x: [f64; 1], integration: Integration }
///
/// impl Default for Decaying {
///     fn default() -> Self {
///         Self { equations: Decay { k: 0.5 }, x: [1.0], integration: Integration::new("rk4", 0.1) }
///     }
/// }
///
/// impl Model for Decaying {
///     const NAME: &'static str = "decaying";
///     const DESCRIPTION: &'static str = "Exponential decay, integrated by the method of your choice";
///
///     fn declare(v: &mut Declaration<Self>) {
///         v.parameter("k", |m| &mut m.equations.k).unit("1/s");
///         v.output("x", |m| &mut m.x[0]).exact().depends_on([]);
///         Integration::declare(v, |m| &mut m.integration);
///     }
///
///     fn initialize(&mut self, _: &Experiment) -> Result<(), Refusal> {
///         self.integration.start()
///     }
///
///     fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
///         self.integration.step(&self.equations, step, &mut self.x)
///     }
/// }
///
/// let mut model = Decaying::default();
/// model.do_step(&Step { t: 0.0, h: 1.0, tolerance: None })?;
/// assert!((model.x[0] - (-0.5_f64).exp()).abs() < 1e-7);
/// assert_eq!(model.integration.work().n_evaluations, 40);
/// # Ok::<(), Refusal>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Integration {
    integrator: String,
    internal_step: f64,
    relative_tolerance: f64,
    absolute_tolerance: f64,
    work: Work,
}

/// Default relative tolerance.
const RELATIVE_TOLERANCE: f64 = 1e-6;
/// Default absolute tolerance, as a share of the relative one.
const ABSOLUTE_PART: f64 = 1e-3;

impl Integration {
    /// Creates an integration by the named method with internal steps of at most `internal_step` \[s\], unless the experiment
    /// chooses others.
    #[must_use]
    pub fn new(integrator: &str, internal_step: f64) -> Self {
        let integrator = integrator.to_owned();
        Self { integrator, internal_step, relative_tolerance: 0.0, absolute_tolerance: 0.0, work: Work::default() }
    }

    /// Returns the names of all methods.
    pub fn names() -> impl Iterator<Item = &'static str> {
        Method::all().map(|method| method.name())
    }

    /// Declares the parameters and the counts of the work. `access` returns the integration in the model.
    pub fn declare<M: Model>(v: &mut Declaration<M>, access: impl Accessor<M, Integration>) {
        let of = access.clone();
        v.parameter("integrator", move |m| &mut of(m).integrator).description("method of integration, by name");
        let of = access.clone();
        v.parameter("internal_step", move |m| &mut of(m).internal_step)
            .unit("s")
            .description("largest internal step of methods with fixed steps");
        let of = access.clone();
        v.parameter("relative_tolerance", move |m| &mut of(m).relative_tolerance)
            .unit("1")
            .min(0.0)
            .description("relative tolerance of methods with step control; 0: that of the experiment, 1e-6 if it has none");
        let of = access.clone();
        v.parameter("absolute_tolerance", move |m| &mut of(m).absolute_tolerance)
            .min(0.0)
            .description("absolute tolerance of methods with step control; 0: a thousandth of the relative one");
        let mut count = |name: &str, what: &str, of: fn(&mut Work) -> &mut i32| {
            let access = access.clone();
            v.output(name, move |m| of(&mut access(m).work)).description(what).depends_on([]);
        };
        count("n_evaluations", "evaluations of the right-hand side", |work| &mut work.n_evaluations);
        count("n_internal_steps", "internal steps taken", |work| &mut work.n_internal_steps);
        count("n_rejected", "internal steps tried and refused", |work| &mut work.n_rejected);
        count("n_jacobians", "evaluations of the Jacobian matrix", |work| &mut work.n_jacobians);
        count("n_factorizations", "factorizations of a matrix", |work| &mut work.n_factorizations);
    }

    /// Checks the settings and resets the counts; called in [`Model::initialize`].
    ///
    /// # Errors
    /// The name of the integrator is unknown, or the internal step is not positive and finite.
    pub fn start(&mut self) -> Result<(), Refusal> {
        self.method()?;
        if !(self.internal_step > 0.0 && self.internal_step.is_finite()) {
            let message = format!("expected a positive, finite internal_step, found {} s", self.internal_step);
            return Err(Refusal::error(message));
        }
        self.work = Work::default();
        Ok(())
    }

    /// Advances the states `x` over the communication step; called in [`Model::do_step`].
    ///
    /// # Errors
    /// A discard if the tolerance cannot be met, with the time up to which it is met, or if a state becomes infinite. An error if
    /// the name of the integrator is unknown.
    pub fn step(&mut self, ode: &dyn Ode, step: &Step, x: &mut [f64]) -> Result<(), Refusal> {
        let (method, settings) = (self.method()?, self.settings(step));
        let mut equations = Equations(ode);
        let mut problem = Problem::new(&mut equations, step.t, step.h, settings, &mut self.work);
        method.integrate(&mut problem, x).map_err(|failure| refusal(&failure, &self.integrator, step))
    }

    /// Returns counts of the work since the start.
    #[must_use]
    pub fn work(&self) -> Work {
        self.work
    }

    fn method(&self) -> Result<Method, Refusal> {
        Method::named(&self.integrator).map_err(|unknown| Refusal::error(unknown.to_string()))
    }

    fn settings(&self, step: &Step) -> Settings<'static> {
        let given = |tolerance: f64| Some(tolerance).filter(|tolerance| *tolerance > 0.0);
        let relative_tolerance = given(self.relative_tolerance).or(step.tolerance).unwrap_or(RELATIVE_TOLERANCE);
        let absolute_tolerance = given(self.absolute_tolerance).unwrap_or(ABSOLUTE_PART * relative_tolerance);
        let absolute_tolerance = AbsoluteTolerance::All(absolute_tolerance);
        Settings { internal_step: self.internal_step, relative_tolerance, absolute_tolerance, first_step: None }
    }
}
