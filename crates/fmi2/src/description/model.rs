//! The root of the description and everything except variables and model structure.

use fmi_xml::{debug_order, elements, kinds};
use lotka_instance::Capabilities;
use lotka_instance::description::{DefaultExperiment, Unit};

use super::{ModelStructure, NamingConvention, ScalarVariable, VariableKind};

elements! {
    /// The content of a `modelDescription.xml`. Absent optional attributes are `None`, so that reading and writing lose nothing.
    #[derive(Debug, Clone, PartialEq, Default)]
    pub struct ModelDescription {
        /// `fmiVersion`; always "2.0" in descriptions that this project writes.
        fmi_version: String = "fmiVersion" checked,
        /// Name of the model; any text.
        model_name: String = "modelName" checked,
        /// Identifier that ties the XML to the library.
        guid: String = "guid" checked,
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
        /// Number of event indicators (model exchange).
        number_of_event_indicators: Option<u32> = "numberOfEventIndicators" spare,
        /// Model exchange interface; kept so that writing loses nothing.
        model_exchange: Option<Interface>,
        /// Co-simulation interface; `None` if the FMU does not support co-simulation.
        co_simulation: Option<CoSimulation>,
        /// Unit definitions.
        units: Vec<Unit>,
        /// Type definitions.
        types: Vec<SimpleType>,
        /// Log categories.
        log_categories: Vec<LogCategory>,
        /// Default experiment.
        default_experiment: Option<DefaultExperiment>,
        /// Vendor annotations.
        vendor_annotations: Vec<Annotation>,
        /// Variables in file order; `ModelStructure` refers to them by 1-based index.
        variables: Vec<ScalarVariable>,
        /// Outputs, derivatives and initial unknowns, with their dependencies.
        model_structure: ModelStructure,
    }

    /// Attributes that `ModelExchange` and `CoSimulation` share.
    #[derive(Clone, PartialEq, Default)]
    pub struct Interface {
        model_identifier: String = "modelIdentifier" checked,
        needs_execution_tool: Option<bool> = "needsExecutionTool" spare,
        /// Model exchange only.
        completed_integrator_step_not_needed: Option<bool> = "completedIntegratorStepNotNeeded" spare,
        can_be_instantiated_only_once_per_process: Option<bool> = "canBeInstantiatedOnlyOncePerProcess" spare,
        can_not_use_memory_management_functions: Option<bool> = "canNotUseMemoryManagementFunctions" spare,
        can_get_and_set_fmu_state: Option<bool> = "canGetAndSetFMUstate" spare,
        can_serialize_fmu_state: Option<bool> = "canSerializeFMUstate" spare,
        provides_directional_derivative: Option<bool> = "providesDirectionalDerivative" spare,
        source_files: Vec<SourceFile>,
    }

    /// `CoSimulation`.
    #[derive(Debug, Clone, PartialEq, Default)]
    pub struct CoSimulation {
        interface: Interface,
        can_handle_variable_communication_step_size: Option<bool> = "canHandleVariableCommunicationStepSize" spare,
        can_interpolate_inputs: Option<bool> = "canInterpolateInputs" spare,
        max_output_derivative_order: Option<u32> = "maxOutputDerivativeOrder" spare,
        can_run_asynchronuously: Option<bool> = "canRunAsynchronuously" spare,
    }

    /// A file of `SourceFiles`.
    #[derive(Debug, Clone, PartialEq, Eq, Default)]
    pub struct SourceFile {
        name: String = "name" key,
    }

    /// A named type that variables refer to with `declaredType`.
    #[derive(Debug, Clone, PartialEq)]
    pub struct SimpleType {
        name: String = "name" key,
        description: Option<String> = "description" spare,
        kind: TypeKind,
    }

    /// One item of an enumeration type.
    #[derive(Debug, Clone, PartialEq, Eq, Default)]
    pub struct EnumerationItem {
        name: String = "name" key,
        value: i32 = "value" key,
        description: Option<String> = "description" spare,
    }

    /// A log category.
    #[derive(Debug, Clone, PartialEq, Eq, Default)]
    pub struct LogCategory {
        name: String = "name" key,
        description: Option<String> = "description" spare,
    }

    /// A `Tool` element of `VendorAnnotations` or of a variable's `Annotations`. Its inner XML is kept as text and not
    /// interpreted.
    #[derive(Debug, Clone, PartialEq, Eq, Default)]
    pub struct Annotation {
        tool: String = "name" key,
        xml: String,
    }
}

debug_order! { Interface: model_identifier needs_execution_tool can_be_instantiated_only_once_per_process
can_not_use_memory_management_functions can_get_and_set_fmu_state can_serialize_fmu_state provides_directional_derivative
completed_integrator_step_not_needed source_files }

kinds! {
    /// Attributes of a [`SimpleType`]; `None` if absent.
    #[derive(Debug, Clone, PartialEq)]
    pub enum TypeKind {
        Real ["Real"] {
            quantity: Option<String> = "quantity" spare,
            unit: Option<String> = "unit" spare,
            display_unit: Option<String> = "displayUnit" spare,
            relative_quantity: Option<bool> = "relativeQuantity" matters,
            min: Option<f64> = "min" spare,
            max: Option<f64> = "max" spare,
            nominal: Option<f64> = "nominal" spare,
            unbounded: Option<bool> = "unbounded" spare,
        }
        Integer ["Integer"] {
            quantity: Option<String> = "quantity" spare,
            min: Option<i32> = "min" spare,
            max: Option<i32> = "max" spare,
        }
        Boolean ["Boolean"] {}
        String ["String"] {}
        Enumeration ["Enumeration"] {
            quantity: Option<String> = "quantity" spare,
            items: Vec<EnumerationItem>,
        }
    }
}

impl TypeKind {
    /// Returns the items of an enumeration; empty for other types.
    #[must_use]
    pub fn items(&self) -> &[EnumerationItem] {
        match self {
            Self::Enumeration { items, .. } => items,
            _ => &[],
        }
    }
}

impl ModelDescription {
    /// Returns the variable with this name.
    #[must_use]
    pub fn variable(&self, name: &str) -> Option<&ScalarVariable> {
        self.variables.iter().find(|v| v.name == name)
    }

    /// Returns the type definition with this name.
    #[must_use]
    pub fn simple_type(&self, name: &str) -> Option<&SimpleType> {
        self.types.iter().find(|t| t.name == name)
    }

    /// Returns the unit of a variable: its own or that of its declared type.
    #[must_use]
    pub fn unit_of<'a>(&'a self, variable: &'a ScalarVariable) -> Option<&'a str> {
        let VariableKind::Real(real) = &variable.kind else { return None };
        real.unit.as_deref().or_else(|| match &self.simple_type(real.declared_type.as_deref()?)?.kind {
            TypeKind::Real { unit, .. } => unit.as_deref(),
            _ => None,
        })
    }

    /// Returns the physical quantity of a Real variable: its own or that of its declared type.
    #[must_use]
    pub fn quantity_of<'a>(&'a self, variable: &'a ScalarVariable) -> Option<&'a str> {
        let VariableKind::Real(real) = &variable.kind else { return None };
        real.quantity.as_deref().or_else(|| match &self.simple_type(real.declared_type.as_deref()?)?.kind {
            TypeKind::Real { quantity, .. } => quantity.as_deref(),
            _ => None,
        })
    }

    /// Returns the minimum and maximum of a number: its own or those of its declared type.
    pub fn range_of(&self, variable: &ScalarVariable) -> [Option<f64>; 2] {
        let declared = |name: Option<&str>| name.and_then(|name| self.simple_type(name)).map(|found| &found.kind);
        let (own, of_type) = match &variable.kind {
            VariableKind::Real(real) => ([real.min, real.max], declared(real.declared_type.as_deref())),
            VariableKind::Integer(integer) => {
                ([integer.min, integer.max].map(|bound| bound.map(f64::from)), declared(integer.declared_type.as_deref()))
            }
            VariableKind::Enumeration(enumeration) => {
                ([enumeration.min, enumeration.max].map(|bound| bound.map(f64::from)), None)
            }
            VariableKind::Boolean(_) | VariableKind::String(_) => return [None; 2],
        };
        let of_type = match of_type {
            Some(TypeKind::Real { min, max, .. }) => [*min, *max],
            Some(TypeKind::Integer { min, max, .. }) => [min.map(f64::from), max.map(f64::from)],
            _ => [None; 2],
        };
        [own[0].or(of_type[0]), own[1].or(of_type[1])]
    }

    /// Returns the nominal value of a Real variable: its own or that of its declared type.
    #[must_use]
    pub fn nominal_of(&self, variable: &ScalarVariable) -> Option<f64> {
        let VariableKind::Real(real) = &variable.kind else { return None };
        real.nominal.or_else(|| match &self.simple_type(real.declared_type.as_deref()?)?.kind {
            TypeKind::Real { nominal, .. } => *nominal,
            _ => None,
        })
    }
}

impl CoSimulation {
    /// Returns the capabilities that the description declares; absent flags are false. The library may support fewer.
    #[must_use]
    pub fn declared_capabilities(&self) -> Capabilities {
        let interface = &self.interface;
        Capabilities {
            variable_step: self.can_handle_variable_communication_step_size.unwrap_or(false),
            save_state: interface.can_get_and_set_fmu_state.unwrap_or(false),
            serialize_state: interface.can_serialize_fmu_state.unwrap_or(false),
            directional_derivative: interface.provides_directional_derivative.unwrap_or(false),
            interpolate_inputs: self.can_interpolate_inputs.unwrap_or(false),
            max_output_derivative_order: self.max_output_derivative_order.unwrap_or(0),
            run_asynchronously: self.can_run_asynchronuously.unwrap_or(false),
            only_once_per_process: interface.can_be_instantiated_only_once_per_process.unwrap_or(false),
            event_mode: false,
        }
    }
}
