//! Variables that share a value reference (FMI 2.0.5, section 2.2.7).

use std::collections::HashMap;

use fmi_xml::Place;

use super::super::{Causality, RealVariable, ScalarVariable, TypeKind, Variability, VariableKind};
use super::Check;

impl<'a> Check<'a> {
    /// Checks the rules of aliases.
    pub(super) fn aliases(&mut self) {
        let variables: &'a [ScalarVariable] = &self.description.variables;
        let mut sets: HashMap<(&str, u32), Vec<usize>> = HashMap::new();
        for (index, variable) in variables.iter().enumerate() {
            sets.entry((base_type(variable), variable.value_reference)).or_default().push(index);
        }
        // Sort by position in the file; the order of the map is arbitrary.
        let mut sets: Vec<_> = sets.into_values().filter(|set| set.len() > 1).collect();
        sets.sort_unstable();
        for set in sets {
            self.alias_set(variables, &set);
        }
    }

    fn alias_set(&mut self, variables: &'a [ScalarVariable], set: &[usize]) {
        let is_constant = |index: usize| variables[index].variability() == Variability::Constant;
        let (mut settable, mut with_start) = (None, None);
        let first = set[0];
        self.independent_alias(variables, set);
        self.constant_aliases(variables, set);
        for &index in set {
            let (variable, place) = (&variables[index], Place::Variable(index));
            let (name, reference) = (&variable.name, variable.value_reference);
            if is_constant(index) != is_constant(first) {
                let message = format!("\"{name}\" shares value reference {reference} with \"{}\"", variables[first].name);
                self.findings.warn(place, "alias", message, "constants are aliases of constants only");
            } else if variable.start_is_settable()
                && let Some(other) = settable.replace(name)
            {
                let message = format!("\"{name}\" and \"{other}\" share value reference {reference} and both can be set");
                self.findings.warn(place, "alias", message, "at most one of them can be set");
            } else if !is_constant(index)
                && variable.kind.has_start()
                && let Some(other) = with_start.replace(name)
            {
                let message = format!("\"{name}\" and \"{other}\" share value reference {reference} and both have a start value");
                self.findings.warn(place, "alias", message, "at most one of them has a start value");
            }
            if self.effective_unit(variable) != self.effective_unit(&variables[first]) {
                let other = &variables[first].name;
                let message = format!("\"{name}\" and \"{other}\" share value reference {reference}, but not their unit");
                self.findings.warn(place, "alias", message, "give them the same unit");
            }
        }
    }

    /// Reports aliases of the independent variable that can be set: time cannot be set.
    fn independent_alias(&mut self, variables: &[ScalarVariable], set: &[usize]) {
        let time = set.iter().find(|&&index| variables[index].causality() == Causality::Independent);
        let settable = set.iter().find(|&&index| variables[index].start_is_settable());
        if let (Some(&time), Some(&index)) = (time, settable) {
            let (name, reference, time) = (&variables[index].name, variables[index].value_reference, &variables[time].name);
            let message = format!("\"{name}\" can be set and shares value reference {reference} with the independent \"{time}\"");
            self.findings.warn(Place::Variable(index), "alias", message, "give it a value reference of its own");
        }
    }

    /// Reports constants that share a value reference but not the value.
    fn constant_aliases(&mut self, variables: &[ScalarVariable], set: &[usize]) {
        let mut constants = set.iter().copied().filter(|&index| variables[index].variability() == Variability::Constant);
        let Some(first) = constants.next() else { return };
        for index in constants.filter(|&index| !has_start_of(&variables[index], &variables[first])) {
            let (name, other) = (&variables[index].name, &variables[first].name);
            let message =
                format!("the constants \"{name}\" and \"{other}\" share their value reference, but not their start value");
            self.findings.warn(Place::Variable(index), "alias", message, "give them the same start value");
        }
    }

    /// Same as [`super::super::ModelDescription::unit_of`], but uses the map of types.
    fn effective_unit(&self, variable: &'a ScalarVariable) -> Option<&'a str> {
        let VariableKind::Real(RealVariable { unit, declared_type, .. }) = &variable.kind else { return None };
        unit.as_deref().or_else(|| match &self.types.get(declared_type.as_deref()?)?.kind {
            TypeKind::Real { unit, .. } => unit.as_deref(),
            _ => None,
        })
    }
}

/// Returns whether two variables of the same base type have the same start value.
fn has_start_of(one: &ScalarVariable, other: &ScalarVariable) -> bool {
    let whole = |variable: &ScalarVariable| match &variable.kind {
        VariableKind::Integer(v) => v.start,
        VariableKind::Enumeration(v) => v.start,
        _ => None,
    };
    match (&one.kind, &other.kind) {
        (VariableKind::Real(a), VariableKind::Real(b)) => a.start == b.start,
        (VariableKind::Boolean(a), VariableKind::Boolean(b)) => a.start == b.start,
        (VariableKind::String(a), VariableKind::String(b)) => a.start == b.start,
        _ => whole(one) == whole(other),
    }
}

/// Returns the base type. Each base type has its own value references; enumerations count as integers.
fn base_type(variable: &ScalarVariable) -> &'static str {
    match variable.kind {
        VariableKind::Enumeration(_) => "Integer",
        _ => variable.kind.type_name(),
    }
}
