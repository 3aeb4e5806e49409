//! Local error: norms, estimators and step-size controllers.
//!
//! An `Estimator` makes an attempted step and estimates its local error in units of the tolerance. A `Controller` computes the
//! factor by which the step should change. Bounds and safety factors are in `StepSize`, outside both.

mod compatibility;
mod controller;
mod ecco;
mod embedded;
mod energy;
mod norm;
pub mod output_noise;
mod parallel_embedded;
mod predictor_corrector;
mod step_doubling;
mod step_size;

pub use compatibility::Compatibility;
pub use controller::{Controller, Filter, Integral, ProportionalIntegral, ProportionalIntegralDerivative};
pub use ecco::Ecco;
pub(crate) use embedded::Embedded;
pub(crate) use energy::Energy;
pub use norm::{Estimates, Tolerances};
pub use output_noise::{POINTS, SPACINGS};
pub(crate) use parallel_embedded::ParallelEmbedded;
pub(crate) use predictor_corrector::PredictorCorrector;
pub(crate) use step_doubling::StepDoubling;
pub use step_size::{Bounds, Gains, StepFactors, StepSize};

use crate::{
    algorithm::{Attempt, Coupled, Method},
    checkpoint::Persistent,
};

/// Input of an estimator, in addition to the instances.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct EstimatorSettings {
    /// The local tolerance.
    pub tolerances: Tolerances,
    /// The master whose formulas are used instead of Lotka's own.
    pub(crate) compatibility: Option<Compatibility>,
    /// Order of the method.
    pub order: u32,
}

impl EstimatorSettings {
    /// For a local tolerance, with the formulas of another master if one is named, and a method of this order.
    #[must_use]
    pub fn new(tolerances: Tolerances, compatibility: Option<Compatibility>, order: u32) -> Self {
        Self { tolerances, compatibility, order }
    }
}

/// Makes an attempted step and estimates its error. Whether it rolls back to the communication point is specified in its
/// [registration](crate::algorithm::MethodRegistry::with_estimator).
///
/// An estimator that limits by how much connected and recorded values change in one step:
///
/// ```
/// use lotka::{
///     MethodRegistry,
///     method::{Attempt, Coupled, Estimates, Estimator, Level, Method, Persistent, Step, Tolerances},
/// };
///
/// struct Change {
///     tolerances: Tolerances,
///     begin: Vec<f64>,
/// }
///
/// impl Persistent for Change {}
///
/// impl Estimator for Change {
///     fn attempt(&mut self, method: &mut Method, coupled: &mut Coupled, t: f64, h: f64) -> Attempt<Estimates> {
///         self.begin.copy_from_slice(&coupled.newest.reals);
///         method.advance(coupled, Step { t, h }, true, Level::Communication)?;
///         let changes = self.begin.iter().zip(&coupled.newest.reals).map(|(begin, end)| (end - begin, *end));
///         Attempt::Continue(Estimates::of_difference(self.tolerances.norm(changes)))
///     }
///
///     fn order(&self) -> u32 {
///         0
///     }
///
///     fn worst(&self, coupled: &Coupled, _: Estimates) -> Option<usize> {
///         self.tolerances.worst(self.begin.iter().zip(&coupled.newest.reals).map(|(begin, end)| (end - begin, *end)))
///     }
/// }
///
/// let methods = MethodRegistry::new().with_estimator("change", false, |settings, coupled| {
///     Box::new(Change { tolerances: settings.tolerances, begin: vec![0.0; coupled.newest.reals.len()] })
/// })?;
/// # let prey = lotka::Fmu::from_functions(fmu_sdk::description::<models::Prey>(), fmu_sdk::functions::<models::Prey>());
/// let system = lotka::System::new().instance_of("prey", &prey).stop(10.0).methods(methods);
/// let report = system.estimator("change").local_tolerance(1e-2).build()?.run(&mut [])?;
/// assert!(report.largest_error_estimate.is_some_and(|largest| largest <= 1.0 && largest > 0.5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Estimator: Persistent + Send {
    /// Tries a step from `t` by `h`. If the estimator rolls back, the communication point has been saved. After a stop the
    /// instances may be in any state and must be rolled back.
    fn attempt(&mut self, method: &mut Method, coupled: &mut Coupled, t: f64, h: f64) -> Attempt<Estimates>;

    /// The order p for which the estimate behaves as `h^(p+1)`.
    fn order(&self) -> u32;

    /// The Real signal (an index of `coupled.newest.reals`, named by [`Coupled::signal_name`]) that contributes most to the
    /// decisive norm of the last attempt.
    fn worst(&self, coupled: &Coupled, estimates: Estimates) -> Option<usize>;
}
