//! `[units]`

use toml::de::DeValue;

use super::{
    Section,
    form::Form,
    keys::{Key, Keys},
    section::kind,
};
use crate::{Located, UnitSettings};
use lotka_message::{Code, Findings};

/// Base units, in the order of the exponents.
pub(crate) const BASE_UNITS: [&str; 8] = ["kg", "m", "s", "A", "K", "mol", "cd", "rad"];

pub(super) const UNITS: Form = Form::Names(&Form::Table(UNIT));

const UNIT: Keys = &[&KEYS];

static KEYS: [Key; 10] = [
    exponent_of(0, "Exponent of the kilogram."),
    exponent_of(1, "Exponent of the meter."),
    exponent_of(2, "Exponent of the second."),
    exponent_of(3, "Exponent of the ampere."),
    exponent_of(4, "Exponent of the kelvin."),
    exponent_of(5, "Exponent of the mole."),
    exponent_of(6, "Exponent of the candela."),
    exponent_of(7, "Exponent of the radian."),
    Key::new("factor", Form::Number, "Factor: value in base units = factor * value + offset.").or("1"),
    Key::new("offset", Form::Number, "Offset: value in base units = factor * value + offset.").or("0"),
];

const fn exponent_of(base: usize, help: &'static str) -> Key {
    Key::new(BASE_UNITS[base], Form::Integer, help).or("0")
}

pub(super) fn read(section: &Section<'_>, findings: &mut Findings) -> Vec<UnitSettings> {
    let mut units = Vec::new();
    for entry in section.entries() {
        let DeValue::Table(table) = entry.value.get_ref() else {
            let message = format!("expected a table for the unit `{}`, found {}", entry.key, kind(entry.value.get_ref()));
            findings.error(
                Code::WrongType,
                &Some(entry.value.span()),
                message,
                "write { m = 1, s = -1, factor = 0.2777777777777778 }".to_owned(),
            );
            continue;
        };
        let unit = Section::new(entry.key, UNIT, table, entry.value.span());
        let exponents = BASE_UNITS.map(|base| exponent(&unit, base, findings));
        let factor = unit.number("factor", findings).map_or(1.0, |factor| factor.value);
        let offset = unit.number("offset", findings).map_or(0.0, |offset| offset.value);
        unit.finish(findings);
        if factor == 0.0 {
            findings.error(
                Code::OutOfRange,
                &Some(entry.value.span()),
                format!("the factor of the unit `{}` is 0", entry.key),
                "remove `factor` to use 1".to_owned(),
            );
        }
        let name = Located { value: entry.key.to_owned(), span: Some(entry.key_span.clone()) };
        units.push(UnitSettings { name, exponents, factor, offset });
    }
    units
}

fn exponent(unit: &Section<'_>, base: &'static str, findings: &mut Findings) -> i32 {
    let Some(exponent) = unit.integer(base, findings) else { return 0 };
    i32::try_from(exponent.value).unwrap_or_else(|_| {
        findings.error(
            Code::OutOfRange,
            &exponent.span,
            format!("the exponent {} of a unit is out of range", exponent.value),
            None,
        );
        0
    })
}
