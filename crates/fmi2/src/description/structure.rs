//! `ModelStructure`: the dependencies between variables.

use fmi_xml::{KINDS, Listed, elements};

use super::DependencyKind;

/// Codec of indices.
const INDICES: Listed = Listed("a list of variable indices, counted from 1");

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

elements! {
    /// An unknown and the variables it depends on.
    #[derive(Debug, Clone, PartialEq, Eq, Default)]
    pub struct Unknown {
        /// 1-based index into the variables.
        index: u32 = "index" key,
        /// 1-based indices of the variables it depends on: all variables if `None` (absent), none if empty.
        dependencies: Option<Vec<u32>> = "dependencies" spare by INDICES,
        /// Kinds of the dependencies, one per dependency; `None` if absent.
        dependency_kinds: Option<Vec<DependencyKind>> = "dependenciesKind" spare by KINDS,
    }
}
