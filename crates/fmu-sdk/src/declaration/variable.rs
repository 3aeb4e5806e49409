//! The attributes of one variable.
#![allow(
    clippy::must_use_candidate,
    clippy::return_self_not_must_use,
    reason = "a variable is declared at once; its builder can be dropped"
)]

use std::marker::PhantomData;

use fmi2::description::{Initial, RealVariable, ScalarVariable, Variability, VariableKind};

use super::access::RealFunction;
use super::builder::{Declaration, Detail, NamedDependency};
use super::unit::unit;
use super::value::{Bounded, Value};

/// Adds attributes to the variable that was declared last.
pub struct VariableBuilder<'a, M, V> {
    declaration: &'a mut Declaration<M>,
    of: PhantomData<V>,
}

impl<'a, M: 'static, V: Value> VariableBuilder<'a, M, V> {
    pub(super) fn new(declaration: &'a mut Declaration<M>) -> Self {
        Self { declaration, of: PhantomData }
    }

    /// One line about the variable.
    pub fn description(self, text: &str) -> Self {
        self.attribute(|variable| variable.description = Some(text.into()))
    }

    /// A parameter that may be set between steps, too.
    pub fn tunable(self) -> Self {
        self.attribute(|variable| variable.declared_variability = Some(Variability::Tunable))
    }

    /// A Real that only changes at communication points.
    pub fn discrete(self) -> Self {
        self.attribute(|variable| variable.declared_variability = Some(Variability::Discrete))
    }

    /// An output or local variable whose start value is given, and may be set before the first step, instead of computed. If it
    /// is a state, say `.depends_on([])` as well.
    pub fn exact(self) -> Self {
        self.attribute(|variable| variable.declared_initial = Some(Initial::Exact))
    }

    /// An output or local variable whose start value is a guess: it may be set before the first step, and [`crate::Model::initialize`] may
    /// replace it. Its dependencies say by what.
    pub fn approx(self) -> Self {
        self.attribute(|variable| variable.declared_initial = Some(Initial::Approx))
    }

    /// All that the value at one point in time depends on, by name: inputs, states, and before the first step also parameters and
    /// start values. What goes through another variable may name that one. Without this and [`VariableBuilder::partials`]
    /// the variable counts as depending on everything.
    pub fn depends_on<const N: usize>(mut self, names: [&str; N]) -> Self {
        let dependencies = names.map(|on| NamedDependency { on: on.into(), partial: None });
        self.dependencies().extend(dependencies);
        self
    }

    fn dependencies(&mut self) -> &mut Vec<NamedDependency<M>> {
        self.detail().dependencies.get_or_insert_default()
    }

    fn detail(&mut self) -> &mut Detail<M> {
        let last = self.declaration.details.len() - 1;
        &mut self.declaration.details[last]
    }

    fn attribute(self, change: impl FnOnce(&mut ScalarVariable)) -> Self {
        if let Some(variable) = self.declaration.variables.last_mut() {
            change(variable);
        }
        self
    }
}

impl<M: 'static, V: Value<Base: Bounded>> VariableBuilder<'_, M, V> {
    /// Smallest value.
    pub fn min(self, min: V::Base) -> Self {
        self.attribute(|variable| min.set_min(&mut variable.kind))
    }

    /// Greatest value.
    pub fn max(self, max: V::Base) -> Self {
        self.attribute(|variable| max.set_max(&mut variable.kind))
    }
}

impl<M: 'static, V: Value<Base = f64>> VariableBuilder<'_, M, V> {
    /// Unit in Modelica's notation, as in `kg.m/s2`; its SI dimensions follow from the name.
    pub fn unit(self, name: &str) -> Self {
        if self.declaration.units.iter().all(|known| known.name != name) {
            self.declaration.units.push(unit(name));
        }
        self.real(|real| real.unit = Some(name.into()))
    }

    /// Typical magnitude, for error weights.
    pub fn nominal(self, nominal: f64) -> Self {
        self.real(|real| real.nominal = Some(nominal))
    }

    /// Dependencies as in [`VariableBuilder::depends_on`], each with the partial derivative of this variable by that one:
    /// `fmi2GetDirectionalDerivative` follows, by the chain rule through other variables.
    pub fn partials<const N: usize>(mut self, partials: [(&str, RealFunction<M>); N]) -> Self {
        let dependencies = partials.map(|(on, partial)| NamedDependency { on: on.into(), partial: Some(partial) });
        self.dependencies().extend(dependencies);
        self
    }

    /// Time derivatives of orders 1, 2 … of an output, for `fmi2GetRealOutputDerivatives`; higher ones are answered with 0.
    pub fn derivatives<const N: usize>(mut self, derivatives: [RealFunction<M>; N]) -> Self {
        self.detail().derivatives = derivatives.into();
        self
    }

    /// Says that this is the time derivative of the variable `state`, which is thereby a continuous state.
    pub fn derivative_of(mut self, state: &str) -> Self {
        self.detail().derivative_of = Some(state.into());
        self
    }

    fn real(self, change: impl FnOnce(&mut RealVariable)) -> Self {
        self.attribute(|variable| {
            if let VariableKind::Real(real) = &mut variable.kind {
                change(real);
            }
        })
    }
}
