//! Dependency analysis at the level of variables: the order in which outputs can be evaluated at a communication point, and which
//! of them must be solved together.
//!
//! An output is an equation in the inputs that it follows without delay, according to its model description. An input equals its
//! sources. Sorting these equations is sorting algebraic equations. Depth-first search places each after those it needs, and
//! finds those that need each other as strongly connected components (Sharir 1981, doi 10.1016/0898-1221(81)90008-0).

use std::{
    collections::{HashMap, HashSet},
    fmt,
    ops::Deref,
    sync::{Arc, OnceLock},
};

use lotka_instance::{ModelDescription, description::Causality};
use petgraph::{algo::kosaraju_scc, graph::DiGraph};

use super::dependencies::order_along;
use crate::link::{Link, LinkIndex, LinkSource, VariableIndex};

/// An input or output of an instance, numbered as in [`super::Graph`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Port {
    /// The instance.
    pub instance: usize,
    /// Name of the variable.
    pub variable: String,
}

/// An output, and the connected inputs that it follows without delay.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Equation {
    /// The output.
    pub output: Port,
    /// The inputs, in the order of the connections; empty if the output follows from the state of its instance.
    pub follows: Vec<Port>,
    /// The outputs that feed these inputs.
    pub needs: Vec<Port>,
}

/// Outputs at the same place in the order: a single one, or those of an algebraic loop, which must be solved together.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct EvaluationSet {
    /// The outputs.
    pub equations: Vec<Equation>,
    /// The connections `(output, input)` that close the algebraic loop; empty without a loop.
    pub loop_connections: Vec<(Port, Port)>,
}

impl EvaluationSet {
    /// Whether the outputs form an algebraic loop.
    #[must_use]
    pub fn is_loop(&self) -> bool {
        !self.loop_connections.is_empty()
    }

    /// Returns the instances of the outputs, each once, in the order of the outputs.
    #[must_use]
    pub fn members(&self) -> Vec<usize> {
        let mut known = HashSet::new();
        self.equations.iter().map(|equation| equation.output.instance).filter(|member| known.insert(*member)).collect()
    }
}

/// The outputs that are connected or follow a connected input, sorted. They are sorted when they are first read, because a run
/// does not need them, and outputs without declared dependencies follow every input of their instance.
#[derive(Clone)]
pub struct Evaluation {
    unsorted: Arc<Unsorted>,
    sorted: OnceLock<Vec<EvaluationSet>>,
}

impl Evaluation {
    /// If there is a choice, instances of lower `rank` come first.
    pub(super) fn new(descriptions: &[&ModelDescription], links: &[Link], rank: &[usize]) -> Self {
        Self { unsorted: Arc::new(Unsorted::new(descriptions, links, rank)), sorted: OnceLock::new() }
    }
}

impl Deref for Evaluation {
    type Target = [EvaluationSet];

    fn deref(&self) -> &[EvaluationSet] {
        self.sorted.get_or_init(|| self.unsorted.sort())
    }
}

impl PartialEq for Evaluation {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Evaluation {}

impl fmt::Debug for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// The equations in indices.
struct Unsorted {
    /// In the order of the ranks of their instances, then of their variables.
    outputs: Vec<Output>,
    /// Connected inputs with the outputs that feed them, sorted.
    inputs: Vec<(VariableIndex, Vec<VariableIndex>)>,
    /// Names of all these inputs and outputs.
    names: HashMap<VariableIndex, String>,
}

/// An output, and the connected inputs that it follows: those listed, in order, or all of its instance.
struct Output {
    place: VariableIndex,
    follows: Option<Vec<VariableIndex>>,
}

impl Unsorted {
    fn new(descriptions: &[&ModelDescription], links: &[Link], rank: &[usize]) -> Self {
        let index = LinkIndex::new(links);
        let mut outputs = Vec::new();
        for (instance, description) in descriptions.iter().enumerate() {
            let is_fed = !index.into_instance(instance).is_empty();
            for unknown in &description.outputs {
                let place = (instance, unknown.index);
                let is_output =
                    description.variables.get(unknown.index).is_some_and(|known| known.causality == Causality::Output);
                let is_connected = |input: &VariableIndex| index.into_input(*input).is_some();
                let follows = unknown.dependencies.as_ref().map(|all| {
                    let mut connected: Vec<_> = all.iter().map(|&input| (instance, input)).filter(is_connected).collect();
                    connected.sort_unstable();
                    connected
                });
                let follows_any = follows.as_ref().map_or(is_fed, |follows| !follows.is_empty());
                if is_output && (follows_any || index.is_read(place)) {
                    outputs.push(Output { place, follows });
                }
            }
        }
        outputs.sort_by_key(|output| (rank[output.place.0], output.place.1));
        let sources = |link: &Link| link.sources.iter().map(LinkSource::output).collect();
        let mut inputs: Vec<(VariableIndex, Vec<VariableIndex>)> =
            links.iter().map(|link| (link.input(), sources(link))).collect();
        inputs.sort_by_key(|(input, _)| *input);
        let ends = inputs.iter().flat_map(|(input, sources)| sources.iter().chain([input]));
        let all = ends.copied().chain(outputs.iter().map(|output| output.place));
        let name = |place: VariableIndex| (place, descriptions[place.0].variables[place.1].name.clone());
        Self { names: all.map(name).collect(), outputs, inputs }
    }

    fn sort(&self) -> Vec<EvaluationSet> {
        let number: HashMap<VariableIndex, usize> =
            self.outputs.iter().enumerate().map(|(number, output)| (output.place, number)).collect();
        let mut edges = Vec::new();
        for (target, output) in self.outputs.iter().enumerate() {
            let sources = self.followed(output).flat_map(|(_, sources)| sources);
            edges.extend(sources.filter_map(|source| Some((*number.get(source)?, target))));
        }
        let sets = components(self.outputs.len(), &edges);
        let mut set_of = vec![0; self.outputs.len()];
        for (set, members) in sets.iter().enumerate() {
            members.iter().for_each(|&member| set_of[member] = set);
        }
        let between: Vec<_> = edges.iter().map(|&(source, target)| (set_of[source], set_of[target])).collect();
        let is_inside = |set: usize, source: VariableIndex| number.get(&source).is_some_and(|&source| set_of[source] == set);
        order_along(sets.len(), &between).into_iter().map(|set| self.set(&sets[set], |source| is_inside(set, source))).collect()
    }

    /// The connected inputs that an output follows, with the outputs that feed them.
    fn followed<'a>(&'a self, output: &'a Output) -> impl Iterator<Item = &'a (VariableIndex, Vec<VariableIndex>)> {
        let listed = output.follows.iter().flatten().map(|input| &self.inputs[self.first_from(*input)]);
        let all = match output.follows {
            Some(_) => &[],
            None => &self.inputs[self.first_from((output.place.0, 0))..self.first_from((output.place.0 + 1, 0))],
        };
        listed.chain(all)
    }

    /// Number of the first input at this place or after it.
    fn first_from(&self, place: VariableIndex) -> usize {
        self.inputs.partition_point(|(known, _)| *known < place)
    }

    fn port(&self, place: VariableIndex) -> Port {
        Port { instance: place.0, variable: self.names[&place].clone() }
    }

    fn set(&self, members: &[usize], is_inside: impl Fn(VariableIndex) -> bool) -> EvaluationSet {
        let followed = members.iter().flat_map(|&member| self.followed(&self.outputs[member]));
        let ends = followed.flat_map(|(input, sources)| sources.iter().map(|source| (*source, *input)));
        let mut known = HashSet::new();
        let inside = ends.filter(|(source, input)| is_inside(*source) && known.insert((*source, *input)));
        EvaluationSet {
            equations: members.iter().map(|&member| self.equation(&self.outputs[member])).collect(),
            loop_connections: inside.map(|(source, input)| (self.port(source), self.port(input))).collect(),
        }
    }

    fn equation(&self, output: &Output) -> Equation {
        let sources = self.followed(output).flat_map(|(_, sources)| sources);
        let mut known = HashSet::new();
        let needs = sources.filter(|source| known.insert(**source)).map(|source| self.port(*source)).collect();
        let follows = self.followed(output).map(|(input, _)| self.port(*input)).collect();
        Equation { output: self.port(output.place), follows, needs }
    }
}

/// Strongly connected components, each and all sorted by their smallest index.
fn components(count: usize, edges: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let mut graph = DiGraph::<(), (), u32>::with_capacity(count, edges.len());
    let nodes: Vec<_> = (0..count).map(|_| graph.add_node(())).collect();
    for &(source, target) in edges {
        graph.add_edge(nodes[source], nodes[target], ());
    }
    let mut components: Vec<Vec<usize>> =
        kosaraju_scc(&graph).into_iter().map(|members| members.into_iter().map(|node| node.index()).collect()).collect();
    components.iter_mut().for_each(|members| members.sort_unstable());
    components.sort_by_key(|members| members[0]);
    components
}

#[cfg(test)]
mod tests {
    use lotka_instance::description::{RealKind, Unknown, Variable, VariableKind};

    use super::*;
    use crate::link::link;

    /// An instance with inputs `u1`, `u2`, …, whose outputs follow the inputs with the given numbers, counted from 1.
    fn instance(inputs: u32, outputs: &[&[u32]]) -> ModelDescription {
        let variable = |name: String, causality| Variable::new(name, 0, causality, VariableKind::Real(RealKind::default()));
        let mut description = ModelDescription::default();
        description.variables.extend((1..=inputs).map(|number| variable(format!("u{number}"), Causality::Input)));
        for (number, dependencies) in outputs.iter().enumerate() {
            description.variables.push(variable(format!("y{}", number + 1), Causality::Output));
            let index = description.variables.len() - 1;
            let dependencies = dependencies.iter().map(|number| *number as usize - 1).collect();
            description.outputs.push(Unknown { index, dependencies: Some(dependencies) });
        }
        description
    }

    /// The sets as `a.y1` or `{a.y1 b.y1}`, with letters for instances.
    fn sorted(descriptions: &[ModelDescription], links: &[Link]) -> Vec<String> {
        let descriptions: Vec<_> = descriptions.iter().collect();
        let rank: Vec<_> = (0..descriptions.len()).collect();
        let port = |port: &Port| format!("{}.{}", char::from(b'a' + port.instance as u8), port.variable);
        let name = |set: &EvaluationSet| {
            let outputs: Vec<_> = set.equations.iter().map(|equation| port(&equation.output)).collect();
            if set.is_loop() { format!("{{{}}}", outputs.join(" ")) } else { outputs.join(" ") }
        };
        Evaluation::new(&descriptions, links, &rank).iter().map(name).collect()
    }

    /// a = b² + 3, b = sin(c e), c = √(d - 4.5), d = π/2, e = u(): the equations of a lecture on sorting; with e = a² + u(), the
    /// loop.
    #[test]
    fn equations_are_sorted_and_a_loop_stays_together() {
        let parts = |e: &[u32]| {
            [instance(1, &[&[1]]), instance(2, &[&[1, 2]]), instance(1, &[&[1]]), instance(0, &[&[]]), instance(1, &[e])]
        };
        let mut links = vec![link((0, 0), &[(1, 2)]), link((1, 0), &[(2, 1)]), link((1, 1), &[(4, 1)]), link((2, 0), &[(3, 0)])];
        assert_eq!(sorted(&parts(&[1]), &links), ["d.y1", "c.y1", "e.y1", "b.y1", "a.y1"]);
        links.push(link((4, 0), &[(0, 1)]));
        assert_eq!(sorted(&parts(&[1]), &links), ["d.y1", "c.y1", "{a.y1 b.y1 e.y1}"]);
        // If e has a delay, there is no loop.
        assert_eq!(sorted(&parts(&[]), &links), ["d.y1", "c.y1", "e.y1", "b.y1", "a.y1"]);
    }

    /// Both instances have feedthrough and feed each other, but not from the inputs that close the loop.
    #[test]
    fn feedthrough_from_another_input_makes_no_loop() {
        let parts = [instance(2, &[&[1], &[2]]), instance(2, &[&[1], &[2]])];
        let links = [link((0, 0), &[(1, 2)]), link((1, 1), &[(0, 2)])];
        assert_eq!(sorted(&parts, &links), ["b.y1", "a.y1", "b.y2"]);
        let closed = [links.to_vec(), vec![link((1, 0), &[(0, 2)])]].concat();
        assert_eq!(sorted(&parts, &closed).iter().filter(|set| set.starts_with('{')).count(), 1);
    }

    #[test]
    fn a_loop_knows_the_connections_that_close_it() {
        let parts = [instance(1, &[&[1]]), instance(2, &[&[1, 2]]), instance(0, &[&[]])];
        let links = [link((0, 0), &[(1, 2)]), link((1, 0), &[(0, 1)]), link((1, 1), &[(2, 0)])];
        let descriptions: Vec<_> = parts.iter().collect();
        let sets = Evaluation::new(&descriptions, &links, &[0, 1, 2]);
        let found = sets.iter().find(|set| set.is_loop()).unwrap();
        let port = |instance, variable: &str| Port { instance, variable: variable.to_owned() };
        let expected = [(port(1, "y1"), port(0, "u1")), (port(0, "y1"), port(1, "u1"))];
        assert_eq!((found.loop_connections.as_slice(), found.members()), (&expected[..], vec![0, 1]));
        assert_eq!(found.equations[1].needs, [port(0, "y1"), port(2, "y1")]);
    }

    #[test]
    fn dependencies_that_are_absent_mean_all_inputs() {
        let mut parts = [instance(1, &[&[]]), instance(1, &[&[1]])];
        let links = [link((0, 0), &[(1, 1)]), link((1, 0), &[(0, 1)])];
        assert_eq!(sorted(&parts, &links), ["a.y1", "b.y1"]);
        parts[0].outputs[0].dependencies = None;
        assert_eq!(sorted(&parts, &links), ["{a.y1 b.y1}"]);
    }
}
