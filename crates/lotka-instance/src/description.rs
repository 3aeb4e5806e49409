//! The properties of a model known before it runs, in terms that all versions of FMI share.

mod units;
mod variable;

pub use units::{BaseUnit, DisplayUnit, Unit};
pub use variable::{
    BinaryKind, BooleanKind, Causality, EnumerationKind, Initial, IntegerKind, IntegerType, RealKind, TextKind, Variability,
    Variable, VariableKind,
};

use crate::Capabilities;

/// The interface of a model: its variables, their dependencies, and its capabilities. The reader of every version of FMI creates
/// it, and so can any program that provides instances of its own.
///
/// ```
/// use lotka::instance::{ModelDescription, description::{Causality, RealKind, Unknown, Variable, VariableKind}};
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
    /// Name of the model; any text.
    pub model_name: String,
    /// Key that identifies the implementation: the GUID of FMI 2.0, the instantiation token of FMI 3.0.
    pub token: String,
    /// Short description of the model.
    pub description: Option<String>,
    /// Version of the model.
    pub version: Option<String>,
    /// Tool that created the model.
    pub generation_tool: Option<String>,
    /// `YYYY-MM-DDThh:mm:ssZ`.
    pub generation_date_and_time: Option<String>,
    /// The variables; all other parts refer to them by index, counted from 0. Each element of an array is a variable, such as
    /// `y[2,1]`.
    pub variables: Vec<Variable>,
    /// The arrays among the variables.
    pub arrays: Vec<Array>,
    /// The outputs, with their dependencies at a communication point.
    pub outputs: Vec<Unknown>,
    /// Derivatives of continuous states.
    pub derivatives: Vec<Unknown>,
    /// The variables computed by initialization.
    pub initial_unknowns: Vec<Unknown>,
    /// Units used by variables.
    pub units: Vec<Unit>,
    /// Enumeration types used by variables.
    pub enumerations: Vec<EnumerationType>,
    /// The experiment that the author of the model recommends.
    pub default_experiment: Option<DefaultExperiment>,
    /// Size of its internal steps \[s\], if it is fixed and declared (FMI 3.0: `fixedInternalStepSize`): communication steps must
    /// be multiples of it.
    pub fixed_internal_step: Option<f64>,
    /// Whether its outputs are known before the run: steps do not call its instances.
    pub is_source: bool,
    /// Whether instances may run on several threads of a process at the same time.
    pub is_thread_safe: bool,
    /// The declared capabilities; an instance may support fewer.
    pub capabilities: Capabilities,
}

/// An array of variables.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Array {
    /// Its name, without brackets.
    pub name: String,
    /// Sizes of its dimensions, outermost first.
    pub shape: Vec<usize>,
    /// Index of its first element among the variables. The others follow, row by row.
    pub first: usize,
}

impl Array {
    /// Returns the indices of its elements among the variables.
    #[must_use]
    pub fn elements(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.shape.iter().product::<usize>()
    }

    /// Returns the name of an element by its position, as in Modelica: indices count from 1.
    ///
    /// ```
    /// use lotka::instance::description::Array;
    ///
    /// let array = Array { name: "y".to_owned(), shape: vec![2, 3], first: 0 };
    /// let names: Vec<_> = array.elements().map(|position| array.element_name(position)).collect();
    /// assert_eq!(names, ["y[1,1]", "y[1,2]", "y[1,3]", "y[2,1]", "y[2,2]", "y[2,3]"]);
    /// ```
    #[must_use]
    pub fn element_name(&self, position: usize) -> String {
        let mut rest = position;
        let mut indices: Vec<_> = self
            .shape
            .iter()
            .rev()
            .map(|&size| {
                let index = rest % size.max(1) + 1;
                rest /= size.max(1);
                index.to_string()
            })
            .collect();
        indices.reverse();
        format!("{}[{}]", self.name, indices.join(","))
    }
}

/// An unknown with its dependencies.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Unknown {
    /// Index of the variable.
    pub index: usize,
    /// Indices of the variables on which it depends. `None`: unspecified, it may depend on all; empty: on none.
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
    pub value: i128,
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
    /// Whether it ends before it starts; the default start is 0.
    #[must_use]
    pub fn has_bad_interval(&self) -> bool {
        self.stop_time.is_some_and(|stop| stop <= self.start_time.unwrap_or(0.0))
    }

    /// Whether the step size is not positive or longer than the interval.
    #[must_use]
    pub fn has_bad_step_size(&self) -> bool {
        let interval = self.stop_time.map(|stop| stop - self.start_time.unwrap_or(0.0)).filter(|_| !self.has_bad_interval());
        self.step_size.is_some_and(|step| step <= 0.0 || interval.is_some_and(|interval| step >= interval))
    }
}

impl ModelDescription {
    /// Returns the variable with this name.
    #[must_use]
    pub fn variable(&self, name: &str) -> Option<&Variable> {
        self.variables.iter().find(|variable| variable.name == name)
    }

    /// Returns the array with this name.
    #[must_use]
    pub fn array(&self, name: &str) -> Option<&Array> {
        self.arrays.iter().find(|array| array.name == name)
    }

    /// Returns the items of the enumeration with this name; empty if there is no such type.
    #[must_use]
    pub fn items(&self, enumeration: &str) -> &[EnumerationItem] {
        self.enumerations.iter().find(|known| known.name == enumeration).map_or(&[], |known| &known.items)
    }
}
