//! Methods by their names in the system file: those of this crate, and those registered by users.
//!
//! A new method is a file beside its siblings, a variant of its enum here, a row in the order test, and its place in the guide.

mod acceleration;
mod controller;
mod custom;
mod estimator;
mod named;
mod sweep;

use std::sync::Arc;

use super::{Acceleration, Coupled, Sweep};
use crate::error_control::{Controller, Estimator, EstimatorSettings};

pub use acceleration::{AccelerationMethod, MakeAcceleration};
pub use controller::{ControllerMethod, MakeController};
pub use custom::Custom;
pub use estimator::{EstimatorMethod, MakeEstimator};
pub use named::Named;
pub use sweep::{MakeSweep, SweepMethod};

/// Methods of one kind that a registry has.
pub trait Registered: Named {
    /// Returns the methods of this kind in a registry.
    fn all(registry: &MethodRegistry) -> &[Self];

    /// Returns the method with this name in a registry.
    #[must_use]
    fn named(registry: &MethodRegistry, name: &str) -> Option<Self> {
        Self::all(registry).iter().find(|method| method.name() == name).cloned()
    }
}

/// The error that a method name is already in use for its kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("there is already a method named `{name}` for the key `{key}`; choose another name")]
pub struct MethodNameTaken {
    /// The key of a system file that names methods of this kind.
    pub key: &'static str,
    /// The name.
    pub name: &'static str,
}

/// The methods that a system file can name.
///
/// ```
/// use lotka::{
///     MethodRegistry,
///     method::{Controller, Persistent},
/// };
///
/// /// Halves the step after a failure, and doubles it where the error is small.
/// struct Doubling;
///
/// impl Persistent for Doubling {}
///
/// impl Controller for Doubling {
///     fn accepted(&mut self, _h: f64, error: f64, order: u32) -> f64 {
///         if error < 0.5_f64.powi(order as i32 + 1) { 2.0 } else { 1.0 }
///     }
///
///     fn rejected(&mut self, _error: f64, _order: u32) -> f64 {
///         0.5
///     }
/// }
///
/// let methods = MethodRegistry::new().with_controller("doubling", || Box::new(Doubling))?;
/// assert!(methods.names().any(|method| method == ("controller", "doubling")));
/// assert!(methods.with_controller("pi", || Box::new(Doubling)).is_err());
/// # Ok::<(), lotka::MethodNameTaken>(())
/// ```
#[derive(Debug, Clone)]
pub struct MethodRegistry {
    sweeps: Vec<SweepMethod>,
    accelerations: Vec<AccelerationMethod>,
    estimators: Vec<EstimatorMethod>,
    controllers: Vec<ControllerMethod>,
}

impl Default for MethodRegistry {
    fn default() -> Self {
        Self {
            sweeps: SweepMethod::built_in(),
            accelerations: AccelerationMethod::built_in(),
            estimators: EstimatorMethod::built_in(),
            controllers: ControllerMethod::built_in(),
        }
    }
}

impl MethodRegistry {
    /// The methods of this crate.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a coupling scheme.
    ///
    /// # Errors
    /// The name is already in use.
    pub fn with_sweep(
        mut self,
        name: &'static str,
        make: impl Fn() -> Box<dyn Sweep> + Send + Sync + 'static,
    ) -> Result<Self, MethodNameTaken> {
        add(&mut self.sweeps, SweepMethod::Custom(Custom::new(name, Arc::new(make))))?;
        Ok(self)
    }

    /// Adds an acceleration of the iteration, which is created for a number of exchanged values.
    ///
    /// # Errors
    /// The name is already in use.
    pub fn with_acceleration(
        mut self,
        name: &'static str,
        make: impl Fn(usize) -> Box<dyn Acceleration> + Send + Sync + 'static,
    ) -> Result<Self, MethodNameTaken> {
        add(&mut self.accelerations, AccelerationMethod::Custom(Custom::new(name, Arc::new(make))))?;
        Ok(self)
    }

    /// Adds an estimator of the local error, and whether its attempts roll back.
    ///
    /// # Errors
    /// The name is already in use.
    pub fn with_estimator(
        mut self,
        name: &'static str,
        rolls_back: bool,
        make: impl Fn(EstimatorSettings, &mut Coupled) -> Box<dyn Estimator> + Send + Sync + 'static,
    ) -> Result<Self, MethodNameTaken> {
        let custom = Custom::new(name, Arc::new(make) as Arc<MakeEstimator>);
        add(&mut self.estimators, EstimatorMethod::Custom { custom, rolls_back })?;
        Ok(self)
    }

    /// Adds a step-size controller.
    ///
    /// # Errors
    /// The name is already in use.
    pub fn with_controller(
        mut self,
        name: &'static str,
        make: impl Fn() -> Box<dyn Controller> + Send + Sync + 'static,
    ) -> Result<Self, MethodNameTaken> {
        add(&mut self.controllers, ControllerMethod::Custom(Custom::new(name, Arc::new(make))))?;
        Ok(self)
    }

    /// Returns the names of all methods, each with its key in the system file: `("sweep", "jacobi")`.
    pub fn names(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let accelerations = keyed(&self.accelerations);
        keyed(&self.sweeps).chain(accelerations).chain(keyed(&self.estimators)).chain(keyed(&self.controllers))
    }
}

impl Registered for AccelerationMethod {
    fn all(registry: &MethodRegistry) -> &[Self] {
        &registry.accelerations
    }
}

impl Registered for ControllerMethod {
    fn all(registry: &MethodRegistry) -> &[Self] {
        &registry.controllers
    }
}

impl Registered for EstimatorMethod {
    fn all(registry: &MethodRegistry) -> &[Self] {
        &registry.estimators
    }
}

impl Registered for SweepMethod {
    fn all(registry: &MethodRegistry) -> &[Self] {
        &registry.sweeps
    }
}

fn add<M: Named>(methods: &mut Vec<M>, method: M) -> Result<(), MethodNameTaken> {
    if methods.iter().any(|known| known.name() == method.name()) {
        return Err(MethodNameTaken { key: M::KEY, name: method.name() });
    }
    methods.push(method);
    Ok(())
}

fn keyed<M: Named>(methods: &[M]) -> impl Iterator<Item = (&'static str, &'static str)> {
    methods.iter().map(|method| (M::KEY, method.name()))
}

/// Returns the names of the methods of this crate, each with its key in the system file: `("sweep", "jacobi")`.
pub fn methods() -> impl Iterator<Item = (&'static str, &'static str)> {
    MethodRegistry::new().names().collect::<Vec<_>>().into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_given_once() {
        let all: Vec<_> = methods().collect();
        for (position, method) in all.iter().enumerate() {
            assert!(!all[..position].contains(method), "{method:?}");
        }
        let own = || Box::new(crate::error_control::Integral) as Box<dyn Controller>;
        let registry = MethodRegistry::new().with_controller("own", own).unwrap();
        assert_eq!(ControllerMethod::named(&registry, "own").map(|method| method.name()), Some("own"));
        assert!(ControllerMethod::named(&registry, "owm").is_none());
        let taken = registry.with_controller("own", own).map(drop);
        assert_eq!(taken, Err(MethodNameTaken { key: "controller", name: "own" }));
    }
}
