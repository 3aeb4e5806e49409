//! Converts a description to the data model that all versions of FMI share.

use lotka_instance::description::{
    BooleanKind, EnumerationItem, EnumerationKind, EnumerationType, IntegerKind, IntegerType, RealKind, TextKind, Unknown,
    Variable, VariableKind as Kind,
};

use super::{ModelDescription, ScalarVariable, SimpleType, TypeKind, VariableKind};

impl ModelDescription {
    /// Returns the interface of the model, independent of the FMI version.
    #[must_use]
    pub fn interface(&self) -> lotka_instance::ModelDescription {
        let unknowns = |list: &[super::Unknown]| list.iter().map(unknown).collect();
        lotka_instance::ModelDescription {
            model_name: self.model_name.clone(),
            token: self.guid.clone(),
            description: self.description.clone(),
            version: self.version.clone(),
            generation_tool: self.generation_tool.clone(),
            generation_date_and_time: self.generation_date_and_time.clone(),
            variables: self.variables.iter().map(|variable| self.variable_of(variable)).collect(),
            arrays: Vec::new(),
            outputs: unknowns(&self.model_structure.outputs),
            derivatives: unknowns(&self.model_structure.derivatives),
            initial_unknowns: unknowns(&self.model_structure.initial_unknowns),
            units: self.units.clone(),
            enumerations: self.types.iter().filter_map(enumeration).collect(),
            default_experiment: self.default_experiment,
            fixed_internal_step: None,
            is_source: false,
            is_thread_safe: self.is_thread_safe(),
            capabilities: self.co_simulation.as_ref().map(super::CoSimulation::declared_capabilities).unwrap_or_default(),
        }
    }

    fn variable_of(&self, variable: &ScalarVariable) -> Variable {
        let range = || self.range_of(variable);
        let kind = match &variable.kind {
            VariableKind::Real(real) => Kind::Real(RealKind {
                quantity: self.quantity_of(variable).map(str::to_owned),
                unit: self.unit_of(variable).map(str::to_owned),
                min: range()[0],
                max: range()[1],
                nominal: self.nominal_of(variable),
                start: real.start,
                is_relative: real.relative_quantity == Some(true),
                is_single: false,
                derivative: real.derivative.and_then(zero_based),
            }),
            VariableKind::Integer(integer) => {
                let [min, max] = range().map(|bound| bound.map(|bound| bound as i128));
                let (quantity, start) = (integer.quantity.clone(), integer.start.map(i128::from));
                Kind::Integer(IntegerKind { width: IntegerType::Int32, quantity, min, max, start })
            }
            VariableKind::Boolean(boolean) => Kind::Boolean(BooleanKind { start: boolean.start }),
            VariableKind::String(text) => Kind::String(TextKind { start: text.start.clone() }),
            VariableKind::Enumeration(of) => Kind::Enumeration(EnumerationKind {
                declared_type: of.declared_type.clone(),
                quantity: of.quantity.clone(),
                min: of.min.map(i128::from),
                max: of.max.map(i128::from),
                start: of.start.map(i128::from),
            }),
        };
        Variable {
            name: variable.name.clone(),
            value_reference: variable.value_reference,
            description: variable.description.clone(),
            causality: variable.causality(),
            variability: variable.variability(),
            initial: variable.initial(),
            is_structural: false,
            kind,
        }
    }
}

fn enumeration(declared: &SimpleType) -> Option<EnumerationType> {
    let item = |item: &super::EnumerationItem| EnumerationItem {
        name: item.name.clone(),
        value: item.value.into(),
        description: item.description.clone(),
    };
    match &declared.kind {
        TypeKind::Enumeration { items, .. } => {
            Some(EnumerationType { name: declared.name.clone(), items: items.iter().map(item).collect() })
        }
        _ => None,
    }
}

/// Converts an unknown. Index 0 is invalid in the file, so it becomes the index of a variable that does not exist.
fn unknown(unknown: &super::Unknown) -> Unknown {
    let index = |index: u32| zero_based(index).unwrap_or(usize::MAX);
    let dependencies = unknown.dependencies.as_ref().map(|list| list.iter().copied().map(index).collect());
    Unknown { index: index(unknown.index), dependencies }
}

fn zero_based(index: u32) -> Option<usize> {
    (index as usize).checked_sub(1)
}
