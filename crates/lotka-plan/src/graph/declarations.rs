//! The dependencies that a model description declares, by variable.

use lotka_instance::{
    ModelDescription,
    description::{Causality, Unknown},
};

/// What the outputs of a model depend on directly.
#[derive(Debug)]
pub struct Declarations<'a> {
    description: &'a ModelDescription,
    /// The outputs, in the order of their variables.
    outputs: Vec<&'a Unknown>,
    /// What outputs depend on during a run.
    direct: Determinants,
    /// What outputs depend on in initialization mode, in addition to these.
    initial: Determinants,
}

impl<'a> Declarations<'a> {
    /// Indexes the dependencies of a model description.
    #[must_use]
    pub fn new(description: &'a ModelDescription) -> Self {
        let is_output = |unknown: &&Unknown| {
            let variable = description.variables.get(unknown.index);
            variable.is_some_and(|variable| variable.causality == Causality::Output)
        };
        let count = description.variables.len();
        let mut outputs: Vec<_> = description.outputs.iter().collect();
        outputs.sort_by_key(|output| output.index);
        let direct = Determinants::of(description.outputs.iter(), count);
        let initial = Determinants::of(description.initial_unknowns.iter().filter(is_output), count);
        Self { description, outputs, direct, initial }
    }

    /// Whether an output depends directly on this input.
    #[must_use]
    pub fn has_feedthrough(&self, input: usize) -> bool {
        self.direct.include(input)
    }

    /// Whether an output depends on this input in initialization mode.
    pub(crate) fn starts_from(&self, input: usize) -> bool {
        self.has_feedthrough(input) || self.initial.include(input)
    }

    /// Whether an output depends directly on one of these inputs, which are sorted.
    #[must_use]
    pub fn follows(&self, output: usize, inputs: &[usize]) -> bool {
        self.unknowns(output).any(|output| match &output.dependencies {
            None => !inputs.is_empty(),
            Some(all) => all.iter().any(|input| inputs.binary_search(input).is_ok()),
        })
    }

    /// Whether an output is declared to depend directly on an input.
    pub(crate) fn is_immediate(&self, output: usize) -> bool {
        self.unknowns(output).any(|output| self.follows_input(output))
    }

    /// Whether the model description declares no state, and every output follows an input.
    pub(crate) fn is_memoryless(&self) -> bool {
        let is_stateless = self.description.derivatives.is_empty() && !self.outputs.is_empty();
        is_stateless && self.outputs.iter().all(|output| self.follows_input(output))
    }

    /// The variables on which an output is declared to depend directly; none without a declaration.
    pub(crate) fn of_output(&self, output: usize) -> &'a [usize] {
        self.unknowns(output).next().and_then(|unknown| unknown.dependencies.as_deref()).unwrap_or(&[])
    }

    fn unknowns(&self, output: usize) -> impl Iterator<Item = &'a Unknown> + use<'_, 'a> {
        let start = self.outputs.partition_point(|unknown| unknown.index < output);
        self.outputs[start..].iter().copied().take_while(move |unknown| unknown.index == output)
    }

    fn follows_input(&self, output: &Unknown) -> bool {
        let is_input = |index: &usize| {
            let variable = self.description.variables.get(*index);
            variable.is_some_and(|variable| variable.causality == Causality::Input)
        };
        output.dependencies.as_ref().is_some_and(|all| all.iter().any(is_input))
    }
}

/// The variables on which some unknowns depend.
#[derive(Debug)]
struct Determinants {
    /// Whether an unknown has no declaration: it may depend on every input.
    are_all: bool,
    /// Per variable.
    is_listed: Vec<bool>,
}

impl Determinants {
    fn of<'a>(unknowns: impl Iterator<Item = &'a Unknown>, count: usize) -> Self {
        let mut found = Self { are_all: false, is_listed: vec![false; count] };
        for unknown in unknowns {
            found.are_all |= unknown.dependencies.is_none();
            for &variable in unknown.dependencies.iter().flatten() {
                if let Some(is_listed) = found.is_listed.get_mut(variable) {
                    *is_listed = true;
                }
            }
        }
        found
    }

    fn include(&self, variable: usize) -> bool {
        self.are_all || self.is_listed[variable]
    }
}
