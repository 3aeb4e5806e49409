//! Units and types.

use std::collections::HashSet;

use super::super::{EnumerationItem, TypeKind, Unit};
use super::ranges::Range;
use super::{Check, Place};

impl Check<'_> {
    /// Checks the rules of unit and type definitions.
    pub(super) fn definitions(&mut self) {
        let d = self.description;
        for index in repeated(d.units.iter().map(|unit| &unit.name)) {
            let message = format!("there are two units \"{}\"", d.units[index].name);
            self.warn(Place::Unit(index), "duplicate-unit", message, "remove one");
        }
        for (index, unit) in d.units.iter().enumerate() {
            self.unit_definition(Place::Unit(index), unit);
        }
        for index in repeated(d.types.iter().map(|t| &t.name)) {
            let message = format!("there are two types \"{}\"", d.types[index].name);
            self.warn(Place::Type(index), "duplicate-type", message, "rename one");
        }
        for (index, definition) in d.types.iter().enumerate() {
            let (place, name) = (Place::Type(index), definition.name.as_str());
            match &definition.kind {
                TypeKind::Real { unit, display_unit, min, max, nominal, .. } => {
                    self.unit(place, name, unit.as_deref(), display_unit.as_deref());
                    self.range(place, name, Range { min: *min, max: *max, start: None });
                    self.nominal(place, name, *nominal);
                }
                TypeKind::Integer { min, max, .. } => {
                    self.range(place, name, Range { min: *min, max: *max, start: None });
                }
                TypeKind::Enumeration { items, .. } => self.items(place, name, items),
                TypeKind::Boolean | TypeKind::String => {}
            }
        }
    }

    fn unit_definition(&mut self, place: Place, unit: &Unit) {
        for index in repeated(unit.display_units.iter().map(|display| &display.name)) {
            let message = format!("the unit \"{}\" has two display units \"{}\"", unit.name, unit.display_units[index].name);
            self.warn(place, "duplicate-unit", message, "remove one");
        }
        let factors = unit.display_units.iter().map(|display| display.factor).chain(unit.base_unit.map(|base| base.factor));
        if factors.flatten().any(|factor| factor == 0.0) {
            let message = format!("a factor of the unit \"{}\" is 0", unit.name);
            self.warn(place, "unit-factor", message, "set the factor by which a value in this unit is multiplied");
        }
    }

    fn items(&mut self, place: Place, name: &str, items: &[EnumerationItem]) {
        if items.is_empty() {
            self.warn(place, "enumeration-items", format!("the enumeration \"{name}\" has no items"), "add at least one");
        }
        for index in repeated(items.iter().map(|item| &item.value)) {
            let message = format!("two items of the enumeration \"{name}\" have the value {}", items[index].value);
            self.warn(place, "enumeration-items", message, "give each item its own value");
        }
        for index in repeated(items.iter().map(|item| &item.name)) {
            let message = format!("two items of the enumeration \"{name}\" have the name \"{}\"", items[index].name);
            self.warn(place, "enumeration-items", message, "give each item its own name");
        }
    }

    /// Checks the unit and the display unit of a type or variable.
    pub(super) fn unit(&mut self, place: Place, name: &str, unit: Option<&str>, display_unit: Option<&str>) {
        let definition = unit.map(|unit| self.units.get(unit).copied());
        match (unit, definition) {
            (Some(unit), Some(None)) => {
                let message = format!("the unit \"{unit}\" of \"{name}\" is not defined");
                self.warn(place, "unit", message, "add it to <UnitDefinitions>");
            }
            (Some(unit), Some(Some(definition))) => {
                let known = |display: &str| definition.display_units.iter().any(|d| d.name == display);
                // A unit is always a valid display unit of itself.
                if let Some(display) = display_unit.filter(|display| *display != unit && !known(display)) {
                    let message = format!("the display unit \"{display}\" of \"{name}\" is not defined for the unit \"{unit}\"");
                    self.warn(place, "display-unit", message, "add it to the <Unit>");
                }
            }
            _ if display_unit.is_some() => {
                let message = format!("\"{name}\" has a display unit, but no unit");
                self.warn(place, "display-unit", message, "add the unit");
            }
            _ => {}
        }
    }
}

/// Returns the indices of values that occur earlier in the sequence.
pub(super) fn repeated<T: Eq + std::hash::Hash>(values: impl Iterator<Item = T>) -> Vec<usize> {
    let mut seen = HashSet::new();
    values.enumerate().filter_map(|(index, value)| (!seen.insert(value)).then_some(index)).collect()
}
