//! `ModelStructure`: the dependencies between variables.

use fmi_xml::{KINDS, elements};

use super::numbers::REFERENCES;
use super::{Annotation, DependencyKind};

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

elements! {
    /// An unknown and the variables it depends on, by value reference.
    #[derive(Debug, Clone, PartialEq, Eq, Default)]
    pub struct Unknown {
        /// Value reference of the unknown.
        value_reference: u32 = "valueReference" key,
        /// Value references of the variables it depends on: all variables if `None` (absent), none if empty.
        dependencies: Option<Vec<u32>> = "dependencies" spare by REFERENCES,
        /// Kinds of the dependencies, one per dependency; `None` if absent.
        dependency_kinds: Option<Vec<DependencyKind>> = "dependenciesKind" spare by KINDS,
        /// Annotations.
        annotations: Vec<Annotation>,
    }
}

impl ModelStructure {
    /// Returns the lists with the names of their elements, in the order of the standard.
    pub(super) fn lists(&self) -> [(&'static str, &[Unknown]); 5] {
        [
            ("Output", &self.outputs),
            ("ContinuousStateDerivative", &self.continuous_state_derivatives),
            ("ClockedState", &self.clocked_states),
            ("InitialUnknown", &self.initial_unknowns),
            ("EventIndicator", &self.event_indicators),
        ]
    }

    /// Returns the lists, in the same order.
    pub(super) fn lists_mut(&mut self) -> [&mut Vec<Unknown>; 5] {
        [
            &mut self.outputs,
            &mut self.continuous_state_derivatives,
            &mut self.clocked_states,
            &mut self.initial_unknowns,
            &mut self.event_indicators,
        ]
    }
}
