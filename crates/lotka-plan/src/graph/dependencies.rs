//! Dependency analysis at the level of instances.

use std::{
    cmp::Reverse,
    collections::{BTreeSet, BinaryHeap, HashMap},
};

use lotka_instance::ModelDescription;
use petgraph::{
    algo::kosaraju_scc,
    graph::{DiGraph, NodeIndex},
};

use super::{
    UnconnectedInput,
    declarations::Declarations,
    evaluation::{Evaluation, EvaluationSet},
};
use crate::link::{Link, PerModel, SignalType, VariableIndex};

/// Instances that depend on each other, directly or around a loop.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct StronglyConnectedComponent {
    /// Indices of the instances, in the order they are stepped.
    pub members: Vec<usize>,
    /// Whether the members form a loop. A single instance is a loop only if it feeds itself.
    pub is_loop: bool,
}

/// The result of the dependency analysis. Instances are numbered in the order of the system description. Sources follow them;
/// they have no place in the order and no component.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Graph {
    /// The order in which instances are stepped.
    pub order: Vec<usize>,
    /// Strongly connected components (Sharir 1981, doi 10.1016/0898-1221(81)90008-0): sources before what they feed, or, with a
    /// chosen order, in the order of their first members. Iteration visits them in this order.
    pub components: Vec<StronglyConnectedComponent>,
    /// Connections `(source, target)` with direct feedthrough: outputs of the target follow the source without delay.
    pub immediate: Vec<(usize, usize)>,
    /// Connections `(source, target)` with feedthrough in initialization mode: those of
    /// [`Graph::immediate`], and those into inputs that determine the start of the target.
    pub initial: Vec<(usize, usize)>,
    /// The connected outputs, and those that follow connected inputs, in an order in which they can be evaluated at a
    /// communication point.
    pub evaluation: Evaluation,
    /// Per instance: whether it has no memory according to its model description. Such a description declares no state, and every
    /// output follows an input without delay.
    pub memoryless: Vec<bool>,
    /// Inputs without a source, with the values that they keep.
    pub unconnected: Vec<UnconnectedInput>,
}

impl Graph {
    /// The same dependencies, where instances are stepped in the order of another graph.
    #[must_use]
    pub fn stepped_as(&self, steps: Self) -> Self {
        Self { order: steps.order, components: steps.components, ..self.clone() }
    }

    /// Loops of direct feedthrough, whose values must be solved together. In each loop every output follows every other one
    /// through the inputs on which the model descriptions declare it to depend.
    pub fn algebraic_loops(&self) -> impl Iterator<Item = &EvaluationSet> {
        self.evaluation.iter().filter(|set| set.is_loop())
    }

    /// Removes the sources, which make no steps: keeps the first `instances`.
    pub fn leave_sources(&mut self, instances: usize) {
        self.order.retain(|&index| index < instances);
        self.components.retain(|component| component.members.iter().all(|&member| member < instances));
    }

    /// Position of each instance in the order.
    #[must_use]
    pub fn ranks(&self) -> Vec<usize> {
        ranks(&self.order)
    }
}

/// Preferences for the order of evaluation, in addition to the dependencies.
#[derive(Debug, Clone, Copy, Default)]
pub struct Preferences<'a> {
    /// The order itself, if the user specifies it.
    pub chosen: Option<&'a [usize]>,
    /// Per instance: whether it comes after all that are not marked; empty if none are.
    pub last: &'a [bool],
    /// Pairs inside a loop whose first instance comes before the second.
    pub before: &'a [(usize, usize)],
}

/// Analyzes the connections. Without a chosen order, sources come before what they feed. Inside a loop, instances are ordered by
/// preference, then along direct feedthrough, then in file order.
#[must_use]
pub fn analyze(descriptions: &[&ModelDescription], links: &[Link], preferences: Preferences<'_>) -> Graph {
    let count = descriptions.len();
    let declarations = PerModel::new(descriptions, Declarations::new);
    let edges = edges(links);
    let immediate = edges_into(links, |link| declarations[link.instance].has_feedthrough(link.variable));
    let initial = edges_into(links, |link| declarations[link.instance].starts_from(link.variable));
    let mut components = strongly_connected(count, &edges);
    let order = match preferences.chosen {
        Some(order) => {
            let mut is_placed = vec![false; count];
            order.iter().for_each(|&index| is_placed[index] = true);
            // Sources have no place in it.
            (0..count).filter(|&index| !is_placed[index]).chain(order.iter().copied()).collect()
        }
        None => {
            let inside: Vec<_> = preferences.before.iter().chain(&immediate).copied().collect();
            let mut order = default_order(&components, &edges, &inside);
            order.sort_by_key(|&instance| preferences.last.get(instance).is_some_and(|last| *last));
            order
        }
    };
    let rank = ranks(&order);
    for component in &mut components {
        component.members.sort_by_key(|&member| rank[member]);
    }
    components.sort_by_key(|component| rank[component.members[0]]);
    let evaluation = Evaluation::new(descriptions, links, &rank);
    let memoryless = (0..count).map(|instance| declarations[instance].is_memoryless()).collect();
    Graph { order, components, immediate, initial, evaluation, memoryless, unconnected: Vec::new() }
}

/// Position of each instance in an order.
fn ranks(order: &[usize]) -> Vec<usize> {
    let mut ranks = vec![0; order.len()];
    for (position, &instance) in order.iter().enumerate() {
        ranks[instance] = position;
    }
    ranks
}

/// Whether each instance is part of a loop.
#[must_use]
pub fn in_loop(count: usize, links: &[Link]) -> Vec<bool> {
    let mut result = vec![false; count];
    for component in strongly_connected(count, &edges(links)).iter().filter(|component| component.is_loop) {
        for &member in &component.members {
            result[member] = true;
        }
    }
    result
}

/// Strongly connected components along `edges`, sources first; the members of each in the order of their dependencies.
#[must_use]
pub fn components_along(count: usize, edges: &[(usize, usize)]) -> Vec<StronglyConnectedComponent> {
    let mut components = strongly_connected(count, edges);
    let mut place = vec![0; count];
    for (position, member) in default_order(&components, edges, edges).into_iter().enumerate() {
        place[member] = position;
    }
    components.iter_mut().for_each(|component| component.members.sort_by_key(|&member| place[member]));
    components.sort_by_key(|component| place[component.members[0]]);
    components
}

/// Connected inputs through which instances depend on each other around a loop in initialization mode.
#[must_use]
pub fn inputs_in_loops_at_start(descriptions: &[&ModelDescription], links: &[Link]) -> BTreeSet<VariableIndex> {
    let declarations = PerModel::new(descriptions, Declarations::new);
    let starts = |link: &&Link| declarations[link.instance].starts_from(link.variable);
    let edges = edges_into(links, |link| starts(&link));
    let mut component_of = vec![None; descriptions.len()];
    for (index, component) in strongly_connected(descriptions.len(), &edges).iter().enumerate() {
        component.members.iter().filter(|_| component.is_loop).for_each(|&member| component_of[member] = Some(index));
    }
    let in_loop = |link: &&Link| {
        let own = component_of[link.instance];
        own.is_some() && link.sources.iter().any(|source| component_of[source.instance] == own)
    };
    links.iter().filter(starts).filter(in_loop).map(Link::input).collect()
}

/// Whether Real outputs depend on each other around a loop of direct feedthrough that the model descriptions declare. Missing
/// dependencies count as no declaration.
#[must_use]
pub fn has_algebraic_loop(declarations: &PerModel<Declarations<'_>>, links: &[Link]) -> bool {
    let links: Vec<_> = links.iter().filter(|link| link.signal == SignalType::Real).collect();
    let number: HashMap<VariableIndex, usize> = links.iter().enumerate().map(|(number, link)| (link.input(), number)).collect();
    let mut edges = Vec::new();
    for (target, link) in links.iter().enumerate() {
        for source in link.sources.iter().filter(|source| source.signal == SignalType::Real) {
            let inputs = declarations[source.instance].of_output(source.variable).iter();
            let through = inputs.filter_map(|&input| number.get(&(source.instance, input)));
            edges.extend(through.map(|&from| (from, target)));
        }
    }
    edges.sort_unstable();
    edges.dedup();
    strongly_connected(links.len(), &edges).iter().any(|component| component.is_loop)
}

/// Number of instances in the longest chain of direct feedthrough; a loop counts with all instances that follow another one. The
/// edges are sorted.
pub(crate) fn longest_chain(count: usize, immediate: &[(usize, usize)]) -> usize {
    if strongly_connected(count, immediate).iter().any(|component| component.is_loop) {
        return immediate.iter().map(|(_, target)| target).collect::<BTreeSet<_>>().len();
    }
    let mut lengths = vec![0; count];
    for source in order_along(count, immediate) {
        let first = immediate.partition_point(|&(known, _)| known < source);
        for &(_, target) in immediate[first..].iter().take_while(|&&(known, _)| known == source) {
            lengths[target] = lengths[target].max(lengths[source] + 1);
        }
    }
    lengths.into_iter().max().unwrap_or(0)
}

fn edges<'a>(links: impl IntoIterator<Item = &'a Link>) -> Vec<(usize, usize)> {
    let links = links.into_iter();
    let mut edges: Vec<_> = links.flat_map(|link| link.sources.iter().map(|source| (source.instance, link.instance))).collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}

/// Edges into some inputs.
fn edges_into(links: &[Link], counts: impl Fn(&Link) -> bool) -> Vec<(usize, usize)> {
    edges(links.iter().filter(|link| counts(link)))
}

/// Strongly connected components, each and all in file order.
fn strongly_connected(count: usize, edges: &[(usize, usize)]) -> Vec<StronglyConnectedComponent> {
    let mut graph = DiGraph::<(), (), u32>::with_capacity(count, edges.len());
    let nodes: Vec<_> = (0..count).map(|_| graph.add_node(())).collect();
    for &(source, target) in edges {
        graph.add_edge(nodes[source], nodes[target], ());
    }
    let component = |members: Vec<NodeIndex<u32>>| {
        let mut members: Vec<_> = members.into_iter().map(NodeIndex::index).collect();
        members.sort_unstable();
        let is_loop = members.len() > 1 || edges.binary_search(&(members[0], members[0])).is_ok();
        StronglyConnectedComponent { members, is_loop }
    };
    let mut components: Vec<_> = kosaraju_scc(&graph).into_iter().map(component).collect();
    components.sort_by_key(|component| component.members[0]);
    components
}

/// Orders components along all edges; inside a loop, instances along direct feedthrough.
fn default_order(
    components: &[StronglyConnectedComponent],
    edges: &[(usize, usize)],
    immediate: &[(usize, usize)],
) -> Vec<usize> {
    let count = components.iter().map(|component| component.members.len()).sum();
    let (mut component_of, mut place) = (vec![0; count], vec![0; count]);
    for (index, component) in components.iter().enumerate() {
        for (position, &member) in component.members.iter().enumerate() {
            (component_of[member], place[member]) = (index, position);
        }
    }
    let between: Vec<_> = edges.iter().map(|&(source, target)| (component_of[source], component_of[target])).collect();
    let mut inside = vec![Vec::new(); components.len()];
    for &(source, target) in immediate.iter().filter(|&&(source, target)| component_of[source] == component_of[target]) {
        inside[component_of[source]].push((place[source], place[target]));
    }
    let members_in_order = |index: usize| {
        let members = &components[index].members;
        order_along(members.len(), &inside[index]).into_iter().map(|position| members[position]).collect::<Vec<_>>()
    };
    order_along(components.len(), &between).into_iter().flat_map(members_in_order).collect()
}

/// A topological order along `edges`, smallest index first if there is a choice; a cycle is entered at its smallest index.
pub(super) fn order_along(count: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let mut waiting_for = vec![0_usize; count];
    let mut targets = vec![Vec::new(); count];
    for &(source, target) in edges.iter().filter(|(source, target)| source != target) {
        waiting_for[target] += 1;
        targets[source].push(target);
    }
    let mut ready: BinaryHeap<_> = (0..count).filter(|&node| waiting_for[node] == 0).map(Reverse).collect();
    let mut placed = vec![false; count];
    let mut order = Vec::with_capacity(count);
    let mut next_blocked = 0;
    while order.len() < count {
        let node = ready.pop().map(|Reverse(node)| node).unwrap_or_else(|| {
            while placed[next_blocked] {
                next_blocked += 1;
            }
            next_blocked
        });
        if std::mem::replace(&mut placed[node], true) {
            continue;
        }
        order.push(node);
        for &target in &targets[node] {
            waiting_for[target] -= 1;
            if waiting_for[target] == 0 {
                ready.push(Reverse(target));
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_chain_of_feedthrough_ends_in_loops() {
        assert_eq!(longest_chain(3, &[]), 0);
        assert_eq!(longest_chain(5, &[(0, 1), (1, 2), (2, 4), (3, 4)]), 3);
        assert_eq!(longest_chain(9, &[(0, 1), (1, 0)]), 2);
    }

    #[test]
    fn order_follows_edges_and_prefers_the_order_of_the_file() {
        assert_eq!(order_along(4, &[(3, 0), (0, 1)]), [2, 3, 0, 1]);
        assert_eq!(order_along(3, &[]), [0, 1, 2]);
    }

    #[test]
    fn a_cycle_is_entered_at_its_smallest_index() {
        assert_eq!(order_along(3, &[(0, 1), (1, 2), (2, 0)]), [0, 1, 2]);
        assert_eq!(order_along(4, &[(3, 1), (1, 2), (2, 1)]), [0, 3, 1, 2]);
    }

    #[test]
    fn loops_are_found_and_single_instances_are_none_unless_they_feed_themselves() {
        let components = strongly_connected(4, &[(0, 1), (1, 0), (1, 2), (3, 3)]);
        let loops: Vec<_> = components.iter().map(|component| (component.members.as_slice(), component.is_loop)).collect();
        assert_eq!(loops, [(&[0, 1][..], true), (&[2], false), (&[3], true)]);
    }

    #[test]
    fn components_come_after_what_feeds_them() {
        let components = components_along(5, &[(0, 3), (1, 4), (3, 1), (4, 1), (4, 2)]);
        let loops: Vec<_> = components.iter().map(|component| (component.members.as_slice(), component.is_loop)).collect();
        assert_eq!(loops, [(&[0][..], false), (&[3], false), (&[1, 4], true), (&[2], false)]);
    }

    #[test]
    fn a_loop_is_never_split_by_what_feeds_it() {
        let edges = [(0, 1), (1, 0), (2, 0)];
        assert_eq!(default_order(&strongly_connected(3, &edges), &edges, &[]), [2, 0, 1]);
    }

    #[test]
    fn inside_a_loop_direct_feedthrough_comes_first_in_order() {
        let edges = [(0, 1), (1, 0), (1, 2), (2, 1)];
        assert_eq!(default_order(&strongly_connected(3, &edges), &edges, &[(2, 0)]), [1, 2, 0]);
    }
}
