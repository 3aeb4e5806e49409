//! The root of the description and everything except types, variables and model structure.

use fmi_xml::elements;
use lotka_instance::description::{BaseUnit, DefaultExperiment};

use super::{Annotation, ModelStructure, NamingConvention, TypeDefinition, Variable};

elements! {
    /// The content of a `modelDescription.xml`. Absent optional attributes are `None`, so that reading and writing lose nothing.
    #[derive(Debug, Clone, PartialEq, Default)]
    pub struct ModelDescription {
        /// `fmiVersion`; "3.0" in descriptions that this project writes.
        fmi_version: String = "fmiVersion" checked,
        /// Name of the model; any text.
        model_name: String = "modelName" checked,
        /// Identifier that ties the XML to the library.
        instantiation_token: String = "instantiationToken" checked,
        /// Short text about the model.
        description: Option<String> = "description" spare,
        /// Author of the model.
        author: Option<String> = "author" spare,
        /// Version of the model.
        version: Option<String> = "version" spare,
        /// Copyright notice.
        copyright: Option<String> = "copyright" spare,
        /// License.
        license: Option<String> = "license" spare,
        /// Tool that generated the XML.
        generation_tool: Option<String> = "generationTool" spare,
        /// Date and time of generation, as `YYYY-MM-DDThh:mm:ssZ`.
        generation_date_and_time: Option<String> = "generationDateAndTime" spare,
        /// Convention for variable names; `None` means flat.
        variable_naming_convention: Option<NamingConvention> = "variableNamingConvention" spare,
        /// Model exchange interface; kept so that writing loses nothing.
        model_exchange: Option<ModelExchange>,
        /// Co-simulation interface; `None` if the FMU does not support co-simulation.
        co_simulation: Option<CoSimulation>,
        /// Scheduled execution interface; kept so that writing loses nothing.
        scheduled_execution: Option<Interface>,
        /// Unit definitions.
        units: Vec<Unit>,
        /// Type definitions.
        types: Vec<TypeDefinition>,
        /// Log categories.
        log_categories: Vec<LogCategory>,
        /// Default experiment.
        default_experiment: Option<DefaultExperiment>,
        /// Annotations of the default experiment, if there is one.
        default_experiment_annotations: Vec<Annotation>,
        /// Variables in file order; `ModelStructure` refers to them by value reference.
        variables: Vec<Variable>,
        /// Outputs, derivatives and initial unknowns, with their dependencies.
        model_structure: ModelStructure,
        /// Annotations of the root.
        annotations: Vec<Annotation>,
    }

    /// Attributes that all interface types share.
    #[derive(Debug, Clone, PartialEq, Default)]
    pub struct Interface {
        model_identifier: String = "modelIdentifier" checked,
        needs_execution_tool: Option<bool> = "needsExecutionTool" spare,
        can_be_instantiated_only_once_per_process: Option<bool> = "canBeInstantiatedOnlyOncePerProcess" spare,
        can_get_and_set_fmu_state: Option<bool> = "canGetAndSetFMUState" spare,
        can_serialize_fmu_state: Option<bool> = "canSerializeFMUState" spare,
        provides_directional_derivatives: Option<bool> = "providesDirectionalDerivatives" spare,
        provides_adjoint_derivatives: Option<bool> = "providesAdjointDerivatives" spare,
        provides_per_element_dependencies: Option<bool> = "providesPerElementDependencies" spare,
        annotations: Vec<Annotation>,
    }

    /// `ModelExchange`.
    #[derive(Debug, Clone, PartialEq, Default)]
    pub struct ModelExchange {
        interface: Interface,
        needs_completed_integrator_step: Option<bool> = "needsCompletedIntegratorStep" spare,
        provides_evaluate_discrete_states: Option<bool> = "providesEvaluateDiscreteStates" spare,
    }

    /// `CoSimulation`.
    #[derive(Debug, Clone, PartialEq, Default)]
    pub struct CoSimulation {
        interface: Interface,
        can_handle_variable_communication_step_size: Option<bool> = "canHandleVariableCommunicationStepSize" spare,
        /// \[s\]
        fixed_internal_step_size: Option<f64> = "fixedInternalStepSize" spare,
        max_output_derivative_order: Option<u32> = "maxOutputDerivativeOrder" spare,
        recommended_intermediate_input_smoothness: Option<i32> = "recommendedIntermediateInputSmoothness" spare,
        provides_intermediate_update: Option<bool> = "providesIntermediateUpdate" spare,
        might_return_early_from_do_step: Option<bool> = "mightReturnEarlyFromDoStep" spare,
        can_return_early_after_intermediate_update: Option<bool> = "canReturnEarlyAfterIntermediateUpdate" spare,
        has_event_mode: Option<bool> = "hasEventMode" spare,
        provides_evaluate_discrete_states: Option<bool> = "providesEvaluateDiscreteStates" spare,
    }

    /// `Unit`.
    #[derive(Debug, Clone, PartialEq, Default)]
    pub struct Unit {
        name: String = "name" key,
        base_unit: Option<BaseUnit>,
        display_units: Vec<DisplayUnit>,
        annotations: Vec<Annotation>,
    }

    /// `display = factor * value + offset`, or `factor / value` if it is inverse.
    #[derive(Debug, Clone, PartialEq, Default)]
    pub struct DisplayUnit {
        name: String = "name" key,
        factor: Option<f64> = "factor" matters,
        offset: Option<f64> = "offset" matters,
        inverse: Option<bool> = "inverse" matters,
        annotations: Vec<Annotation>,
    }

    /// A log category.
    #[derive(Debug, Clone, PartialEq, Eq, Default)]
    pub struct LogCategory {
        name: String = "name" key,
        description: Option<String> = "description" spare,
        annotations: Vec<Annotation>,
    }
}
