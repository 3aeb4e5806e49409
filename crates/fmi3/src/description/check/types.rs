//! Variables and their declared types.

use std::collections::HashSet;

use fmi_xml::{Place, Range};

use super::super::{
    BinaryVariable, EnumerationVariable, FloatVariable, IntegerVariable, TypeKind, Variability, Variable, VariableKind,
};
use super::Check;
use super::variables::is_float;

impl<'a> Check<'a> {
    /// Checks the attributes that depend on the type of a variable.
    pub(super) fn kind(&mut self, place: Place, variable: &'a Variable) {
        match &variable.kind {
            VariableKind::Float64(v) | VariableKind::Float32(v) => self.float(place, variable, v),
            VariableKind::Integer(_, v) => self.integer(place, variable, v),
            VariableKind::Boolean(v) => drop(self.declared(place, variable, v.declared_type.as_deref())),
            VariableKind::String(v) => drop(self.declared(place, variable, v.declared_type.as_deref())),
            VariableKind::Binary(v) => self.binary(place, variable, v),
            VariableKind::Enumeration(v) => self.enumeration(place, variable, v),
            VariableKind::Clock(v) => drop(self.declared(place, variable, v.declared_type.as_deref())),
        }
        let has_display_unit = variable.aliases.iter().find(|alias| alias.display_unit.is_some() && !is_float(variable));
        if let Some(alias) = has_display_unit {
            let message = format!("the alias \"{}\" has a display unit, but is not a floating-point number", alias.name);
            self.findings.warn(place, "display-unit", message, "remove it");
        }
    }

    fn float(&mut self, place: Place, variable: &'a Variable, v: &'a FloatVariable) {
        let name = variable.name.as_str();
        let declared = self.declared(place, variable, v.declared_type.as_deref());
        let (mut unit, mut display_unit) = (v.unit.as_deref(), v.display_unit.as_deref());
        let mut range = Range { min: v.min, max: v.max, start: None };
        if let Some(TypeKind::Float { unit: u, display_unit: d, min, max, .. }) = declared {
            unit = unit.or(u.as_deref());
            display_unit = display_unit.or(d.as_deref());
            self.findings.range_of_type(place, name, &mut range, (*min, *max));
        }
        self.findings.unit(place, name, unit, display_unit, &self.units);
        for alias in variable.aliases.iter().filter(|alias| alias.display_unit.is_some()) {
            self.findings.unit(place, &alias.name, unit, alias.display_unit.as_deref(), &self.units);
        }
        self.findings.range(place, name, with_start(range, v.start.as_deref()));
        self.findings.nominal(place, name, v.nominal);
        if let Some(reference) = v.derivative {
            self.derivative(place, variable, reference);
        }
    }

    /// Checks the attribute `derivative`.
    fn derivative(&mut self, place: Place, variable: &Variable, reference: u32) {
        let name = &variable.name;
        let Some(state) = self.variables.get(&reference) else {
            let message = format!("\"{name}\" is the derivative of variable {reference}, which does not exist");
            let remedy = "use the value reference of the state; until then, importers ignore it";
            return self.findings.warn(place, "derivative", message, remedy);
        };
        if reference == variable.value_reference {
            let message = format!("\"{name}\" is its own derivative");
            self.findings.warn(place, "derivative", message, "refer to the state by its value reference");
        } else if !is_float(state) || state.variability() != Variability::Continuous {
            let message = format!("\"{name}\" is the derivative of \"{}\", which is not continuous", state.name);
            self.findings.warn(
                place,
                "derivative",
                message,
                "refer to a continuous floating-point number by its value reference",
            );
        } else if self.shape(state) != self.shape(variable) {
            let message = format!("\"{name}\" is the derivative of \"{}\", but has another size", state.name);
            self.findings.warn(place, "derivative", message, "give them the same dimensions");
        }
    }

    fn integer(&mut self, place: Place, variable: &'a Variable, v: &'a IntegerVariable) {
        let mut range = Range { min: v.min, max: v.max, start: None };
        if let Some(TypeKind::Integer { min, max, .. }) = self.declared(place, variable, v.declared_type.as_deref()) {
            self.findings.range_of_type(place, &variable.name, &mut range, (*min, *max));
        }
        self.findings.range(place, &variable.name, with_start(range, v.start.as_deref()));
    }

    fn binary(&mut self, place: Place, variable: &'a Variable, v: &'a BinaryVariable) {
        let mut max_size = v.max_size;
        if let Some(TypeKind::Binary { max_size: of_type, .. }) = self.declared(place, variable, v.declared_type.as_deref()) {
            max_size = max_size.or(*of_type);
        }
        let longest = v.start.iter().map(|start| start.len() as u64).max();
        if let (Some(longest), Some(max_size)) = (longest, max_size)
            && longest > max_size
        {
            let message = format!("a start value of \"{}\" has {longest} bytes, but maxSize is {max_size}", variable.name);
            self.findings.warn(place, "max-size", message, "correct start or maxSize");
        }
    }

    fn enumeration(&mut self, place: Place, variable: &'a Variable, v: &'a EnumerationVariable) {
        let name = variable.name.as_str();
        let mut range = Range { min: v.min, max: v.max, start: None };
        if v.declared_type.is_empty() {
            self.findings.missing_enumeration_type(place, name, "EnumerationType");
        } else if let Some(TypeKind::Enumeration { min, max, items, .. }) = self.declared(place, variable, Some(&v.declared_type))
        {
            self.findings.range_of_type(place, name, &mut range, (*min, *max));
            let values: HashSet<i64> = items.iter().map(|item| item.value).collect();
            if let Some(start) = v.start.iter().flatten().find(|start| !values.contains(start)) {
                self.findings.enumeration_start(place, name, *start, &v.declared_type);
            }
        }
        self.findings.range(place, name, with_start(range, v.start.as_deref()));
    }

    /// Returns the definition that `declaredType` names. Reports a missing definition, or one of another type.
    fn declared(&mut self, place: Place, variable: &Variable, declared: Option<&str>) -> Option<&'a TypeKind> {
        let declared = declared?;
        let found = self.types.get(declared).map(|definition| &definition.kind);
        let name_of = |kind: &'a TypeKind| kind.element_name().trim_end_matches("Type");
        let (name, kind) = (&variable.name, variable.kind.type_name());
        let matches = self.findings.declared_type(place, name, kind, declared, found.map(name_of));
        found.filter(|_| matches)
    }
}

/// Adds the start value that lies outside of the range, or else the first one.
fn with_start<T: Copy + PartialOrd>(range: Range<T>, starts: Option<&[T]>) -> Range<T> {
    let is_outside = |start: &&T| range.min.is_some_and(|min| **start < min) || range.max.is_some_and(|max| **start > max);
    let starts = starts.unwrap_or_default();
    Range { start: starts.iter().find(is_outside).or(starts.first()).copied(), ..range }
}
