//! `ModelStructure`: the dependencies between variables.

use super::DependencyKind;

/// `ModelStructure`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ModelStructure {
    /// Outputs.
    pub outputs: Vec<Unknown>,
    /// State derivatives.
    pub derivatives: Vec<Unknown>,
    /// Variables that initialization mode computes.
    pub initial_unknowns: Vec<Unknown>,
}

/// An unknown and the variables it depends on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Unknown {
    /// 1-based index into the variables.
    pub index: u32,
    /// 1-based indices of the variables it depends on: all variables if `None` (absent), none if empty.
    pub dependencies: Option<Vec<u32>>,
    /// Kinds of the dependencies, one per dependency; `None` if absent.
    pub dependency_kinds: Option<Vec<DependencyKind>>,
}
