//! Dependencies, resolved to indices, and derivatives computed from them by the chain rule.

use std::collections::{BTreeSet, HashMap};

use fmi3::description::Causality;
use lotka_instance::description::Initial;

use super::attributes::Variable;
use super::builder::{Detail, NamedDependency};
use crate::Error;

/// Dependencies of all variables; indices are those of the declared variables.
pub(crate) struct Dependencies {
    nodes: Vec<Node>,
}

struct Node {
    known: Known,
    /// `None` if it may depend on everything.
    edges: Option<Vec<Edge>>,
}

struct Edge {
    to: usize,
    /// The function that computes the partial derivative.
    partial: Option<usize>,
}

/// Modes in which a variable counts as known.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Known {
    /// It is an input, or has a given start value.
    at_start: bool,
    /// It is an input, or a continuous state.
    in_steps: bool,
    /// It is a parameter of either kind, constant in steps.
    parameter: bool,
}

/// Whether values at the start or at a communication point are considered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Initialization: knowns are inputs and given start values.
    Start,
    /// Stepping: knowns are inputs and states.
    Steps,
}

impl Dependencies {
    /// Resolves names. Errors are unknown names and cycles; a variable with an unknown name may depend on everything.
    pub fn resolve(variables: &[Variable], details: Vec<Detail>) -> (Self, Vec<Error>) {
        let index: HashMap<&str, usize> = variables.iter().enumerate().map(|(i, v)| (v.name.as_str(), i)).collect();
        let states: BTreeSet<&str> = details.iter().filter_map(|d| d.derivative_of.as_deref()).collect();
        let knowns: Vec<_> = variables.iter().map(|v| Known::of(v, states.contains(v.name.as_str()))).collect();
        let mut problems = Vec::new();
        let mut nodes = Vec::new();
        for ((variable, detail), known) in variables.iter().zip(details).zip(knowns) {
            let mut unknown_name = |on: String| {
                problems.push(Error::UnknownVariable { variable: variable.name.clone(), on });
                None
            };
            let edges = detail.dependencies.and_then(|list| {
                let edge = |d: NamedDependency| match index.get(d.on.as_str()) {
                    Some(&to) => Some(Edge { to, partial: d.partial }),
                    None => unknown_name(d.on),
                };
                list.into_iter().map(edge).collect()
            });
            nodes.push(Node { known, edges });
        }
        let dependencies = Self { nodes };
        problems.extend(dependencies.cycles(variables));
        (dependencies, problems)
    }

    fn cycles(&self, variables: &[Variable]) -> Vec<Error> {
        let cyclic = |&i: &usize| [Mode::Start, Mode::Steps].into_iter().any(|mode| self.reaches_itself(i, mode));
        (0..self.nodes.len()).filter(cyclic).map(|i| Error::CyclicDependency { variable: variables[i].name.clone() }).collect()
    }

    fn reaches_itself(&self, start: usize, mode: Mode) -> bool {
        let mut visited = BTreeSet::new();
        let mut pending: Vec<_> = self.onward(start, mode).collect();
        while let Some(i) = pending.pop() {
            if i == start {
                return true;
            }
            if visited.insert(i) {
                pending.extend(self.onward(i, mode));
            }
        }
        false
    }

    /// Returns the dependencies of `i` that are not known themselves.
    fn onward(&self, i: usize, mode: Mode) -> impl Iterator<Item = usize> {
        let edges = self.nodes[i].edges.iter().flatten();
        edges.map(|edge| edge.to).filter(move |&to| !self.nodes[to].known.ends(mode))
    }

    /// Returns the knowns on which variable `i` depends, ascending; `None` if it may depend on everything.
    pub fn knowns(&self, i: usize, mode: Mode) -> Option<Vec<usize>> {
        let mut found = BTreeSet::new();
        let mut visited = BTreeSet::from([i]);
        let mut pending = vec![i];
        while let Some(i) = pending.pop() {
            for edge in self.nodes[i].edges.as_ref()? {
                let known = self.nodes[edge.to].known;
                if known.is(mode) {
                    found.insert(edge.to);
                } else if !known.ends(mode) && visited.insert(edge.to) {
                    pending.push(edge.to);
                }
            }
        }
        Some(found.into_iter().collect())
    }

    /// Whether the derivative of variable `i` is available: every dependency has its partial derivative.
    pub fn differentiable(&self, i: usize, mode: Mode) -> bool {
        let mut visited = BTreeSet::from([i]);
        let mut pending = vec![i];
        while let Some(i) = pending.pop() {
            let Some(edges) = &self.nodes[i].edges else { return false };
            for edge in edges.iter().filter(|edge| self.matters(edge.to, mode)) {
                if edge.partial.is_none() {
                    return false;
                }
                if !self.nodes[edge.to].known.ends(mode) && visited.insert(edge.to) {
                    pending.push(edge.to);
                }
            }
        }
        true
    }

    fn matters(&self, i: usize, mode: Mode) -> bool {
        let known = self.nodes[i].known;
        known.is(mode) || !known.ends(mode)
    }

    /// Returns the sum over the knowns of `d unknown / d known * seed(known)`, where `value` returns the value of a function at
    /// the model's present state. `None` if not [`Self::differentiable`].
    pub fn directional(
        &self,
        value: &dyn Fn(usize) -> f64,
        unknown: usize,
        mode: Mode,
        seed: &dyn Fn(usize) -> f64,
    ) -> Option<f64> {
        let mut sum = 0.0;
        for edge in self.nodes[unknown].edges.as_ref()?.iter().filter(|edge| self.matters(edge.to, mode)) {
            let partial = value(edge.partial?);
            let inner =
                if self.nodes[edge.to].known.is(mode) { seed(edge.to) } else { self.directional(value, edge.to, mode, seed)? };
            sum += partial * inner;
        }
        Some(sum)
    }
}

impl Known {
    fn of(variable: &Variable, state: bool) -> Self {
        let input = variable.causality == Causality::Input;
        Self {
            at_start: input || variable.initial == Some(Initial::Exact),
            in_steps: input || state,
            parameter: matches!(
                variable.causality,
                Causality::Parameter | Causality::CalculatedParameter | Causality::StructuralParameter
            ),
        }
    }

    fn is(self, mode: Mode) -> bool {
        match mode {
            Mode::Start => self.at_start,
            Mode::Steps => self.in_steps,
        }
    }

    /// Whether its dependencies are irrelevant, because it is known or constant.
    fn ends(self, mode: Mode) -> bool {
        self.is(mode) || (mode == Mode::Steps && self.parameter)
    }
}
