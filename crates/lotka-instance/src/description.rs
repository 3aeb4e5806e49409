//! What is known of a model before it runs, in the words that all versions of FMI share.

mod units;
mod variable;

pub use units::{BaseUnit, DisplayUnit, Unit};
pub use variable::{
    BooleanKind, Causality, EnumerationKind, Initial, IntegerKind, RealKind, TextKind, Variability, Variable, VariableKind,
};

use crate::Capabilities;

/// The interface of a model: its variables, what depends on what, and what it can do. Readers of every version of FMI make it, and so can any program
/// that hands in instances of its own.
///
/// ```
/// use lotka_instance::{ModelDescription, description::{Causality, RealKind, Unknown, Variable, VariableKind}};
///
/// let mut description = ModelDescription { model_name: "spring".to_owned(), ..ModelDescription::default() };
/// let force = VariableKind::Real(RealKind { unit: Some("N".to_owned()), ..RealKind::default() });
/// description.variables.push(Variable::new("force", 0, Causality::Output, force));
/// // It depends on no input.
/// description.outputs.push(Unknown { index: 0, dependencies: Some(Vec::new()) });
/// assert_eq!(description.variable("force").and_then(Variable::unit), Some("N"));
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ModelDescription {
    /// Name of the model, any text.
    pub model_name: String,
    /// Key that ties the description to what runs: the GUID of FMI 2.0, the instantiation token of FMI 3.0.
    pub token: String,
    /// Short text about the model.
    pub description: Option<String>,
    /// Version of the model.
    pub version: Option<String>,
    /// Tool that made the model.
    pub generation_tool: Option<String>,
    /// `YYYY-MM-DDThh:mm:ssZ`.
    pub generation_date_and_time: Option<String>,
    /// The variables; everything else counts them from 0.
    pub variables: Vec<Variable>,
    /// The outputs with what they depend on at a communication point.
    pub outputs: Vec<Unknown>,
    /// Derivatives of continuous states.
    pub derivatives: Vec<Unknown>,
    /// What initialization computes.
    pub initial_unknowns: Vec<Unknown>,
    /// Units that variables refer to.
    pub units: Vec<Unit>,
    /// Types of enumerations that variables refer to.
    pub enumerations: Vec<EnumerationType>,
    /// The experiment that the author of the model proposes.
    pub default_experiment: Option<DefaultExperiment>,
    /// Its outputs are known before the run: steps do not call its instances.
    pub is_source: bool,
    /// Instances may run on several threads of a process at the same time.
    pub is_thread_safe: bool,
    /// What the description declares; an instance may turn out to be able to do less.
    pub capabilities: Capabilities,
}

/// One unknown with what it depends on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Unknown {
    /// Index of the variable.
    pub index: usize,
    /// Indices of the variables it depends on. `None`: not said, it may depend on everything; empty: on nothing.
    pub dependencies: Option<Vec<usize>>,
}

/// An enumeration.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EnumerationType {
    /// Its name.
    pub name: String,
    /// Its items.
    pub items: Vec<EnumerationItem>,
}

/// One item of an enumeration type.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[allow(missing_docs, reason = "attributes of the standards")]
pub struct EnumerationItem {
    pub name: String,
    pub value: i32,
    pub description: Option<String>,
}

/// Default experiment; times in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[allow(missing_docs, reason = "attributes of the standards")]
pub struct DefaultExperiment {
    pub start_time: Option<f64>,
    pub stop_time: Option<f64>,
    pub tolerance: Option<f64>,
    pub step_size: Option<f64>,
}

impl DefaultExperiment {
    /// Whether it ends before it starts; it starts at 0 unless it says otherwise.
    #[must_use]
    pub fn has_bad_interval(&self) -> bool {
        self.stop_time.is_some_and(|stop| stop <= self.start_time.unwrap_or(0.0))
    }

    /// Whether the step size is not positive or does not fit into the interval.
    #[must_use]
    pub fn has_bad_step_size(&self) -> bool {
        let interval = self.stop_time.map(|stop| stop - self.start_time.unwrap_or(0.0)).filter(|_| !self.has_bad_interval());
        self.step_size.is_some_and(|step| step <= 0.0 || interval.is_some_and(|interval| step >= interval))
    }
}

impl ModelDescription {
    /// The variable of this name.
    #[must_use]
    pub fn variable(&self, name: &str) -> Option<&Variable> {
        self.variables.iter().find(|variable| variable.name == name)
    }

    /// The items of the enumeration of this name; none if there is no such type.
    #[must_use]
    pub fn items(&self, enumeration: &str) -> &[EnumerationItem] {
        self.enumerations.iter().find(|known| known.name == enumeration).map_or(&[], |known| &known.items)
    }
}
