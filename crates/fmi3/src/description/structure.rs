//! `ModelStructure`: the dependencies between variables.

use super::Annotation;

/// `ModelStructure`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ModelStructure {
    /// `Output`.
    pub outputs: Vec<Unknown>,
    /// `ContinuousStateDerivative`.
    pub continuous_state_derivatives: Vec<Unknown>,
    /// `ClockedState`.
    pub clocked_states: Vec<Unknown>,
    /// `InitialUnknown`.
    pub initial_unknowns: Vec<Unknown>,
    /// `EventIndicator`.
    pub event_indicators: Vec<Unknown>,
}

/// An unknown and the variables it depends on, by value reference.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Unknown {
    /// Value reference of the unknown.
    pub value_reference: u32,
    /// Value references of the variables it depends on: all variables if `None` (absent), none if empty.
    pub dependencies: Option<Vec<u32>>,
    /// Kinds of the dependencies, one per dependency; `None` if absent.
    pub dependency_kinds: Option<Vec<DependencyKind>>,
    /// Annotations.
    pub annotations: Vec<Annotation>,
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
