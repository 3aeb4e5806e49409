//! Units and types.

use fmi_xml::{Place, Range};

use super::super::{TypeKind, Unit};
use super::{Check, display_units};

impl Check<'_> {
    /// Checks the rules of unit and type definitions.
    pub(super) fn definitions(&mut self) {
        let d = self.description;
        let names = d.units.iter().map(|unit| unit.name.as_str());
        self.findings.unique_definitions(names, Place::Unit, "duplicate-unit", ("units", "remove one"));
        for (index, unit) in d.units.iter().enumerate() {
            self.unit_definition(Place::Unit(index), unit);
        }
        let names = d.types.iter().map(|definition| definition.name.as_str());
        self.findings.unique_definitions(names, Place::Type, "duplicate-type", ("types", "rename one"));
        for (index, definition) in d.types.iter().enumerate() {
            let (place, name, findings) = (Place::Type(index), definition.name.as_str(), &mut self.findings);
            match &definition.kind {
                TypeKind::Real { unit, display_unit, min, max, nominal, .. } => {
                    findings.unit(place, name, unit.as_deref(), display_unit.as_deref(), &self.units);
                    findings.range(place, name, Range { min: *min, max: *max, start: None });
                    findings.nominal(place, name, *nominal);
                }
                TypeKind::Integer { min, max, .. } => {
                    findings.range(place, name, Range { min: *min, max: *max, start: None });
                }
                TypeKind::Enumeration { items, .. } => {
                    let items: Vec<_> = items.iter().map(|item| (item.name.as_str(), i64::from(item.value))).collect();
                    findings.enumeration_items(place, name, &items);
                }
                TypeKind::Boolean {} | TypeKind::String {} => {}
            }
        }
    }

    fn unit_definition(&mut self, place: Place, unit: &Unit) {
        let display = display_units(unit);
        let factors = unit.display_units.iter().map(|display| display.factor).chain(unit.base_unit.map(|base| base.factor));
        self.findings.unit_definition(place, &unit.name, &display, factors);
    }
}
