//! The builder filled by [`crate::Model::declare`].

use std::fmt;

use fmi2::description::{Causality, DefaultExperiment, Initial, ScalarVariable, SimpleType, Unit, Variability, VariableKind};

use super::access::{EnvironmentAccess, Getter, InputAccess, RealFunction, Tables, Write};
use super::value::{Value, sealed::Tabled};
use super::variable::VariableBuilder;
use crate::Environment;

/// Collects the variables of a model, in the order of the calls, which is the order in the model description.
///
/// An accessor such as `|m| &mut m.a` returns the field of a variable, whose Rust type (see [`Value`]) determines the FMI type.
/// Start values come from the model's `Default`. Value references count from 0 within each base type.
pub struct Declaration<M> {
    pub(super) variables: Vec<ScalarVariable>,
    pub(super) details: Vec<Detail<M>>,
    pub(super) tables: Tables<M>,
    /// Index of each input among the variables, and its polynomial.
    pub(super) inputs: Vec<(usize, InputAccess<M>)>,
    pub(super) units: Vec<Unit>,
    pub(super) types: Vec<SimpleType>,
    pub(super) experiment: Option<DefaultExperiment>,
    pub(super) environment: Option<EnvironmentAccess<M>>,
}

impl<M> fmt::Debug for Declaration<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Declaration").field("variables", &self.variables).finish_non_exhaustive()
    }
}

/// Properties of a variable other than its attributes.
pub(crate) struct Detail<M> {
    /// `None` if undeclared, so that it may depend on everything.
    pub dependencies: Option<Vec<NamedDependency<M>>>,
    /// Time derivatives of orders 1, 2 …
    pub derivatives: Vec<RealFunction<M>>,
    /// Name of the state of which this is the time derivative.
    pub derivative_of: Option<String>,
}

/// A dependency as declared.
pub(crate) struct NamedDependency<M> {
    pub on: String,
    pub partial: Option<RealFunction<M>>,
}

impl<M: 'static> Declaration<M> {
    pub(super) fn new() -> Self {
        Self {
            variables: Vec::new(),
            details: Vec::new(),
            tables: Tables::default(),
            inputs: Vec::new(),
            units: Vec::new(),
            types: Vec::new(),
            experiment: None,
            environment: None,
        }
    }

    /// Sets the default experiment: start, stop and preferred communication step size \[s\].
    pub fn experiment(&mut self, start: f64, stop: f64, step: f64) {
        self.experiment =
            Some(DefaultExperiment { start_time: Some(start), stop_time: Some(stop), tolerance: None, step_size: Some(step) });
    }

    /// Where the model keeps its [`Environment`]: the kit fills it before the model does anything, and after every reset and restored state.
    pub fn environment(&mut self, access: impl Accessor<M, Environment>) {
        self.environment = Some(Box::new(access));
    }

    /// Declares a parameter, which is fixed after initialization unless it is [`VariableBuilder::tunable`].
    /// A value outside minimum and maximum, or one that is not finite, is discarded.
    pub fn parameter<V: Value>(&mut self, name: &str, access: impl Accessor<M, V>) -> VariableBuilder<'_, M, V> {
        self.field(name, access, Causality::Parameter, Variability::Fixed, Some(Initial::Exact))
    }

    /// Declares an input. An [`Input`](crate::Input) can be interpolated; every other type is held during a step.
    pub fn input<V: Value>(&mut self, name: &str, access: impl Accessor<M, V>) -> VariableBuilder<'_, M, V> {
        let polynomial = access.clone();
        self.inputs.push((self.variables.len(), Box::new(move |m| polynomial(m).as_input())));
        self.field(name, access, Causality::Input, changing::<V>(), None)
    }

    /// Declares an output stored in a field of the model.
    pub fn output<V: Value>(&mut self, name: &str, access: impl Accessor<M, V>) -> VariableBuilder<'_, M, V> {
        self.field(name, access, Causality::Output, changing::<V>(), Some(Initial::Calculated))
    }

    /// Declares a local variable stored in a field of the model.
    pub fn local<V: Value>(&mut self, name: &str, access: impl Accessor<M, V>) -> VariableBuilder<'_, M, V> {
        self.field(name, access, Causality::Local, changing::<V>(), Some(Initial::Calculated))
    }

    /// Declares a local variable that is computed whenever it is read.
    pub fn computed<V: Value>(&mut self, name: &str, value: impl Computation<M, V>) -> VariableBuilder<'_, M, V> {
        self.computation(name, value, Causality::Local, changing::<V>())
    }

    /// Declares an output that is computed whenever it is read.
    pub fn computed_output<V: Value>(&mut self, name: &str, value: impl Computation<M, V>) -> VariableBuilder<'_, M, V> {
        self.computation(name, value, Causality::Output, changing::<V>())
    }

    /// Declares a parameter that is computed from others.
    pub fn calculated_parameter<V: Value>(&mut self, name: &str, value: impl Computation<M, V>) -> VariableBuilder<'_, M, V> {
        self.computation(name, value, Causality::CalculatedParameter, Variability::Fixed)
    }

    fn field<V: Value>(
        &mut self,
        name: &str,
        access: impl Accessor<M, V>,
        causality: Causality,
        variability: Variability,
        initial: Option<Initial>,
    ) -> VariableBuilder<'_, M, V> {
        let read = access.clone();
        let write: Write<_, _> = Box::new(move |m, value| access(m).write(value));
        self.add(name, Box::new(move |m| read(m).read()), Some(write), causality, variability, initial)
    }

    fn computation<V: Value>(
        &mut self,
        name: &str,
        value: impl Computation<M, V>,
        causality: Causality,
        variability: Variability,
    ) -> VariableBuilder<'_, M, V> {
        self.add(name, Box::new(move |m| value(m).read()), None, causality, variability, Some(Initial::Calculated))
    }

    fn add<V: Value>(
        &mut self,
        name: &str,
        get: Getter<M, V::Base>,
        write: Option<Write<M, V::Base>>,
        causality: Causality,
        variability: Variability,
        initial: Option<Initial>,
    ) -> VariableBuilder<'_, M, V> {
        let table = V::Base::table_mut(&mut self.tables);
        let value_reference = table.variables.len() as u32;
        table.variables.push(self.variables.len());
        table.getters.push(get);
        table.writes.push(write);
        if let Some(simple_type) = V::simple_type().filter(|new| self.types.iter().all(|t| t.name != new.name)) {
            self.types.push(simple_type);
        }
        self.variables.push(ScalarVariable {
            name: name.into(),
            value_reference,
            description: None,
            declared_causality: Some(causality),
            declared_variability: Some(variability),
            declared_initial: initial,
            can_handle_multiple_set_per_time_instant: None,
            kind: V::kind(),
            annotations: Vec::new(),
        });
        self.details.push(Detail { dependencies: None, derivatives: Vec::new(), derivative_of: None });
        VariableBuilder::new(self)
    }
}

/// A function that returns a variable in the model, such as `|m| &mut m.a`.
pub trait Accessor<M, V>: Fn(&mut M) -> &mut V + Clone + Send + Sync + 'static {}
impl<M, V, F: Fn(&mut M) -> &mut V + Clone + Send + Sync + 'static> Accessor<M, V> for F {}

/// A function that computes a variable from the model, such as `|m| m.x * m.y`.
pub trait Computation<M, V>: Fn(&M) -> V + Send + Sync + 'static {}
impl<M, V, F: Fn(&M) -> V + Send + Sync + 'static> Computation<M, V> for F {}

/// Variability of a variable that may change during a simulation.
fn changing<V: Value>() -> Variability {
    match V::kind() {
        VariableKind::Real(_) => Variability::Continuous,
        _ => Variability::Discrete,
    }
}
