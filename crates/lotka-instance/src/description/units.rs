//! Units in terms of the SI.

/// A unit with its SI base units.
#[derive(Debug, Clone, PartialEq, Default)]
#[allow(missing_docs, reason = "attributes of the standard")]
pub struct Unit {
    pub name: String,
    pub base_unit: Option<BaseUnit>,
    pub display_units: Vec<DisplayUnit>,
}

/// Exponents of the SI base units, and `base = factor * value + offset`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[allow(missing_docs, reason = "attributes of the standard; None = absent (0, factor 1, offset 0)")]
pub struct BaseUnit {
    pub kg: Option<i32>,
    pub m: Option<i32>,
    pub s: Option<i32>,
    pub a: Option<i32>,
    pub k: Option<i32>,
    pub mol: Option<i32>,
    pub cd: Option<i32>,
    pub rad: Option<i32>,
    pub factor: Option<f64>,
    pub offset: Option<f64>,
}

/// `display = factor * value + offset`.
#[derive(Debug, Clone, PartialEq, Default)]
#[allow(missing_docs, reason = "attributes of the standard")]
pub struct DisplayUnit {
    pub name: String,
    pub factor: Option<f64>,
    pub offset: Option<f64>,
}
