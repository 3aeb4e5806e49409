//! The attributes of every element: one table that both the reader and the writer use.
//!
//! A line of the table is `field = "attributeName" mode`. The mode defines how a missing or malformed value is handled;
//! the methods of [`Source`] are the modes.

use super::read::Source;
use super::value::Field;
use super::{
    Annotation, BaseUnit, BooleanVariable, CoSimulation, DefaultExperiment, DisplayUnit, EnumerationItem, EnumerationVariable,
    IntegerVariable, Interface, LogCategory, ModelDescription, RealVariable, ScalarVariable, SimpleType, SourceFile,
    StringVariable, TypeKind, Unit, Unknown, VariableKind,
};

/// An element that has attributes.
pub(super) trait Attributes {
    /// Reads the attributes from an element of a file.
    fn read(&mut self, source: &mut Source<'_, '_>);

    /// Passes every attribute to `sink`, absent ones included.
    fn show(&self, sink: &mut dyn Sink);
}

/// Receives attributes: implemented by the writer and by the check of values.
pub(super) trait Sink {
    /// Receives one attribute.
    fn put(&mut self, name: &'static str, value: &dyn Field);
}

macro_rules! attributes {
    ($($type:ty { $($pattern:path { $($field:ident = $name:literal $mode:ident),* $(,)? })+ })*) => {$(
        impl Attributes for $type {
            fn read(&mut self, source: &mut Source<'_, '_>) {
                match self {
                    $($pattern { $($field,)* .. } => { $(source.$mode($name, $field);)* })+
                }
            }

            fn show(&self, sink: &mut dyn Sink) {
                match self {
                    $($pattern { $($field,)* .. } => { $(sink.put($name, $field);)* })+
                }
            }
        }
    )*};
}

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
    Unit { Unit { name = "name" key } }
    BaseUnit { BaseUnit {
        kg = "kg" matters, m = "m" matters, s = "s" matters, a = "A" matters, k = "K" matters,
        mol = "mol" matters, cd = "cd" matters, rad = "rad" matters,
        factor = "factor" matters,
        offset = "offset" matters,
    } }
    DisplayUnit { DisplayUnit { name = "name" key, factor = "factor" matters, offset = "offset" matters } }
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
    DefaultExperiment { DefaultExperiment {
        start_time = "startTime" spare,
        stop_time = "stopTime" spare,
        tolerance = "tolerance" spare,
        step_size = "stepSize" spare,
    } }
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
        dependencies = "dependencies" spare,
        dependency_kinds = "dependenciesKind" spare,
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
