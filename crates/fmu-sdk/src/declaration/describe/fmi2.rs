//! The model description of FMI 2.0, where each element of an array is a variable.

use std::ops::Range;

use fmi2::ModelDescription;
use fmi2::description::{
    Annotation, BooleanVariable, Causality, CoSimulation, EnumerationItem, EnumerationVariable, IntegerVariable, Interface,
    LogCategory, ModelStructure, RealVariable, ScalarVariable, SimpleType, StringVariable, TypeKind, Unknown, VariableKind,
};

use fmi3::description::Causality::StructuralParameter;

use super::{Description, TOOL, identifier};
use crate::Error;
use crate::declaration::ElementType;
use crate::declaration::attributes::{EnumerationType, Number, Start, Variable};
use crate::declaration::dependencies::Mode;
use crate::log::CATEGORIES;

impl Description<'_> {
    /// Returns the description, and for each variable that FMI 2.0 lacks an error; the description is then without it.
    pub fn fmi2(&self) -> (ModelDescription, Vec<Error>) {
        let mut scalars = Scalars::default();
        let mut problems = Vec::new();
        for variable in self.variables {
            if !scalars.add(variable) && variable.causality != StructuralParameter {
                problems.push(Error::NotInFmi2 { variable: variable.name.clone(), element: variable.element.name() });
            }
        }
        scalars.link(self.variables);
        let structure = self.structure(&scalars);
        let facts = &self.facts;
        let mut description = ModelDescription {
            fmi_version: "2.0".into(),
            model_name: facts.name.into(),
            description: Some(facts.description.into()),
            generation_tool: Some(TOOL.into()),
            co_simulation: Some(self.co_simulation()),
            units: facts.units.to_vec(),
            types: facts.enumerations.iter().map(simple_type).collect(),
            log_categories: CATEGORIES.iter().map(|c| LogCategory { name: c.name().into(), description: None }).collect(),
            default_experiment: facts.experiment,
            variables: scalars.list,
            model_structure: structure,
            ..Default::default()
        };
        description.guid = identifier(&description);
        // Not part of the interface, so it does not change the GUID.
        description.vendor_annotations = facts.thread_safe.then(Annotation::thread_safe).into_iter().collect();
        (description, problems)
    }

    fn co_simulation(&self) -> CoSimulation {
        CoSimulation {
            interface: Interface {
                model_identifier: self.facts.name.into(),
                can_not_use_memory_management_functions: Some(true),
                can_get_and_set_fmu_state: Some(true),
                can_serialize_fmu_state: Some(true),
                provides_directional_derivative: Some(self.directional),
                ..Default::default()
            },
            can_handle_variable_communication_step_size: Some(true),
            can_interpolate_inputs: Some(self.facts.interpolates_inputs),
            max_output_derivative_order: Some(self.facts.max_output_derivative_order as u32),
            can_run_asynchronuously: None,
        }
    }

    fn structure(&self, scalars: &Scalars) -> ModelStructure {
        let list = |unknowns: &[usize], mode| {
            let of = |&i: &usize| {
                let dependencies = self.dependencies.knowns(i, mode);
                let dependencies =
                    dependencies.map(|list| list.into_iter().flat_map(|known| scalars.indices(known)).collect::<Vec<_>>());
                scalars.indices(i).map(move |index| Unknown { index, dependencies: dependencies.clone(), dependency_kinds: None })
            };
            unknowns.iter().flat_map(of).collect()
        };
        ModelStructure {
            outputs: list(&self.unknowns.outputs, Mode::Steps),
            derivatives: list(&self.unknowns.derivatives, Mode::Steps),
            initial_unknowns: list(&self.unknowns.initial, Mode::Start),
        }
    }
}

/// The variables of FMI 2.0.
#[derive(Default)]
struct Scalars {
    list: Vec<ScalarVariable>,
    /// For each declared variable its scalars.
    of: Vec<Range<usize>>,
    /// Next value reference of Reals, integers, Booleans and Strings.
    next: [u32; 4],
}

impl Scalars {
    /// Returns the 1-based indices of the scalars of a variable.
    fn indices(&self, variable: usize) -> impl Iterator<Item = u32> + use<> {
        self.of[variable].clone().map(|i| i as u32 + 1)
    }

    /// Adds the elements of a variable; returns `false` if FMI 2.0 has no such type.
    fn add(&mut self, variable: &Variable) -> bool {
        let from = self.list.len();
        let table = table(variable.element);
        if let Some(table) = table {
            for element in 0..variable.len() {
                let value_reference = self.next[table];
                self.next[table] += 1;
                self.list.push(scalar(variable, element, value_reference));
            }
        }
        self.of.push(from..self.list.len());
        table.is_some()
    }

    /// Writes the index of the state into each scalar that is a time derivative.
    fn link(&mut self, variables: &[Variable]) {
        for (i, variable) in variables.iter().enumerate() {
            let Some(state) = variable.derivative else { continue };
            for (scalar, state) in self.of[i].clone().zip(self.indices(state)) {
                if let VariableKind::Real(real) = &mut self.list[scalar].kind {
                    real.derivative = Some(state);
                }
            }
        }
    }
}

/// Returns the table that holds the value references of a type.
fn table(element: ElementType) -> Option<usize> {
    use ElementType as E;
    match element {
        E::Float64 | E::Float32 => Some(0),
        E::Int8 | E::UInt8 | E::Int16 | E::UInt16 | E::Int32 | E::Enumeration => Some(1),
        E::Boolean => Some(2),
        E::String => Some(3),
        E::UInt32 | E::Int64 | E::UInt64 | E::Binary => None,
    }
}

fn scalar(variable: &Variable, element: usize, value_reference: u32) -> ScalarVariable {
    ScalarVariable {
        name: variable.element_name(element),
        value_reference,
        description: variable.description.clone(),
        declared_causality: Some(causality(variable)),
        declared_variability: Some(variable.variability),
        declared_initial: variable.initial,
        kind: kind(variable, element),
        ..Default::default()
    }
}

fn causality(variable: &Variable) -> Causality {
    use fmi3::description::Causality as Ca;
    match variable.causality {
        Ca::Parameter | StructuralParameter => Causality::Parameter,
        Ca::CalculatedParameter => Causality::CalculatedParameter,
        Ca::Input => Causality::Input,
        Ca::Output => Causality::Output,
        Ca::Local => Causality::Local,
        Ca::Independent => Causality::Independent,
    }
}

fn kind(variable: &Variable, element: usize) -> VariableKind {
    let start = variable.start.as_ref();
    match variable.element {
        ElementType::Boolean => {
            VariableKind::Boolean(BooleanVariable { start: start.and_then(|s| s.boolean(element)), ..Default::default() })
        }
        ElementType::String => {
            VariableKind::String(StringVariable { start: start.and_then(|s| s.string(element)), ..Default::default() })
        }
        ElementType::Enumeration => VariableKind::Enumeration(EnumerationVariable {
            declared_type: variable.enumeration.as_ref().map_or("", |of| of.name).into(),
            min: integer(variable.min),
            max: integer(variable.max),
            start: start.and_then(|s| s.integer(element)),
            ..Default::default()
        }),
        of if of.is_float() => VariableKind::Real(RealVariable {
            unit: variable.unit.clone(),
            min: variable.min.and_then(Number::real),
            max: variable.max.and_then(Number::real),
            nominal: variable.nominal,
            start: start.and_then(|s| s.real(element)),
            ..Default::default()
        }),
        of => {
            let (least, largest) = narrower(of).unzip();
            VariableKind::Integer(IntegerVariable {
                min: integer(variable.min).or(least),
                max: integer(variable.max).or(largest),
                start: start.and_then(|s| s.integer(element)),
                ..Default::default()
            })
        }
    }
}

/// Returns the range of a type that is narrower than Integer.
fn narrower(of: ElementType) -> Option<(i32, i32)> {
    match of {
        ElementType::Int8 => Some((i8::MIN.into(), i8::MAX.into())),
        ElementType::UInt8 => Some((0, u8::MAX.into())),
        ElementType::Int16 => Some((i16::MIN.into(), i16::MAX.into())),
        ElementType::UInt16 => Some((0, u16::MAX.into())),
        _ => None,
    }
}

/// Returns a bound that was declared as an `i32`.
fn integer(bound: Option<Number>) -> Option<i32> {
    bound.and_then(Number::integer).and_then(|value| value.try_into().ok())
}

fn simple_type(of: &EnumerationType) -> SimpleType {
    let item = |(value, name): (i32, &&str)| EnumerationItem { name: (*name).into(), value, description: None };
    let items = (1..).zip(&of.items).map(item).collect();
    SimpleType { name: of.name.into(), description: None, kind: TypeKind::Enumeration { quantity: None, items } }
}

impl Start {
    fn real(&self, element: usize) -> Option<f64> {
        if let Self::Reals(values) = self { values.get(element).copied() } else { None }
    }

    fn integer(&self, element: usize) -> Option<i32> {
        if let Self::Integers(values) = self { values.get(element).and_then(|value| (*value).try_into().ok()) } else { None }
    }

    fn boolean(&self, element: usize) -> Option<bool> {
        if let Self::Booleans(values) = self { values.get(element).copied() } else { None }
    }

    fn string(&self, element: usize) -> Option<String> {
        if let Self::Strings(values) = self { values.get(element).cloned() } else { None }
    }
}
