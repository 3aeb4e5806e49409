//! The root of the description and everything except types, variables and model structure.

use lotka_instance::description::{BaseUnit, DefaultExperiment};

use super::{Annotation, ModelStructure, NamingConvention, TypeDefinition, Variable};

/// The content of a `modelDescription.xml`. Absent optional attributes are `None`, so that reading and writing lose nothing.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ModelDescription {
    /// `fmiVersion`; "3.0" in descriptions that this project writes.
    pub fmi_version: String,
    /// Name of the model; any text.
    pub model_name: String,
    /// Identifier that ties the XML to the library.
    pub instantiation_token: String,
    /// Short text about the model.
    pub description: Option<String>,
    /// Author of the model.
    pub author: Option<String>,
    /// Version of the model.
    pub version: Option<String>,
    /// Copyright notice.
    pub copyright: Option<String>,
    /// License.
    pub license: Option<String>,
    /// Tool that generated the XML.
    pub generation_tool: Option<String>,
    /// Date and time of generation, as `YYYY-MM-DDThh:mm:ssZ`.
    pub generation_date_and_time: Option<String>,
    /// Convention for variable names; `None` means flat.
    pub variable_naming_convention: Option<NamingConvention>,
    /// Model exchange interface; kept so that writing loses nothing.
    pub model_exchange: Option<ModelExchange>,
    /// Co-simulation interface; `None` if the FMU does not support co-simulation.
    pub co_simulation: Option<CoSimulation>,
    /// Scheduled execution interface; kept so that writing loses nothing.
    pub scheduled_execution: Option<Interface>,
    /// Unit definitions.
    pub units: Vec<Unit>,
    /// Type definitions.
    pub types: Vec<TypeDefinition>,
    /// Log categories.
    pub log_categories: Vec<LogCategory>,
    /// Default experiment.
    pub default_experiment: Option<DefaultExperiment>,
    /// Annotations of the default experiment, if there is one.
    pub default_experiment_annotations: Vec<Annotation>,
    /// Variables in file order; `ModelStructure` refers to them by value reference.
    pub variables: Vec<Variable>,
    /// Outputs, derivatives and initial unknowns, with their dependencies.
    pub model_structure: ModelStructure,
    /// Annotations of the root.
    pub annotations: Vec<Annotation>,
}

/// Attributes that all interface types share.
#[derive(Debug, Clone, PartialEq, Default)]
#[allow(missing_docs, reason = "attributes of the standard in snake case")]
pub struct Interface {
    pub model_identifier: String,
    pub needs_execution_tool: Option<bool>,
    pub can_be_instantiated_only_once_per_process: Option<bool>,
    pub can_get_and_set_fmu_state: Option<bool>,
    pub can_serialize_fmu_state: Option<bool>,
    pub provides_directional_derivatives: Option<bool>,
    pub provides_adjoint_derivatives: Option<bool>,
    pub provides_per_element_dependencies: Option<bool>,
    pub annotations: Vec<Annotation>,
}

/// `ModelExchange`.
#[derive(Debug, Clone, PartialEq, Default)]
#[allow(missing_docs, reason = "attributes of the standard in snake case")]
pub struct ModelExchange {
    pub interface: Interface,
    pub needs_completed_integrator_step: Option<bool>,
    pub provides_evaluate_discrete_states: Option<bool>,
}

/// `CoSimulation`.
#[derive(Debug, Clone, PartialEq, Default)]
#[allow(missing_docs, reason = "attributes of the standard in snake case")]
pub struct CoSimulation {
    pub interface: Interface,
    pub can_handle_variable_communication_step_size: Option<bool>,
    /// \[s\]
    pub fixed_internal_step_size: Option<f64>,
    pub max_output_derivative_order: Option<u32>,
    pub recommended_intermediate_input_smoothness: Option<i32>,
    pub provides_intermediate_update: Option<bool>,
    pub might_return_early_from_do_step: Option<bool>,
    pub can_return_early_after_intermediate_update: Option<bool>,
    pub has_event_mode: Option<bool>,
    pub provides_evaluate_discrete_states: Option<bool>,
}

/// `Unit`.
#[derive(Debug, Clone, PartialEq, Default)]
#[allow(missing_docs, reason = "attributes of the standard")]
pub struct Unit {
    pub name: String,
    pub base_unit: Option<BaseUnit>,
    pub display_units: Vec<DisplayUnit>,
    pub annotations: Vec<Annotation>,
}

/// `display = factor * value + offset`, or `factor / value` if it is inverse.
#[derive(Debug, Clone, PartialEq, Default)]
#[allow(missing_docs, reason = "attributes of the standard")]
pub struct DisplayUnit {
    pub name: String,
    pub factor: Option<f64>,
    pub offset: Option<f64>,
    pub inverse: Option<bool>,
    pub annotations: Vec<Annotation>,
}

/// A log category.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[allow(missing_docs, reason = "attributes of the standard")]
pub struct LogCategory {
    pub name: String,
    pub description: Option<String>,
    pub annotations: Vec<Annotation>,
}
