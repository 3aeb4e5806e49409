//! The attributes of every element: one table that both the reader and the writer use.
//!
//! A line of the table is `field = "attributeName" mode`. The mode defines how a missing or malformed value is handled;
//! the methods of [`Source`] are the modes.

use fmi_xml::{Attributes, Listed, Sink, Source, attributes};

use super::{
    Annotation, BooleanVariable, CoSimulation, EnumerationItem, EnumerationVariable, IntegerVariable, Interface, LogCategory,
    ModelDescription, RealVariable, ScalarVariable, SimpleType, SourceFile, StringVariable, TypeKind, Unknown, VariableKind,
};

/// Codec of indices.
const INDICES: Listed = Listed("a list of variable indices, counted from 1");

/// Codec of `dependenciesKind`.
const KINDS: Listed = Listed("a list of dependent, constant, fixed, tunable or discrete");

attributes! {
    ModelDescription { ModelDescription {
        fmi_version = "fmiVersion" checked,
        model_name = "modelName" checked,
        guid = "guid" checked,
        description = "description" spare,
        author = "author" spare,
        version = "version" spare,
        copyright = "copyright" spare,
        license = "license" spare,
        generation_tool = "generationTool" spare,
        generation_date_and_time = "generationDateAndTime" spare,
        variable_naming_convention = "variableNamingConvention" spare,
        number_of_event_indicators = "numberOfEventIndicators" spare,
    } }
    Interface { Interface {
        model_identifier = "modelIdentifier" checked,
        needs_execution_tool = "needsExecutionTool" spare,
        completed_integrator_step_not_needed = "completedIntegratorStepNotNeeded" spare,
        can_be_instantiated_only_once_per_process = "canBeInstantiatedOnlyOncePerProcess" spare,
        can_not_use_memory_management_functions = "canNotUseMemoryManagementFunctions" spare,
        can_get_and_set_fmu_state = "canGetAndSetFMUstate" spare,
        can_serialize_fmu_state = "canSerializeFMUstate" spare,
        provides_directional_derivative = "providesDirectionalDerivative" spare,
    } }
    CoSimulation { CoSimulation {
        can_handle_variable_communication_step_size = "canHandleVariableCommunicationStepSize" spare,
        can_interpolate_inputs = "canInterpolateInputs" spare,
        max_output_derivative_order = "maxOutputDerivativeOrder" spare,
        can_run_asynchronuously = "canRunAsynchronuously" spare,
    } }
    SourceFile { SourceFile { name = "name" key } }
    SimpleType { SimpleType { name = "name" key, description = "description" spare } }
    TypeKind {
        TypeKind::Real {
            quantity = "quantity" spare,
            unit = "unit" spare,
            display_unit = "displayUnit" spare,
            relative_quantity = "relativeQuantity" matters,
            min = "min" spare,
            max = "max" spare,
            nominal = "nominal" spare,
            unbounded = "unbounded" spare,
        }
        TypeKind::Integer { quantity = "quantity" spare, min = "min" spare, max = "max" spare }
        TypeKind::Boolean {}
        TypeKind::String {}
        TypeKind::Enumeration { quantity = "quantity" spare }
    }
    EnumerationItem { EnumerationItem { name = "name" key, value = "value" key, description = "description" spare } }
    LogCategory { LogCategory { name = "name" key, description = "description" spare } }
    Annotation { Annotation { tool = "name" key } }
    ScalarVariable { ScalarVariable {
        name = "name" checked,
        value_reference = "valueReference" required,
        description = "description" spare,
        declared_causality = "causality" matters,
        declared_variability = "variability" matters,
        declared_initial = "initial" matters,
        can_handle_multiple_set_per_time_instant = "canHandleMultipleSetPerTimeInstant" spare,
    } }
    RealVariable { RealVariable {
        declared_type = "declaredType" spare,
        quantity = "quantity" spare,
        unit = "unit" spare,
        display_unit = "displayUnit" spare,
        relative_quantity = "relativeQuantity" matters,
        min = "min" spare,
        max = "max" spare,
        nominal = "nominal" spare,
        unbounded = "unbounded" spare,
        start = "start" matters,
        derivative = "derivative" spare,
        reinit = "reinit" spare,
    } }
    IntegerVariable { IntegerVariable {
        declared_type = "declaredType" spare,
        quantity = "quantity" spare,
        min = "min" spare,
        max = "max" spare,
        start = "start" matters,
    } }
    BooleanVariable { BooleanVariable { declared_type = "declaredType" spare, start = "start" matters } }
    StringVariable { StringVariable { declared_type = "declaredType" spare, start = "start" matters } }
    EnumerationVariable { EnumerationVariable {
        declared_type = "declaredType" checked,
        quantity = "quantity" spare,
        min = "min" spare,
        max = "max" spare,
        start = "start" matters,
    } }
    Unknown { Unknown {
        index = "index" key,
        dependencies = "dependencies" spare by INDICES,
        dependency_kinds = "dependenciesKind" spare by KINDS,
    } }
}

impl Attributes for VariableKind {
    fn read(&mut self, source: &mut Source<'_, '_>) {
        match self {
            Self::Real(v) => v.read(source),
            Self::Integer(v) => v.read(source),
            Self::Boolean(v) => v.read(source),
            Self::String(v) => v.read(source),
            Self::Enumeration(v) => v.read(source),
        }
    }

    fn show(&self, sink: &mut dyn Sink) {
        match self {
            Self::Real(v) => v.show(sink),
            Self::Integer(v) => v.show(sink),
            Self::Boolean(v) => v.show(sink),
            Self::String(v) => v.show(sink),
            Self::Enumeration(v) => v.show(sink),
        }
    }
}
