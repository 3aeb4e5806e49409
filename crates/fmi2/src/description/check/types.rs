//! Variables and their declared types.

use fmi_xml::{Place, Range};

use super::super::{
    EnumerationVariable, IntegerVariable, RealVariable, ScalarVariable, SimpleType, TypeKind, Variability, VariableKind,
};
use super::Check;

impl<'a> Check<'a> {
    /// Checks the attributes of the type element of a variable.
    pub(super) fn kind(&mut self, place: Place, variable: &'a ScalarVariable) {
        let name = &variable.name;
        match &variable.kind {
            VariableKind::Real(v) => self.real(place, name, v),
            VariableKind::Integer(v) => self.integer(place, name, v),
            VariableKind::Boolean(v) => {
                self.declared(place, name, "Boolean", v.declared_type.as_deref());
            }
            VariableKind::String(v) => {
                self.declared(place, name, "String", v.declared_type.as_deref());
            }
            VariableKind::Enumeration(v) => self.enumeration(place, name, v),
        }
    }

    fn real(&mut self, place: Place, name: &str, v: &'a RealVariable) {
        let declared = self.declared(place, name, "Real", v.declared_type.as_deref());
        let (mut unit, mut display_unit) = (v.unit.as_deref(), v.display_unit.as_deref());
        let mut range = Range { min: v.min, max: v.max, start: v.start };
        if let Some(TypeKind::Real { unit: u, display_unit: d, min, max, .. }) = declared {
            unit = unit.or(u.as_deref());
            display_unit = display_unit.or(d.as_deref());
            self.findings.range_of_type(place, name, &mut range, (*min, *max));
        }
        self.findings.unit(place, name, unit, display_unit, &self.units);
        self.findings.range(place, name, range);
        self.findings.nominal(place, name, v.nominal);
        if let Some(index) = v.derivative {
            self.derivative(place, name, index);
        }
    }

    /// Checks the attribute `derivative`.
    fn derivative(&mut self, place: Place, name: &str, index: u32) {
        let variables = &self.description.variables;
        match (index as usize).checked_sub(1).and_then(|index| variables.get(index)) {
            None => {
                let message =
                    format!("\"{name}\" is the derivative of variable {index}, but there are {} variables", variables.len());
                self.findings.warn(place, "derivative", message, "use an index from 1; until then, importers ignore it");
            }
            Some(state) if !matches!(state.kind, VariableKind::Real(_)) || state.variability() != Variability::Continuous => {
                let message = format!("\"{name}\" is the derivative of \"{}\", which is not continuous", state.name);
                self.findings.warn(place, "derivative", message, "refer to a continuous Real variable, counted from 1");
            }
            Some(_) if place == Place::Variable(index as usize - 1) => {
                let message = format!("\"{name}\" is its own derivative");
                self.findings.warn(place, "derivative", message, "refer to the state, counted from 1");
            }
            Some(_) => {}
        }
    }

    fn integer(&mut self, place: Place, name: &str, v: &'a IntegerVariable) {
        let mut range = Range { min: v.min, max: v.max, start: v.start };
        if let Some(TypeKind::Integer { min, max, .. }) = self.declared(place, name, "Integer", v.declared_type.as_deref()) {
            self.findings.range_of_type(place, name, &mut range, (*min, *max));
        }
        self.findings.range(place, name, range);
    }

    fn enumeration(&mut self, place: Place, name: &str, v: &'a EnumerationVariable) {
        self.findings.range(place, name, Range { min: v.min, max: v.max, start: v.start });
        if v.declared_type.is_empty() {
            self.findings.missing_enumeration_type(place, name, "SimpleType");
            return;
        }
        let declared = self.declared(place, name, "Enumeration", Some(&v.declared_type));
        if let (Some(start), Some(TypeKind::Enumeration { items, .. })) = (v.start, declared)
            && !items.iter().any(|item| item.value == start)
        {
            self.findings.enumeration_start(place, name, start.into(), &v.declared_type);
        }
    }

    /// Returns the definition that `declaredType` names. Reports a missing definition, or one of another type.
    fn declared(&mut self, place: Place, name: &str, kind: &str, declared: Option<&str>) -> Option<&'a TypeKind> {
        let declared = declared?;
        let found: Option<&'a SimpleType> = self.types.get(declared).copied();
        let name_of = |definition: &SimpleType| definition.kind.element_name();
        let matches = self.findings.declared_type(place, name, kind, declared, found.map(name_of));
        found.filter(|_| matches).map(|definition| &definition.kind)
    }
}
