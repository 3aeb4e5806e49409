//! Units of connected variables: conversion by the base units of the two descriptions.

use fmi2::{
    ModelDescription,
    description::{BaseUnit, ScalarVariable, VariableKind},
};

/// `target = factor * source + offset`, in the units of the two variables.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Conversion {
    pub(super) factor: f64,
    pub(super) offset: f64,
}

const IDENTITY: Conversion = Conversion { factor: 1.0, offset: 0.0 };

/// The conversion from one Real variable to another. A side without a unit, or whose unit has no base unit, converts by identity;
/// different base exponents are an error that names both units.
pub(super) fn conversion(
    source: (&ModelDescription, &ScalarVariable),
    target: (&ModelDescription, &ScalarVariable),
) -> Result<Conversion, String> {
    let (Some((source_unit, source_base)), Some((target_unit, target_base))) = (base_unit(source), base_unit(target)) else {
        return Ok(IDENTITY);
    };
    if exponents(source_base) != exponents(target_base) {
        return Err(format!("`{source_unit}` does not convert to `{target_unit}`"));
    }
    let (source_factor, target_factor) = (source_base.factor.unwrap_or(1.0), target_base.factor.unwrap_or(1.0));
    let offset = (source_base.offset.unwrap_or(0.0) - target_base.offset.unwrap_or(0.0)) / target_factor;
    let relative = is_relative(source.1) && is_relative(target.1);
    Ok(Conversion { factor: source_factor / target_factor, offset: if relative { 0.0 } else { offset } })
}

fn base_unit<'a>((description, variable): (&'a ModelDescription, &'a ScalarVariable)) -> Option<(&'a str, BaseUnit)> {
    let name = description.unit_of(variable)?;
    let unit = description.units.iter().find(|unit| unit.name == name)?;
    Some((name, unit.base_unit?))
}

fn exponents(unit: BaseUnit) -> [i32; 8] {
    [unit.kg, unit.m, unit.s, unit.a, unit.k, unit.mol, unit.cd, unit.rad].map(|exponent| exponent.unwrap_or(0))
}

fn is_relative(variable: &ScalarVariable) -> bool {
    matches!(&variable.kind, VariableKind::Real(real) if real.relative_quantity == Some(true))
}
