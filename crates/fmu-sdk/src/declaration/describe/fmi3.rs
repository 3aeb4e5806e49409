//! The model description of FMI 3.0.

use fmi3::ModelDescription;
use fmi3::description::{
    Annotation, BinaryVariable, BooleanVariable, Causality, CoSimulation, Dimension, DisplayUnit, EnumerationItem,
    EnumerationVariable, FloatVariable, IntegerType, IntegerVariable, Interface, LogCategory, ModelStructure, StringVariable,
    TypeDefinition, TypeKind, Unit, Unknown, Variability, VariableKind,
};

use super::{Description, TOOL, identifier};
use crate::declaration::ElementType;
use crate::declaration::attributes::{EnumerationType, Number, Start, Variable};
use crate::declaration::dependencies::Mode;
use crate::declaration::place::{TIME, reference};
use crate::log::CATEGORIES;

impl Description<'_> {
    pub fn fmi3(&self) -> ModelDescription {
        let facts = &self.facts;
        let own = self.variables.iter().enumerate().map(|(i, variable)| self.variable(i, variable));
        let category = |name: &str| LogCategory { name: name.into(), ..Default::default() };
        let mut description = ModelDescription {
            fmi_version: "3.0".into(),
            model_name: facts.name.into(),
            description: Some(facts.description.into()),
            generation_tool: Some(TOOL.into()),
            co_simulation: Some(self.co_simulation3()),
            units: facts.units.iter().map(unit).collect(),
            types: facts.enumerations.iter().map(type_definition).collect(),
            log_categories: CATEGORIES.iter().map(|c| category(c.name())).collect(),
            default_experiment: facts.experiment,
            variables: std::iter::once(time(self.variables)).chain(own).collect(),
            model_structure: self.structure3(),
            ..Default::default()
        };
        description.instantiation_token = identifier(&description);
        // Not part of the interface, so it does not change the token.
        description.annotations = facts.thread_safe.then(Annotation::thread_safe).into_iter().collect();
        description
    }

    fn co_simulation3(&self) -> CoSimulation {
        CoSimulation {
            interface: Interface {
                model_identifier: self.facts.name.into(),
                can_get_and_set_fmu_state: Some(true),
                can_serialize_fmu_state: Some(true),
                provides_directional_derivatives: Some(self.directional),
                ..Default::default()
            },
            can_handle_variable_communication_step_size: Some(true),
            max_output_derivative_order: Some(self.facts.max_output_derivative_order as u32),
            provides_intermediate_update: Some(!self.facts.interpolated.is_empty()),
            might_return_early_from_do_step: Some(self.facts.returns_early),
            has_event_mode: Some(self.facts.has_events),
            ..Default::default()
        }
    }

    fn structure3(&self) -> ModelStructure {
        let unknown = |i: usize, mode| Unknown {
            value_reference: reference(i),
            dependencies: self.dependencies.knowns(i, mode).map(|list| list.into_iter().map(reference).collect()),
            ..Default::default()
        };
        let list = |unknowns: &[usize], mode| unknowns.iter().map(|&i| unknown(i, mode)).collect();
        ModelStructure {
            outputs: list(&self.unknowns.outputs, Mode::Steps),
            continuous_state_derivatives: list(&self.unknowns.derivatives, Mode::Steps),
            initial_unknowns: list(&self.unknowns.initial, Mode::Start),
            ..Default::default()
        }
    }

    fn variable(&self, index: usize, variable: &Variable) -> fmi3::description::Variable {
        let interpolated = self.facts.interpolated.contains(&index);
        fmi3::description::Variable {
            name: variable.name.clone(),
            value_reference: reference(index),
            description: variable.description.clone(),
            declared_causality: Some(variable.causality),
            declared_variability: Some(variable.variability),
            intermediate_update: interpolated.then_some(true),
            declared_initial: variable.initial,
            kind: kind(variable),
            dimensions: dimensions(variable),
            ..Default::default()
        }
    }
}

fn dimensions(variable: &Variable) -> Vec<Dimension> {
    if variable.sized_by.is_empty() {
        variable.shape.iter().map(|&size| Dimension::Fixed(size as u64)).collect()
    } else {
        variable.sized_by.iter().map(|&parameter| Dimension::Variable(reference(parameter))).collect()
    }
}

/// Returns the independent variable, with a name that no other variable has.
fn time(variables: &[Variable]) -> fmi3::description::Variable {
    let candidates = std::iter::once("time".to_owned()).chain((1..).map(|n| format!("time_{n}")));
    let mut free = candidates.filter(|name| variables.iter().all(|variable| variable.name != *name));
    fmi3::description::Variable {
        name: free.next().unwrap_or_default(),
        value_reference: TIME,
        description: Some("simulation time".into()),
        declared_causality: Some(Causality::Independent),
        declared_variability: Some(Variability::Continuous),
        kind: VariableKind::Float64(FloatVariable::default()),
        ..Default::default()
    }
}

fn kind(variable: &Variable) -> VariableKind {
    let (start, element) = (variable.start.clone(), variable.element);
    let integers = match &start {
        Some(Start::Integers(values)) => Some(values.clone()),
        _ => None,
    };
    match (element, integer_type(element)) {
        (_, Some(of)) => VariableKind::Integer(
            of,
            IntegerVariable { min: integer(variable.min), max: integer(variable.max), start: integers, ..Default::default() },
        ),
        (ElementType::Float64, _) => VariableKind::Float64(float(variable)),
        (ElementType::Float32, _) => VariableKind::Float32(float(variable)),
        (ElementType::Boolean, _) => VariableKind::Boolean(BooleanVariable {
            start: if let Some(Start::Booleans(values)) = start { Some(values) } else { None },
            ..Default::default()
        }),
        (ElementType::Binary, _) => VariableKind::Binary(BinaryVariable {
            start: if let Some(Start::Binaries(values)) = start { values } else { Vec::new() },
            ..Default::default()
        }),
        (ElementType::Enumeration, _) => VariableKind::Enumeration(EnumerationVariable {
            declared_type: variable.enumeration.as_ref().map_or("", |of| of.name).into(),
            min: integer(variable.min).map(|value| value as i64),
            max: integer(variable.max).map(|value| value as i64),
            start: integers.map(|values| values.into_iter().map(|value| value as i64).collect()),
            ..Default::default()
        }),
        _ => VariableKind::String(StringVariable {
            start: if let Some(Start::Strings(values)) = start { values } else { Vec::new() },
            ..Default::default()
        }),
    }
}

fn float(variable: &Variable) -> FloatVariable {
    FloatVariable {
        unit: variable.unit.clone(),
        min: variable.min.and_then(Number::real),
        max: variable.max.and_then(Number::real),
        nominal: variable.nominal,
        start: if let Some(Start::Reals(values)) = &variable.start { Some(values.clone()) } else { None },
        derivative: variable.derivative.map(reference),
        ..Default::default()
    }
}

fn integer(bound: Option<Number>) -> Option<i128> {
    bound.and_then(Number::integer)
}

fn integer_type(element: ElementType) -> Option<IntegerType> {
    IntegerType::ALL.into_iter().find(|of| of.name() == element.name())
}

fn type_definition(of: &EnumerationType) -> TypeDefinition {
    let item = |(value, name): (i64, &&str)| EnumerationItem { name: (*name).into(), value, ..Default::default() };
    let items = (1..).zip(&of.items).map(item).collect();
    let kind = TypeKind::Enumeration { quantity: None, min: None, max: None, items };
    TypeDefinition { name: of.name.into(), description: None, kind, annotations: Vec::new() }
}

fn unit(unit: &lotka_instance::description::Unit) -> Unit {
    let display = |of: &lotka_instance::description::DisplayUnit| DisplayUnit {
        name: of.name.clone(),
        factor: of.factor,
        offset: of.offset,
        ..Default::default()
    };
    let display_units = unit.display_units.iter().map(display).collect();
    Unit { name: unit.name.clone(), base_unit: unit.base_unit, display_units, annotations: Vec::new() }
}
