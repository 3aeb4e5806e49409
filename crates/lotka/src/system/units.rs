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

/// What the product of two variables is.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Product {
    /// A power: the value in W of 1 in their units.
    Watts(f64),
    /// One of them has no unit, or its unit no base units.
    Unknown,
    /// No power, and why.
    NoPower(String),
}

/// kg m² / s³, angles apart: a torque has no rad, an angular velocity has.
const POWER: [i32; 8] = [1, 2, -3, 0, 0, 0, 0, 0];

/// The power that two variables make together.
pub(super) fn product_in_watts(a: (&ModelDescription, &ScalarVariable), b: (&ModelDescription, &ScalarVariable)) -> Product {
    let (Some((a_unit, a_base)), Some((b_unit, b_base))) = (base_unit(a), base_unit(b)) else { return Product::Unknown };
    let (a_exponents, b_exponents) = (exponents(a_base), exponents(b_base));
    let product: [i32; 8] = std::array::from_fn(|base| a_exponents[base] + b_exponents[base]);
    if product[..7] != POWER[..7] {
        return Product::NoPower(format!("`{a_unit}` times `{b_unit}`"));
    }
    let offset =
        [(a, a_base), (b, b_base)].into_iter().any(|(end, base)| base.offset.unwrap_or(0.0) != 0.0 && !is_relative(end.1));
    if offset {
        return Product::NoPower(format!("`{a_unit}` or `{b_unit}` does not count from zero"));
    }
    Product::Watts(a_base.factor.unwrap_or(1.0) * b_base.factor.unwrap_or(1.0))
}
