//! Converts a description to the data model that all versions of FMI share: arrays become their elements.

use std::collections::{HashMap, HashSet};

use lotka_instance::{
    Capabilities,
    description::{
        Array, Causality as Role, DisplayUnit, EnumerationItem, EnumerationType, Initial, IntegerType, Unit, Unknown,
        Variable as Scalar, VariableKind as Kind,
    },
};

use super::{
    Causality, CoSimulation, Dimension, ModelDescription, TypeDefinition, TypeKind, Variable, VariableKind, kinds::Kinds,
};

/// Maximum number of elements of all arrays. Larger arrays have no elements in the shared data model.
pub const MOST_ELEMENTS: u64 = 1 << 20;

/// The description in the shared data model, and what its references stand for.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Flattened {
    /// The description.
    pub interface: lotka_instance::ModelDescription,
    /// What each value reference of the interface stands for.
    pub elements: HashMap<u32, Element>,
}

/// A scalar, or an element of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Element {
    /// Value reference of the variable.
    pub value_reference: u32,
    /// Position in the array, row by row.
    pub position: usize,
    /// Number of elements of the array; 1 for a scalar.
    pub length: usize,
    /// The type whose functions read and set it.
    pub value_type: ValueType,
}

/// The types of values, each of which has its own functions. Enumerations are Int64.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "names of the standard")]
pub enum ValueType {
    Float64,
    Float32,
    Integer(IntegerType),
    Boolean,
    String,
    Binary,
}

impl ModelDescription {
    /// Returns the interface of the model, independent of the FMI version. Sizes of arrays are those of the start values of
    /// structural parameters.
    #[must_use]
    pub fn interface(&self) -> lotka_instance::ModelDescription {
        self.flatten(&HashMap::new()).interface
    }

    /// Returns the interface of the model with these values of structural parameters, by value reference; the others have their
    /// start values.
    #[must_use]
    pub fn flatten(&self, structure: &HashMap<u32, u64>) -> Flattened {
        let mut builder = Builder::new(self, structure);
        self.variables.iter().for_each(|variable| builder.add(variable));
        builder.derivatives();
        builder.finish()
    }

    /// Returns the number of elements of all arrays with these values of structural parameters, at most `u64::MAX`. Arrays of
    /// unknown size count as 0.
    #[must_use]
    pub fn n_elements(&self, structure: &HashMap<u32, u64>) -> u64 {
        let sizes = Sizes { description: self, structure };
        let arrays = self.variables.iter().filter(|variable| !variable.dimensions.is_empty());
        arrays.filter_map(|variable| sizes.count(variable)).fold(0, u64::saturating_add)
    }

    /// Returns the type definition with this name.
    #[must_use]
    pub fn type_definition(&self, name: &str) -> Option<&TypeDefinition> {
        self.types.iter().find(|definition| definition.name == name)
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
            directional_derivative: interface.provides_directional_derivatives.unwrap_or(false),
            interpolate_inputs: self.provides_intermediate_update.unwrap_or(false),
            max_output_derivative_order: self.max_output_derivative_order.unwrap_or(0),
            run_asynchronously: false,
            only_once_per_process: interface.can_be_instantiated_only_once_per_process.unwrap_or(false),
            event_mode: self.has_event_mode.unwrap_or(false),
        }
    }
}

impl VariableKind {
    /// Returns the type of its values; `None` for a clock.
    #[must_use]
    pub fn value_type(&self) -> Option<ValueType> {
        Some(match self {
            Self::Float64(_) => ValueType::Float64,
            Self::Float32(_) => ValueType::Float32,
            Self::Integer(of, _) => ValueType::Integer(*of),
            Self::Enumeration(_) => ValueType::Integer(IntegerType::Int64),
            Self::Boolean(_) => ValueType::Boolean,
            Self::String(_) => ValueType::String,
            Self::Binary(_) => ValueType::Binary,
            Self::Clock(_) => return None,
        })
    }
}

/// Sizes of arrays.
struct Sizes<'a> {
    description: &'a ModelDescription,
    structure: &'a HashMap<u32, u64>,
}

impl Sizes<'_> {
    fn size(&self, dimension: Dimension) -> Option<u64> {
        let reference = match dimension {
            Dimension::Fixed(size) => return Some(size),
            Dimension::Variable(reference) => reference,
        };
        if let Some(size) = self.structure.get(&reference) {
            return Some(*size);
        }
        let variable = self.description.variables.iter().find(|variable| variable.value_reference == reference)?;
        match &variable.kind {
            VariableKind::Integer(_, integer) => u64::try_from(*integer.start.as_ref()?.first()?).ok(),
            _ => None,
        }
    }

    /// The number of elements, at most `u64::MAX`; `None` if it is unknown.
    fn count(&self, variable: &Variable) -> Option<u64> {
        variable.dimensions.iter().try_fold(1_u64, |count, dimension| Some(count.saturating_mul(self.size(*dimension)?)))
    }

    fn shape(&self, variable: &Variable) -> Option<Vec<usize>> {
        self.count(variable).filter(|count| *count <= MOST_ELEMENTS)?;
        variable.dimensions.iter().map(|dimension| usize::try_from(self.size(*dimension)?).ok()).collect()
    }
}

struct Builder<'a> {
    description: &'a ModelDescription,
    sizes: Sizes<'a>,
    /// Value references of the file, and those that were assigned to elements.
    used: HashSet<u32>,
    next: u32,
    n_elements: u64,
    flattened: Flattened,
    /// Indices of the scalars of each variable, by value reference.
    scalars: HashMap<u32, std::ops::Range<usize>>,
}

impl<'a> Builder<'a> {
    fn new(description: &'a ModelDescription, structure: &'a HashMap<u32, u64>) -> Self {
        let used: HashSet<_> = description.variables.iter().map(|variable| variable.value_reference).collect();
        let next = used.iter().max().map_or(0, |max| max.wrapping_add(1));
        let sizes = Sizes { description, structure };
        Self { description, sizes, used, next, n_elements: 0, flattened: Flattened::default(), scalars: HashMap::new() }
    }

    fn add(&mut self, variable: &Variable) {
        let Some(value_type) = variable.kind.value_type() else { return };
        let is_array = !variable.dimensions.is_empty();
        let Some(shape) = self.sizes.shape(variable) else { return };
        let length: usize = shape.iter().product();
        if is_array {
            self.n_elements += length as u64;
            if self.n_elements > MOST_ELEMENTS {
                return;
            }
        }
        let first = self.flattened.interface.variables.len();
        let array = Array { name: variable.name.clone(), shape, first };
        let kinds = Kinds { description: self.description, variable, length };
        for position in 0..length {
            let reference = if position == 0 { variable.value_reference } else { self.free_reference() };
            let element = Element { value_reference: variable.value_reference, position, length, value_type };
            self.flattened.elements.insert(reference, element);
            let name = if is_array { array.element_name(position) } else { variable.name.clone() };
            self.flattened.interface.variables.push(Scalar {
                name,
                value_reference: reference,
                description: variable.description.clone(),
                causality: role(variable.causality()),
                variability: variable.variability(),
                initial: variable.initial(),
                is_structural: variable.causality() == Causality::StructuralParameter,
                kind: kinds.at(position),
            });
        }
        self.scalars.insert(variable.value_reference, first..first + length);
        if is_array {
            self.flattened.interface.arrays.push(array.clone());
        }
        variable.aliases.iter().for_each(|alias| self.alias(&alias.name, alias.description.as_ref(), &array, is_array));
    }

    /// Adds another name of a variable. It cannot be set, has no start value and is no output, so that each value has one place.
    fn alias(&mut self, name: &str, description: Option<&String>, of: &Array, is_array: bool) {
        let alias = Array { name: name.to_owned(), shape: of.shape.clone(), first: self.flattened.interface.variables.len() };
        for (position, index) in of.elements().enumerate() {
            let mut scalar = self.flattened.interface.variables[index].clone();
            scalar.name = if is_array { alias.element_name(position) } else { name.to_owned() };
            scalar.description = description.cloned().or(scalar.description);
            scalar.causality = if scalar.causality == Role::Independent { Role::Independent } else { Role::Local };
            scalar.initial = Some(Initial::Calculated);
            scalar.is_structural = false;
            self.flattened.interface.variables.push(scalar);
        }
        if is_array {
            self.flattened.interface.arrays.push(alias);
        }
    }

    /// A value reference that no variable has.
    fn free_reference(&mut self) -> u32 {
        while !self.used.insert(self.next) {
            self.next = self.next.wrapping_add(1);
        }
        self.next
    }

    /// Relates derivatives to their states, element by element.
    fn derivatives(&mut self) {
        for variable in &self.description.variables {
            let (VariableKind::Float64(float) | VariableKind::Float32(float)) = &variable.kind else { continue };
            let Some(state) = float.derivative.and_then(|state| self.scalars.get(&state).cloned()) else { continue };
            let Some(own) = self.scalars.get(&variable.value_reference).cloned() else { continue };
            if own.len() == state.len() {
                for (own, state) in own.zip(state) {
                    if let Kind::Real(real) = &mut self.flattened.interface.variables[own].kind {
                        real.derivative = Some(state);
                    }
                }
            }
        }
    }

    /// The scalars of these variables as unknowns; each depends on all elements of its dependencies.
    fn unknowns(&self, list: &[super::Unknown]) -> Vec<Unknown> {
        let scalars = |reference: &u32| self.scalars.get(reference).cloned().unwrap_or(0..0);
        let unknown = |unknown: &super::Unknown| {
            let dependencies: Option<Vec<_>> = unknown.dependencies.as_ref().map(|list| list.iter().flat_map(scalars).collect());
            scalars(&unknown.value_reference).map(move |index| Unknown { index, dependencies: dependencies.clone() })
        };
        list.iter().flat_map(unknown).collect()
    }

    fn finish(mut self) -> Flattened {
        let description = self.description;
        let structure = &description.model_structure;
        let (outputs, derivatives) = (self.unknowns(&structure.outputs), self.unknowns(&structure.continuous_state_derivatives));
        let initial_unknowns = self.unknowns(&structure.initial_unknowns);
        let interface = &mut self.flattened.interface;
        interface.model_name.clone_from(&description.model_name);
        interface.token.clone_from(&description.instantiation_token);
        interface.description.clone_from(&description.description);
        interface.version.clone_from(&description.version);
        interface.generation_tool.clone_from(&description.generation_tool);
        interface.generation_date_and_time.clone_from(&description.generation_date_and_time);
        (interface.outputs, interface.derivatives, interface.initial_unknowns) = (outputs, derivatives, initial_unknowns);
        interface.units = description.units.iter().map(unit).collect();
        interface.enumerations = description.types.iter().filter_map(enumeration).collect();
        interface.is_thread_safe = description.is_thread_safe();
        interface.default_experiment = description.default_experiment;
        interface.fixed_internal_step = description.co_simulation.as_ref().and_then(|declared| declared.fixed_internal_step_size);
        interface.capabilities = description.co_simulation.as_ref().map(CoSimulation::declared_capabilities).unwrap_or_default();
        self.flattened
    }
}

fn role(causality: Causality) -> Role {
    match causality {
        Causality::Parameter | Causality::StructuralParameter => Role::Parameter,
        Causality::CalculatedParameter => Role::CalculatedParameter,
        Causality::Input => Role::Input,
        Causality::Output => Role::Output,
        Causality::Local => Role::Local,
        Causality::Independent => Role::Independent,
    }
}

fn unit(unit: &super::Unit) -> Unit {
    let display =
        |display: &super::DisplayUnit| DisplayUnit { name: display.name.clone(), factor: display.factor, offset: display.offset };
    // The shared data model has no inverse display units.
    let display_units = unit.display_units.iter().filter(|unit| unit.inverse != Some(true)).map(display).collect();
    Unit { name: unit.name.clone(), base_unit: unit.base_unit, display_units }
}

fn enumeration(definition: &TypeDefinition) -> Option<EnumerationType> {
    let item = |item: &super::EnumerationItem| EnumerationItem {
        name: item.name.clone(),
        value: item.value.into(),
        description: item.description.clone(),
    };
    match &definition.kind {
        TypeKind::Enumeration { items, .. } => {
            Some(EnumerationType { name: definition.name.clone(), items: items.iter().map(item).collect() })
        }
        _ => None,
    }
}
