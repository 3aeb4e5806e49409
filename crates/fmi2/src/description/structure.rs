//! `ModelStructure`: what depends on what.

/// `ModelStructure`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ModelStructure {
    /// The outputs.
    pub outputs: Vec<Unknown>,
    /// State derivatives.
    pub derivatives: Vec<Unknown>,
    /// What initialization mode computes.
    pub initial_unknowns: Vec<Unknown>,
}

/// One unknown with what it depends on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Unknown {
    /// 1-based index into the variables.
    pub index: u32,
    /// 1-based indices of the variables it depends on. `None`: absent, it depends on everything; empty: on nothing.
    pub dependencies: Option<Vec<u32>>,
    /// Kinds, as many as dependencies, or absent.
    pub dependency_kinds: Option<Vec<DependencyKind>>,
}

/// `dependenciesKind`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "names of the standard")]
pub enum DependencyKind {
    Dependent,
    Constant,
    Fixed,
    Tunable,
    Discrete,
}
