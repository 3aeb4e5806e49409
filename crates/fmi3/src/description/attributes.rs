//! The attributes of every element: one table that both the reader and the writer use.
//!
//! A line of the table is `field = "attributeName" mode`. The mode defines how a missing or malformed value is handled; `by`
//! names the text form of values that depend on more than their type ([`super::numbers`]).

use fmi_xml::{Attributes, Coded, Listed, Sink, Source, attributes, names};

use super::numbers::{Floating, Hex, List, Plain, Whole};
use super::{
    Alias, Annotation, BinaryVariable, BooleanVariable, Causality, ClockAttributes, ClockVariable, CoSimulation, DisplayUnit,
    EnumerationItem, EnumerationVariable, FloatVariable, IntegerVariable, Interface, IntervalVariability, LogCategory,
    ModelDescription, ModelExchange, StringVariable, TypeDefinition, TypeKind, Unit, Unknown, Variable, VariableKind,
};

names! {
    Causality: "parameter, calculatedParameter, input, output, local, independent or structuralParameter" {
        Parameter = "parameter",
        CalculatedParameter = "calculatedParameter",
        Input = "input",
        Output = "output",
        Local = "local",
        Independent = "independent",
        StructuralParameter = "structuralParameter",
    }
    IntervalVariability: "constant, fixed, tunable, changing, countdown or triggered" {
        Constant = "constant",
        Fixed = "fixed",
        Tunable = "tunable",
        Changing = "changing",
        Countdown = "countdown",
        Triggered = "triggered",
    }
}

/// Codec of lists of value references.
const REFERENCES: Listed = Listed("a list of value references");

/// Codec of `dependenciesKind`.
const KINDS: Listed = Listed("a list of dependent, constant, fixed, tunable or discrete");

/// A `Dimension` as in the file.
#[derive(Default)]
pub(super) struct RawDimension {
    pub start: Option<u64>,
    pub value_reference: Option<u32>,
}

/// A `Start` of a String variable.
#[derive(Default)]
pub(super) struct StartText {
    pub value: Option<String>,
}

/// A `Start` of a Binary variable.
#[derive(Default)]
pub(super) struct StartBytes {
    pub value: Option<Vec<u8>>,
}

attributes! {
    ModelDescription { ModelDescription {
        fmi_version = "fmiVersion" checked,
        model_name = "modelName" checked,
        instantiation_token = "instantiationToken" checked,
        description = "description" spare,
        author = "author" spare,
        version = "version" spare,
        copyright = "copyright" spare,
        license = "license" spare,
        generation_tool = "generationTool" spare,
        generation_date_and_time = "generationDateAndTime" spare,
        variable_naming_convention = "variableNamingConvention" spare,
    } }
    Interface { Interface {
        model_identifier = "modelIdentifier" checked,
        needs_execution_tool = "needsExecutionTool" spare,
        can_be_instantiated_only_once_per_process = "canBeInstantiatedOnlyOncePerProcess" spare,
        can_get_and_set_fmu_state = "canGetAndSetFMUState" spare,
        can_serialize_fmu_state = "canSerializeFMUState" spare,
        provides_directional_derivatives = "providesDirectionalDerivatives" spare,
        provides_adjoint_derivatives = "providesAdjointDerivatives" spare,
        provides_per_element_dependencies = "providesPerElementDependencies" spare,
    } }
    ModelExchange { ModelExchange {
        needs_completed_integrator_step = "needsCompletedIntegratorStep" spare,
        provides_evaluate_discrete_states = "providesEvaluateDiscreteStates" spare,
    } }
    CoSimulation { CoSimulation {
        can_handle_variable_communication_step_size = "canHandleVariableCommunicationStepSize" spare,
        fixed_internal_step_size = "fixedInternalStepSize" spare,
        max_output_derivative_order = "maxOutputDerivativeOrder" spare,
        recommended_intermediate_input_smoothness = "recommendedIntermediateInputSmoothness" spare,
        provides_intermediate_update = "providesIntermediateUpdate" spare,
        might_return_early_from_do_step = "mightReturnEarlyFromDoStep" spare,
        can_return_early_after_intermediate_update = "canReturnEarlyAfterIntermediateUpdate" spare,
        has_event_mode = "hasEventMode" spare,
        provides_evaluate_discrete_states = "providesEvaluateDiscreteStates" spare,
    } }
    Unit { Unit { name = "name" key } }
    DisplayUnit { DisplayUnit {
        name = "name" key,
        factor = "factor" matters,
        offset = "offset" matters,
        inverse = "inverse" matters,
    } }
    LogCategory { LogCategory { name = "name" key, description = "description" spare } }
    Annotation { Annotation { kind = "type" key } }
    TypeDefinition { TypeDefinition { name = "name" key, description = "description" spare } }
    EnumerationItem { EnumerationItem { name = "name" key, value = "value" key, description = "description" spare } }
    TypeKind {
        TypeKind::Float {
            [is_single]
            quantity = "quantity" spare,
            unit = "unit" spare,
            display_unit = "displayUnit" spare,
            relative_quantity = "relativeQuantity" matters,
            unbounded = "unbounded" spare,
            min = "min" spare by Floating(*is_single),
            max = "max" spare by Floating(*is_single),
            nominal = "nominal" spare by Floating(*is_single),
        }
        TypeKind::Integer {
            [of]
            quantity = "quantity" spare,
            min = "min" spare by Whole(*of),
            max = "max" spare by Whole(*of),
        }
        TypeKind::Boolean {}
        TypeKind::String {}
        TypeKind::Binary { mime_type = "mimeType" spare, max_size = "maxSize" spare }
        TypeKind::Enumeration { quantity = "quantity" spare, min = "min" spare, max = "max" spare }
        TypeKind::Clock {}
    }
    ClockAttributes { ClockAttributes {
        can_be_deactivated = "canBeDeactivated" spare,
        priority = "priority" spare,
        interval_variability = "intervalVariability" matters,
        interval_decimal = "intervalDecimal" matters,
        shift_decimal = "shiftDecimal" matters,
        supports_fraction = "supportsFraction" spare,
        resolution = "resolution" matters,
        interval_counter = "intervalCounter" matters,
        shift_counter = "shiftCounter" matters,
    } }
    Variable { Variable {
        name = "name" checked,
        value_reference = "valueReference" required,
        description = "description" spare,
        declared_causality = "causality" matters,
        declared_variability = "variability" matters,
        can_handle_multiple_set_per_time_instant = "canHandleMultipleSetPerTimeInstant" spare,
        clocks = "clocks" matters by REFERENCES,
        intermediate_update = "intermediateUpdate" spare,
        previous = "previous" spare,
        declared_initial = "initial" matters,
    } }
    RawDimension { RawDimension { start = "start" matters, value_reference = "valueReference" matters } }
    Alias { Alias { name = "name" key, description = "description" spare, display_unit = "displayUnit" spare } }
    StartText { StartText { value = "value" matters } }
    StartBytes { StartBytes { value = "value" matters by Hex } }
    FloatVariable { FloatVariable {
        declared_type = "declaredType" spare,
        quantity = "quantity" spare,
        unit = "unit" spare,
        display_unit = "displayUnit" spare,
        relative_quantity = "relativeQuantity" matters,
        unbounded = "unbounded" spare,
        derivative = "derivative" spare,
        reinit = "reinit" spare,
    } }
    IntegerVariable { IntegerVariable { declared_type = "declaredType" spare, quantity = "quantity" spare } }
    BooleanVariable { BooleanVariable { declared_type = "declaredType" spare, start = "start" matters by List(Plain) } }
    StringVariable { StringVariable { declared_type = "declaredType" spare } }
    BinaryVariable { BinaryVariable {
        declared_type = "declaredType" spare,
        mime_type = "mimeType" spare,
        max_size = "maxSize" spare,
    } }
    EnumerationVariable { EnumerationVariable {
        declared_type = "declaredType" checked,
        quantity = "quantity" spare,
        min = "min" spare,
        max = "max" spare,
        start = "start" matters by List(Plain),
    } }
    ClockVariable { ClockVariable { declared_type = "declaredType" spare } }
    Unknown { Unknown {
        value_reference = "valueReference" key,
        dependencies = "dependencies" spare by REFERENCES,
        dependency_kinds = "dependenciesKind" spare by KINDS,
    } }
}

impl Attributes for VariableKind {
    fn read(&mut self, source: &mut Source<'_, '_>) {
        match self {
            Self::Float64(v) => read_float(v, Floating(false), source),
            Self::Float32(v) => read_float(v, Floating(true), source),
            Self::Integer(of, v) => {
                v.read(source);
                source.spare("min", &mut Coded(Whole(*of), &mut v.min));
                source.spare("max", &mut Coded(Whole(*of), &mut v.max));
                source.matters("start", &mut Coded(List(Whole(*of)), &mut v.start));
            }
            Self::Boolean(v) => v.read(source),
            Self::String(v) => v.read(source),
            Self::Binary(v) => v.read(source),
            Self::Enumeration(v) => v.read(source),
            Self::Clock(v) => {
                v.read(source);
                v.clock.read(source);
            }
        }
    }

    fn show(&self, sink: &mut dyn Sink) {
        match self {
            Self::Float64(v) => show_float(v, Floating(false), sink),
            Self::Float32(v) => show_float(v, Floating(true), sink),
            Self::Integer(of, v) => {
                v.show(sink);
                sink.put("min", &Coded(Whole(*of), &v.min));
                sink.put("max", &Coded(Whole(*of), &v.max));
                sink.put("start", &Coded(List(Whole(*of)), &v.start));
            }
            Self::Boolean(v) => v.show(sink),
            Self::String(v) => v.show(sink),
            Self::Binary(v) => v.show(sink),
            Self::Enumeration(v) => v.show(sink),
            Self::Clock(v) => {
                v.show(sink);
                v.clock.show(sink);
            }
        }
    }
}

fn read_float(v: &mut FloatVariable, codec: Floating, source: &mut Source<'_, '_>) {
    v.read(source);
    source.spare("min", &mut Coded(codec, &mut v.min));
    source.spare("max", &mut Coded(codec, &mut v.max));
    source.spare("nominal", &mut Coded(codec, &mut v.nominal));
    source.matters("start", &mut Coded(List(codec), &mut v.start));
}

fn show_float(v: &FloatVariable, codec: Floating, sink: &mut dyn Sink) {
    v.show(sink);
    sink.put("min", &Coded(codec, &v.min));
    sink.put("max", &Coded(codec, &v.max));
    sink.put("nominal", &Coded(codec, &v.nominal));
    sink.put("start", &Coded(List(codec), &v.start));
}
