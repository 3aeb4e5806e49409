//! The root of the description and everything except variables and model structure.

use lotka_instance::description::{DefaultExperiment, Unit};

use super::{ModelStructure, NamingConvention, ScalarVariable, VariableKind};
use lotka_instance::Capabilities;

/// The content of a `modelDescription.xml`. Absent optional attributes are `None`, so that reading and writing lose nothing.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ModelDescription {
    /// `fmiVersion`; always "2.0" in descriptions that this project writes.
    pub fmi_version: String,
    /// Name of the model; any text.
    pub model_name: String,
    /// Identifier that ties the XML to the library.
    pub guid: String,
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
    /// Number of event indicators (model exchange).
    pub number_of_event_indicators: Option<u32>,
    /// Model exchange interface; kept so that writing loses nothing.
    pub model_exchange: Option<Interface>,
    /// Co-simulation interface; `None` if the FMU does not support co-simulation.
    pub co_simulation: Option<CoSimulation>,
    /// Unit definitions.
    pub units: Vec<Unit>,
    /// Type definitions.
    pub types: Vec<SimpleType>,
    /// Log categories.
    pub log_categories: Vec<LogCategory>,
    /// Default experiment.
    pub default_experiment: Option<DefaultExperiment>,
    /// Vendor annotations.
    pub vendor_annotations: Vec<Annotation>,
    /// Variables in file order; `ModelStructure` refers to them by 1-based index.
    pub variables: Vec<ScalarVariable>,
    /// Outputs, derivatives and initial unknowns, with their dependencies.
    pub model_structure: ModelStructure,
}

/// Attributes that `ModelExchange` and `CoSimulation` share.
#[derive(Debug, Clone, PartialEq, Default)]
#[allow(missing_docs, reason = "attributes of the standard in snake case")]
pub struct Interface {
    pub model_identifier: String,
    pub needs_execution_tool: Option<bool>,
    pub can_be_instantiated_only_once_per_process: Option<bool>,
    pub can_not_use_memory_management_functions: Option<bool>,
    pub can_get_and_set_fmu_state: Option<bool>,
    pub can_serialize_fmu_state: Option<bool>,
    pub provides_directional_derivative: Option<bool>,
    /// `completedIntegratorStepNotNeeded`, model exchange only.
    pub completed_integrator_step_not_needed: Option<bool>,
    pub source_files: Vec<SourceFile>,
}

/// `CoSimulation`.
#[derive(Debug, Clone, PartialEq, Default)]
#[allow(missing_docs, reason = "attributes of the standard in snake case")]
pub struct CoSimulation {
    pub interface: Interface,
    pub can_handle_variable_communication_step_size: Option<bool>,
    pub can_interpolate_inputs: Option<bool>,
    pub max_output_derivative_order: Option<u32>,
    pub can_run_asynchronuously: Option<bool>,
}

/// A file of `SourceFiles`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[allow(missing_docs, reason = "attributes of the standard")]
pub struct SourceFile {
    pub name: String,
}

/// A named type that variables refer to with `declaredType`.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs, reason = "attributes of the standard")]
pub struct SimpleType {
    pub name: String,
    pub description: Option<String>,
    pub kind: TypeKind,
}

/// Attributes of a [`SimpleType`]; `None` if absent.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs, reason = "attributes of the standard")]
pub enum TypeKind {
    Real {
        quantity: Option<String>,
        unit: Option<String>,
        display_unit: Option<String>,
        relative_quantity: Option<bool>,
        min: Option<f64>,
        max: Option<f64>,
        nominal: Option<f64>,
        unbounded: Option<bool>,
    },
    Integer {
        quantity: Option<String>,
        min: Option<i32>,
        max: Option<i32>,
    },
    Boolean,
    String,
    Enumeration {
        quantity: Option<String>,
        items: Vec<EnumerationItem>,
    },
}

/// One item of an enumeration type.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[allow(missing_docs, reason = "attributes of the standard")]
pub struct EnumerationItem {
    pub name: String,
    pub value: i32,
    pub description: Option<String>,
}

/// A log category.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[allow(missing_docs, reason = "attributes of the standard")]
pub struct LogCategory {
    pub name: String,
    pub description: Option<String>,
}

/// A `Tool` element of `VendorAnnotations` or of a variable's `Annotations`. Its inner XML is kept as text and not interpreted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[allow(missing_docs, reason = "attributes of the standard")]
pub struct Annotation {
    pub tool: String,
    pub xml: String,
}

impl TypeKind {
    /// Returns the element name: Real, Integer, Boolean, String or Enumeration.
    #[must_use]
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Real { .. } => "Real",
            Self::Integer { .. } => "Integer",
            Self::Boolean => "Boolean",
            Self::String => "String",
            Self::Enumeration { .. } => "Enumeration",
        }
    }

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
