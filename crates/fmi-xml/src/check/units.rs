//! Units, types and enumerations.

use std::collections::{HashMap, HashSet};

use super::repeated;
use crate::finding::Findings;
use crate::place::Place;

/// The names of the units that are defined, each with the names of its display units.
#[derive(Debug, Default)]
pub struct Units<'a>(HashMap<&'a str, HashSet<&'a str>>);

impl<'a> Units<'a> {
    /// Collects definitions.
    pub fn new(definitions: impl Iterator<Item = (&'a str, Vec<&'a str>)>) -> Self {
        Self(definitions.map(|(name, display)| (name, display.into_iter().collect())).collect())
    }
}

impl Findings {
    /// Checks that the names of definitions are unique. `what` is the plural of what they define.
    pub fn unique_definitions<'a>(
        &mut self,
        names: impl Iterator<Item = &'a str>,
        place: fn(usize) -> Place,
        rule: &'static str,
        (what, remedy): (&str, &str),
    ) {
        let names: Vec<_> = names.collect();
        for index in repeated(names.iter()) {
            let message = format!("there are two {what} \"{}\"", names[index]);
            self.warn(place(index), rule, message, remedy);
        }
    }

    /// Checks a unit with the names of its display units and all of its factors.
    pub fn unit_definition(
        &mut self,
        place: Place,
        name: &str,
        display: &[&str],
        mut factors: impl Iterator<Item = Option<f64>>,
    ) {
        for index in repeated(display.iter()) {
            let message = format!("the unit \"{name}\" has two display units \"{}\"", display[index]);
            self.warn(place, "duplicate-unit", message, "remove one");
        }
        if factors.any(|factor| factor == Some(0.0)) {
            let message = format!("a factor of the unit \"{name}\" is 0");
            self.warn(place, "unit-factor", message, "set the factor by which a value in this unit is multiplied");
        }
    }

    /// Checks the items of an enumeration, as names and values.
    pub fn enumeration_items(&mut self, place: Place, name: &str, items: &[(&str, i64)]) {
        if items.is_empty() {
            self.warn(place, "enumeration-items", format!("the enumeration \"{name}\" has no items"), "add at least one");
        }
        for index in repeated(items.iter().map(|(_, value)| value)) {
            let message = format!("two items of the enumeration \"{name}\" have the value {}", items[index].1);
            self.warn(place, "enumeration-items", message, "give each item its own value");
        }
        for index in repeated(items.iter().map(|(name, _)| name)) {
            let message = format!("two items of the enumeration \"{name}\" have the name \"{}\"", items[index].0);
            self.warn(place, "enumeration-items", message, "give each item its own name");
        }
    }

    /// Checks the unit and the display unit of a type or variable.
    pub fn unit(&mut self, place: Place, name: &str, unit: Option<&str>, display_unit: Option<&str>, units: &Units<'_>) {
        match (unit, unit.and_then(|unit| units.0.get(unit))) {
            (Some(unit), None) => {
                let message = format!("the unit \"{unit}\" of \"{name}\" is not defined");
                self.warn(place, "unit", message, "add it to <UnitDefinitions>");
            }
            (Some(unit), Some(known)) => {
                // A unit is always a valid display unit of itself.
                if let Some(display) = display_unit.filter(|display| *display != unit && !known.contains(display)) {
                    let message = format!("the display unit \"{display}\" of \"{name}\" is not defined for the unit \"{unit}\"");
                    self.warn(place, "display-unit", message, "add it to the <Unit>");
                }
            }
            (None, _) if display_unit.is_some() => {
                let message = format!("\"{name}\" has a display unit, but no unit");
                self.warn(place, "display-unit", message, "add the unit");
            }
            (None, _) => {}
        }
    }
}
