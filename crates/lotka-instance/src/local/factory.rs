//! A factory of instances from a Rust value.

use std::fmt;

use super::{instance::LocalInstance, model::LocalModel};
use crate::{Capabilities, Instance, InstanceFactory, InstantiateOptions, InstantiationError, ModelDescription};

/// Creates instances of a [`LocalModel`].
///
/// ```
/// use lotka::instance::{
///     LocalFactory, LocalModel, ModelDescription, RealRef, StepOutcome,
///     description::{Causality, RealKind, Unknown, Variable, VariableKind},
/// };
///
/// /// x' = u - x, exactly for inputs that are held.
/// #[derive(Clone)]
/// struct Lag { u: f64, x: f64 }
///
/// impl LocalModel for Lag {
///     fn real(&self, reference: RealRef) -> Option<f64> {
///         [self.u, self.x].get(reference.0 as usize).copied()
///     }
///
///     fn set_real(&mut self, reference: RealRef, value: f64) -> bool {
///         let is_input = reference.0 == 0;
///         if is_input {
///             self.u = value;
///         }
///         is_input
///     }
///
///     fn do_step(&mut self, _: f64, h: f64) -> Result<StepOutcome, String> {
///         self.x = self.u + (self.x - self.u) * (-h).exp();
///         Ok(StepOutcome::Complete)
///     }
/// }
///
/// let mut description = ModelDescription { model_name: "lag".to_owned(), ..ModelDescription::default() };
/// let real = || VariableKind::Real(RealKind { start: Some(0.0), ..RealKind::default() });
/// description.variables.push(Variable::new("u", 0, Causality::Input, real()));
/// description.variables.push(Variable::new("x", 1, Causality::Output, real()));
/// // The output follows no input at once.
/// description.outputs.push(Unknown { index: 1, dependencies: Some(Vec::new()) });
/// let factory = LocalFactory::new(description, || Lag { u: 0.0, x: 1.0 });
/// ```
pub struct LocalFactory<M> {
    description: ModelDescription,
    make: Box<dyn Fn() -> M + Send + Sync>,
}

impl<M: LocalModel> LocalFactory<M> {
    /// Creates a factory for models with this description; `make` creates a model with its start values. Steps can have any size,
    /// states are saved by cloning, and instances can run on any thread. The capabilities of the description are replaced by
    /// these.
    pub fn new(mut description: ModelDescription, make: impl Fn() -> M + Send + Sync + 'static) -> Self {
        description.capabilities = Capabilities { variable_step: true, save_state: true, ..Capabilities::default() };
        description.is_thread_safe = true;
        Self { description, make: Box::new(make) }
    }
}

impl<M> fmt::Debug for LocalFactory<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LocalFactory").field("model_name", &self.description.model_name).finish_non_exhaustive()
    }
}

impl<M: LocalModel> InstanceFactory for LocalFactory<M> {
    fn description(&self) -> &ModelDescription {
        &self.description
    }

    fn instantiate(&self, name: &str, _: &InstantiateOptions) -> Result<Box<dyn Instance>, Box<dyn InstantiationError>> {
        Ok(Box::new(LocalInstance::new(name, self.description.capabilities, (self.make)())))
    }
}
