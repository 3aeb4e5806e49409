//! The attributes of one variable.
#![allow(
    clippy::must_use_candidate,
    clippy::return_self_not_must_use,
    reason = "a variable is declared at once; its builder can be dropped"
)]

use std::marker::PhantomData;

use lotka_instance::description::{Initial, Variability};

use super::access::RealFunction;
use super::attributes::Variable;
use super::base::{Bounded, sealed::Ordered};
use super::builder::{Declaration, Detail, NamedDependency};
use super::unit::unit;
use super::value::{Element, Shaped, Value};

/// Adds attributes to the last declared variable.
pub struct VariableBuilder<'a, M: 'static, V> {
    declaration: &'a mut Declaration<M>,
    of: PhantomData<V>,
}

impl<'a, M: 'static, V: Shaped> VariableBuilder<'a, M, V> {
    pub(super) fn new(declaration: &'a mut Declaration<M>) -> Self {
        Self { declaration, of: PhantomData }
    }

    /// Sets a one-line description.
    pub fn description(self, text: &str) -> Self {
        self.attribute(|variable| variable.description = Some(text.into()))
    }

    /// Marks a parameter that may also be set between steps.
    pub fn tunable(self) -> Self {
        self.attribute(|variable| variable.variability = Variability::Tunable)
    }

    /// Marks a Real that changes only at communication points.
    pub fn discrete(self) -> Self {
        self.attribute(|variable| variable.variability = Variability::Discrete)
    }

    /// Marks an output or local variable with a given start value that may be set before the first step, instead of a computed
    /// one. If it is a state, also call `.depends_on([])`.
    pub fn exact(self) -> Self {
        self.attribute(|variable| variable.initial = Some(Initial::Exact))
    }

    /// Marks an output or local variable whose start value is an initial guess: it may be set before the first step, and
    /// [`crate::Model::initialize`] may replace it. Its dependencies determine the replacement.
    pub fn approx(self) -> Self {
        self.attribute(|variable| variable.initial = Some(Initial::Approx))
    }

    /// Declares all dependencies of the value at one point in time, by name: inputs, states, and before the first step also
    /// parameters and start values. An indirect dependency may be declared by the variable in between. Without this and
    /// [`VariableBuilder::partials`], the variable counts as depending on everything.
    pub fn depends_on<const N: usize>(mut self, names: [&str; N]) -> Self {
        let dependencies = names.map(|on| NamedDependency { on: on.into(), partial: None });
        self.dependencies().extend(dependencies);
        self
    }

    fn dependencies(&mut self) -> &mut Vec<NamedDependency> {
        self.detail().dependencies.get_or_insert_default()
    }

    fn detail(&mut self) -> &mut Detail {
        let last = self.declaration.details.len() - 1;
        &mut self.declaration.details[last]
    }

    /// Keeps a function of the model, and returns its index.
    fn function(&mut self, function: RealFunction<M>) -> usize {
        self.declaration.functions.push(function);
        self.declaration.functions.len() - 1
    }

    fn attribute(self, change: impl FnOnce(&mut Variable)) -> Self {
        if let Some(variable) = self.declaration.variables.last_mut() {
            change(variable);
        }
        self
    }
}

impl<M: 'static, V: Shaped<Scalar: Value<Base: Bounded>>> VariableBuilder<'_, M, V> {
    /// Sets the minimum.
    pub fn min(self, min: <V::Scalar as Value>::Base) -> Self {
        self.attribute(|variable| variable.min = Some(min.number()))
    }

    /// Sets the maximum.
    pub fn max(self, max: <V::Scalar as Value>::Base) -> Self {
        self.attribute(|variable| variable.max = Some(max.number()))
    }
}

impl<M: 'static, V: Shaped<Scalar: Value<Base = f64>>> VariableBuilder<'_, M, V> {
    /// Sets the unit in Modelica's notation, such as `kg.m/s2`; its SI dimensions follow from the name.
    pub fn unit(self, name: &str) -> Self {
        if self.declaration.units.iter().all(|known| known.name != name) {
            self.declaration.units.push(unit(name));
        }
        self.attribute(|variable| variable.unit = Some(name.into()))
    }

    /// Sets the typical magnitude, for error weights.
    pub fn nominal(self, nominal: f64) -> Self {
        self.attribute(|variable| variable.nominal = Some(nominal))
    }

    /// Declares this variable as the time derivative of the variable `state`, which thereby becomes a continuous state. Both
    /// have the same shape.
    pub fn derivative_of(mut self, state: &str) -> Self {
        self.detail().derivative_of = Some(state.into());
        self
    }
}

impl<M: 'static, V: Value<Base = f64>> VariableBuilder<'_, M, V> {
    /// Declares dependencies as [`VariableBuilder::depends_on`] does, each with the partial derivative of this variable with
    /// respect to it. `fmi2GetDirectionalDerivative` and `fmi3GetDirectionalDerivative` use them, by the chain rule through other
    /// variables.
    pub fn partials<const N: usize>(mut self, partials: [(&str, RealFunction<M>); N]) -> Self {
        let dependencies = partials.map(|(on, partial)| NamedDependency { on: on.into(), partial: Some(self.function(partial)) });
        self.dependencies().extend(dependencies);
        self
    }

    /// Declares time derivatives of orders 1, 2 … of an output, for `fmi2GetRealOutputDerivatives` and
    /// `fmi3GetOutputDerivatives`; higher ones are 0.
    pub fn derivatives<const N: usize>(mut self, derivatives: [RealFunction<M>; N]) -> Self {
        let derivatives = derivatives.map(|derivative| self.function(derivative));
        self.detail().derivatives = derivatives.into();
        self
    }
}

impl<M: 'static, V: Element> VariableBuilder<'_, M, Vec<V>> {
    /// Declares that the sizes of the dimensions are the values of these structural parameters. The elements are in the `Vec` row
    /// by row. [`crate::Model::configure`] gives it its length.
    pub fn sized_by<const N: usize>(mut self, names: [&str; N]) -> Self {
        self.detail().sized_by = names.map(str::to_owned).into();
        self
    }
}
