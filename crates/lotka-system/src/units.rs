//! Units: conversion of connected values and of start values, by the base units of FMI.

use lotka_instance::{
    ModelDescription,
    description::{BaseUnit, Variable, VariableKind},
};

use super::{Located, UnitSettings};
use lotka_message::Code;
use lotka_message::{Findings, nearest};

/// `target = factor * source + offset`, in the units of the two sides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Conversion {
    pub(super) factor: f64,
    pub(super) offset: f64,
}

impl Conversion {
    pub(super) const IDENTITY: Self = Self { factor: 1.0, offset: 0.0 };

    /// The composition of this one and then the other one.
    pub(super) fn then(self, next: Self) -> Self {
        Self { factor: next.factor * self.factor, offset: next.factor * self.offset + next.offset }
    }

    pub(super) fn apply(self, value: f64) -> f64 {
        self.factor * value + self.offset
    }
}

/// A unit, with its definition if known.
#[derive(Debug, Clone, Copy)]
pub(super) struct Unit<'a> {
    pub(super) name: &'a str,
    base: Option<Base>,
    /// Whether values are differences, to which the offset does not apply.
    is_relative: bool,
}

/// `value in base units = factor * value + offset`.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Base {
    exponents: [i32; 8],
    factor: f64,
    offset: f64,
}

impl From<BaseUnit> for Base {
    fn from(unit: BaseUnit) -> Self {
        let exponents = [unit.kg, unit.m, unit.s, unit.a, unit.k, unit.mol, unit.cd, unit.rad];
        Self {
            exponents: exponents.map(|exponent| exponent.unwrap_or(0)),
            factor: unit.factor.unwrap_or(1.0),
            offset: unit.offset.unwrap_or(0.0),
        }
    }
}

impl From<&UnitSettings> for Base {
    fn from(unit: &UnitSettings) -> Self {
        Self { exponents: unit.exponents, factor: unit.factor, offset: unit.offset }
    }
}

/// Units by name: those of the system file, and those of an FMU.
#[derive(Clone, Copy)]
pub(super) struct Units<'a> {
    own: &'a [UnitSettings],
}

impl<'a> Units<'a> {
    pub(super) fn new(own: &'a [UnitSettings]) -> Self {
        Self { own }
    }

    /// The unit of a Real variable, if it has one. The system file may define it if the FMU does not.
    pub(super) fn of(self, description: &'a ModelDescription, variable: &'a Variable) -> Option<Unit<'a>> {
        let name = variable.unit()?;
        let is_relative = matches!(&variable.kind, VariableKind::Real(real) if real.is_relative);
        Some(Unit { name, base: defined(description, name).or_else(|| self.base(name)), is_relative })
    }

    /// A unit in the system file: one that it defines, or one of the FMU of the variable.
    pub(super) fn named(
        self,
        name: &'a Located<String>,
        descriptions: &[&'a ModelDescription],
        findings: &mut Findings,
    ) -> Option<Unit<'a>> {
        let base = self.base(&name.value).or_else(|| descriptions.iter().find_map(|fmu| defined(fmu, &name.value)));
        if base.is_none() {
            let of_fmus = descriptions.iter().flat_map(|fmu| &fmu.units).map(|unit| unit.name.as_str());
            let known = self.own.iter().map(|unit| unit.name.value.as_str()).chain(of_fmus);
            let help = nearest(&name.value, known).unwrap_or_else(|| "define it in [units]".to_owned());
            findings.error(Code::UnknownUnit, &name.span, format!("the unit `{}` is not defined", name.value), help);
        }
        Some(Unit { name: &name.value, base: Some(base?), is_relative: false })
    }

    /// Whether the system file or this FMU defines a unit.
    pub(super) fn defines(self, name: &str, description: &ModelDescription) -> bool {
        self.base(name).is_some() || defined(description, name).is_some()
    }

    /// A unit by its name, whether the system file defines it or not.
    #[cfg(feature = "ssp")]
    pub(super) fn known(self, name: &'a str) -> Option<Unit<'a>> {
        Some(Unit { name, base: self.base(name), is_relative: false })
    }

    fn base(self, name: &str) -> Option<Base> {
        self.own.iter().find(|unit| unit.name.value == name).map(Base::from)
    }
}

/// The definition of a unit by an FMU, in the form of a system file.
#[cfg(feature = "ssp")]
pub(super) fn definition(description: &ModelDescription, name: &str) -> Option<UnitSettings> {
    let Base { exponents, factor, offset } = defined(description, name)?;
    Some(UnitSettings { name: name.to_owned().into(), exponents, factor, offset })
}

fn defined(description: &ModelDescription, name: &str) -> Option<Base> {
    description.units.iter().find(|unit| unit.name == name)?.base_unit.map(Base::from)
}

/// The reason why values cannot be converted.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Doubt {
    /// The base units differ.
    Incompatible(String),
    /// The names differ, and one of the units is not defined.
    Undefined(String),
}

/// The conversion from one unit to another. A side without a unit converts by identity.
pub(super) fn conversion(source: Option<Unit<'_>>, target: Option<Unit<'_>>) -> Result<Conversion, Doubt> {
    let (Some(source), Some(target)) = (source, target) else { return Ok(Conversion::IDENTITY) };
    let (Some(from), Some(to)) = (source.base, target.base) else {
        if source.name == target.name {
            return Ok(Conversion::IDENTITY);
        }
        let undefined = if source.base.is_none() { source.name } else { target.name };
        let what =
            format!("the FMU does not define `{undefined}`; Lotka treats values in `{}` as `{}`", source.name, target.name);
        return Err(Doubt::Undefined(what));
    };
    if from.exponents != to.exponents {
        return Err(Doubt::Incompatible(format!("`{}` does not convert to `{}`", source.name, target.name)));
    }
    let is_relative = source.is_relative && target.is_relative;
    let offset = if is_relative { 0.0 } else { (from.offset - to.offset) / to.factor };
    Ok(Conversion { factor: from.factor / to.factor, offset })
}

/// The kind of the product of two variables.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Product {
    /// A power: the value in W of 1 in their units.
    Watts(f64),
    /// One of them has no unit, or a unit without base units.
    Unknown,
    /// Not a power, with the reason.
    NoPower(String),
}

/// kg m² / s³; angles are ignored, because a torque has no rad but an angular velocity does.
const POWER: [i32; 8] = [1, 2, -3, 0, 0, 0, 0, 0];

/// The power of two variables.
pub(super) fn product_in_watts(a: Option<Unit<'_>>, b: Option<Unit<'_>>) -> Product {
    let (Some(a), Some(b)) = (a, b) else { return Product::Unknown };
    let (Some(a_base), Some(b_base)) = (a.base, b.base) else { return Product::Unknown };
    let product: [i32; 8] = std::array::from_fn(|base| a_base.exponents[base] + b_base.exponents[base]);
    if product[..7] != POWER[..7] {
        return Product::NoPower(format!("`{}` times `{}`", a.name, b.name));
    }
    if [(a, a_base), (b, b_base)].into_iter().any(|(unit, base)| base.offset != 0.0 && !unit.is_relative) {
        return Product::NoPower(format!("`{}` or `{}` has an offset", a.name, b.name));
    }
    Product::Watts(a_base.factor * b_base.factor)
}
