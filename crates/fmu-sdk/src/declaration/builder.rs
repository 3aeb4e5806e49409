//! The builder filled by [`crate::Model::declare`].

use std::fmt;
use std::sync::Arc;

use fmi3::description::Causality;
use lotka_instance::description::{DefaultExperiment, Initial, Unit, Variability};

use super::access::{Array, EnvironmentAccess, InputAccess, Polynomial, RealFunction, Setter, Tables, kept};
use super::attributes::{EnumerationType, Variable};
use super::base::sealed::Tabled;
use super::value::{Shaped, Value};
use super::variable::VariableBuilder;
use crate::Environment;

/// Collects the variables of a model, in the order of the calls, which is the order in the model description.
///
/// An accessor such as `|m| &mut m.a` returns the field of a variable, whose Rust type (see [`Value`] and [`Shaped`]) determines
/// the FMI type. Start values come from the model's `Default`. Value references count from 0 within each base type in FMI 2.0,
/// and from 1 over all variables in FMI 3.0, where 0 is the time.
pub struct Declaration<M: 'static> {
    pub(super) variables: Vec<Variable>,
    pub(super) details: Vec<Detail>,
    /// Partial and time derivatives.
    pub(super) functions: Vec<RealFunction<M>>,
    pub(super) tables: Tables<M>,
    pub(super) inputs: Vec<InputAccess<M>>,
    pub(super) units: Vec<Unit>,
    pub(super) enumerations: Vec<EnumerationType>,
    pub(super) experiment: Option<DefaultExperiment>,
    pub(super) environment: Option<EnvironmentAccess<M>>,
    /// The default model.
    pub(super) model: M,
}

impl<M: 'static> fmt::Debug for Declaration<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Declaration").field("variables", &self.variables).finish_non_exhaustive()
    }
}

/// Properties of a variable other than its attributes. Functions of the model are indices, so that this and what follows from it
/// is compiled once, not for each model.
pub(crate) struct Detail {
    /// `None` if undeclared, so that it may depend on everything.
    pub dependencies: Option<Vec<NamedDependency>>,
    /// Functions that compute the time derivatives of orders 1, 2 …
    pub derivatives: Vec<usize>,
    /// Name of the state of which this is the time derivative.
    pub derivative_of: Option<String>,
    /// Names of the structural parameters that are the sizes.
    pub sized_by: Vec<String>,
}

/// A dependency as declared.
pub(crate) struct NamedDependency {
    pub on: String,
    /// The function that computes the partial derivative.
    pub partial: Option<usize>,
}

impl<M: 'static> Declaration<M> {
    pub(super) fn new(model: M) -> Self {
        Self {
            variables: Vec::new(),
            details: Vec::new(),
            functions: Vec::new(),
            tables: Tables::default(),
            inputs: Vec::new(),
            units: Vec::new(),
            enumerations: Vec::new(),
            experiment: None,
            environment: None,
            model,
        }
    }

    /// Sets the default experiment: start, stop and preferred communication step size \[s\].
    pub fn experiment(&mut self, start: f64, stop: f64, step: f64) {
        self.experiment =
            Some(DefaultExperiment { start_time: Some(start), stop_time: Some(stop), tolerance: None, step_size: Some(step) });
    }

    /// Where the model keeps its [`Environment`]: the kit fills it before the model does anything, and after every reset and
    /// restored state.
    pub fn environment(&mut self, access: impl Accessor<M, Environment>) {
        self.environment = Some(kept(access));
    }

    /// Declares a parameter, which is fixed after initialization unless it is [`VariableBuilder::tunable`].
    /// A value outside minimum and maximum, or one that is not finite, is discarded.
    pub fn parameter<V: Shaped>(&mut self, name: &str, access: impl Accessor<M, V>) -> VariableBuilder<'_, M, V> {
        self.field(name, access, Causality::Parameter, Variability::Fixed, Some(Initial::Exact))
    }

    /// Declares an input. An [`Input`](crate::Input) can be interpolated; every other type is held during a step.
    pub fn input<V: Shaped>(&mut self, name: &str, access: impl Accessor<M, V>) -> VariableBuilder<'_, M, V> {
        let value = access(&mut self.model);
        if value.shape().iter().product::<usize>() > 0 && value.at_mut(0).as_input().is_some() {
            let variable = self.variables.len();
            let (polynomial, array) = (access.clone(), access.clone());
            let length = move |m: &mut M, ()| array(m).shape().iter().product();
            let at: Polynomial<M> = kept(move |m, element| polynomial(m).at_mut(element).as_input());
            self.inputs.push(InputAccess { variable, fixed_length: V::LENGTH, length: kept(length), at });
        }
        self.field(name, access, Causality::Input, changing::<V>(), None)
    }

    /// Declares an output stored in a field of the model.
    pub fn output<V: Shaped>(&mut self, name: &str, access: impl Accessor<M, V>) -> VariableBuilder<'_, M, V> {
        self.field(name, access, Causality::Output, changing::<V>(), Some(Initial::Calculated))
    }

    /// Declares a local variable stored in a field of the model.
    pub fn local<V: Shaped>(&mut self, name: &str, access: impl Accessor<M, V>) -> VariableBuilder<'_, M, V> {
        self.field(name, access, Causality::Local, changing::<V>(), Some(Initial::Calculated))
    }

    /// Declares a local variable that is computed whenever it is read.
    pub fn computed<V: Shaped>(&mut self, name: &str, value: impl Computation<M, V>) -> VariableBuilder<'_, M, V> {
        self.computation(name, value, Causality::Local, changing::<V>())
    }

    /// Declares an output that is computed whenever it is read.
    pub fn computed_output<V: Shaped>(&mut self, name: &str, value: impl Computation<M, V>) -> VariableBuilder<'_, M, V> {
        self.computation(name, value, Causality::Output, changing::<V>())
    }

    /// Declares a parameter that is computed from others.
    pub fn calculated_parameter<V: Shaped>(&mut self, name: &str, value: impl Computation<M, V>) -> VariableBuilder<'_, M, V> {
        self.computation(name, value, Causality::CalculatedParameter, Variability::Fixed)
    }

    /// Declares a structural parameter, which the importer of FMI 3.0 may set in configuration mode, before everything else.
    /// Arrays that are [`VariableBuilder::sized_by`] it have that size. In FMI 2.0, the model keeps its structure, and the
    /// parameter is not shown.
    pub fn structural_parameter(&mut self, name: &str, access: impl Accessor<M, u64>) -> VariableBuilder<'_, M, u64> {
        self.field(name, access, Causality::StructuralParameter, Variability::Fixed, Some(Initial::Exact))
    }

    fn field<V: Shaped>(
        &mut self,
        name: &str,
        access: impl Accessor<M, V>,
        causality: Causality,
        variability: Variability,
        initial: Option<Initial>,
    ) -> VariableBuilder<'_, M, V> {
        let shape = access(&mut self.model).shape();
        let table = <V::Scalar as Value>::Base::table_mut(&mut self.tables);
        for element in 0..shape.iter().product() {
            let (read, write) = (access.clone(), access.clone());
            table.variables.push(self.variables.len());
            table.getters.push(kept(move |m: &mut M, ()| read(m).at(element).read()));
            table.setters.push(Setter::new(Some(kept(move |m: &mut M, value| write(m).at_mut(element).write(value)))));
        }
        let (read, length) = (access.clone(), access.clone());
        let array = (!shape.is_empty()).then(|| Array {
            variable: self.variables.len(),
            length: kept(move |m: &mut M, ()| length(m).shape().iter().product()),
            get: kept(move |m: &mut M, element| read(m).at(element).read()),
            setter: Setter::new(Some(kept(move |m: &mut M, (element, value)| access(m).at_mut(element).write(value)))),
        });
        self.add(name, shape, array, causality, variability, initial)
    }

    fn computation<V: Shaped>(
        &mut self,
        name: &str,
        value: impl Computation<M, V>,
        causality: Causality,
        variability: Variability,
    ) -> VariableBuilder<'_, M, V> {
        let value = Arc::new(value);
        let shape = value(&self.model).shape();
        let table = <V::Scalar as Value>::Base::table_mut(&mut self.tables);
        for element in 0..shape.iter().product() {
            let value = value.clone();
            table.variables.push(self.variables.len());
            table.getters.push(kept(move |m: &mut M, ()| value(m).at(element).read()));
            table.setters.push(Setter::new(None));
        }
        let length = value.clone();
        let array = (!shape.is_empty()).then(|| Array {
            variable: self.variables.len(),
            length: kept(move |m: &mut M, ()| length(m).shape().iter().product()),
            get: kept(move |m: &mut M, element| value(m).at(element).read()),
            setter: Setter::new(None),
        });
        self.add(name, shape, array, causality, variability, Some(Initial::Calculated))
    }

    fn add<V: Shaped>(
        &mut self,
        name: &str,
        shape: Vec<usize>,
        array: Option<Array<M, <V::Scalar as Value>::Base>>,
        causality: Causality,
        variability: Variability,
        initial: Option<Initial>,
    ) -> VariableBuilder<'_, M, V> {
        <V::Scalar as Value>::Base::table_mut(&mut self.tables).arrays.extend(array);
        let enumeration = V::Scalar::enumeration();
        if let Some(new) = enumeration.clone().filter(|new| self.enumerations.iter().all(|known| known.name != new.name)) {
            self.enumerations.push(new);
        }
        self.variables.push(Variable {
            name: name.into(),
            description: None,
            causality,
            variability,
            initial,
            element: V::Scalar::ELEMENT,
            shape,
            sized_by: Vec::new(),
            enumeration,
            unit: None,
            nominal: None,
            min: None,
            max: None,
            start: None,
            derivative: None,
        });
        self.details.push(Detail { dependencies: None, derivatives: Vec::new(), derivative_of: None, sized_by: Vec::new() });
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
fn changing<V: Shaped>() -> Variability {
    if V::Scalar::ELEMENT.is_float() { Variability::Continuous } else { Variability::Discrete }
}
