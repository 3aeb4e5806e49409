//! The diagram to draw: boxes with connected variables, and connections between them.

use std::collections::{HashMap, HashSet};

use lotka::{Connection, Graph, Port, Summand, SystemDescription, UnconnectedInput};

/// Maximum number of inputs without a source that an instance shows.
const MOST_UNCONNECTED: usize = 8;

/// A system as boxes and arrows.
pub(super) struct Diagram {
    /// In the order of the file.
    pub(super) nodes: Vec<Node>,
    pub(super) edges: Vec<Edge>,
    /// Names of the loops (strongly connected components).
    pub(super) loops: Vec<String>,
}

/// An instance or a source.
pub(super) struct Node {
    pub(super) name: String,
    /// The FMU of an instance, or the kind of a source.
    pub(super) model: String,
    /// Position in the evaluation order, from 1; 0 for a source, whose value is known in advance.
    pub(super) place: usize,
    /// One row per summand of each connected input.
    pub(super) inputs: Vec<String>,
    /// Connected outputs, and outputs with direct feedthrough from connected inputs.
    pub(super) outputs: Vec<String>,
    /// Row of each of them.
    output_rows: HashMap<String, usize>,
    /// Pairs of input row and output row with direct feedthrough.
    pub(super) feedthrough: Vec<(usize, usize)>,
    pub(super) is_memoryless: bool,
    /// Index of the loop that contains it.
    pub(super) in_loop: Option<usize>,
    pub(super) in_algebraic_loop: bool,
    n_unconnected: usize,
}

impl Node {
    /// Adds a row for an input without a source: with the value that it keeps, or with others of its kind if there are many.
    fn unconnected(&mut self, input: &UnconnectedInput) {
        self.n_unconnected += 1;
        match self.n_unconnected.checked_sub(MOST_UNCONNECTED) {
            None | Some(0) => self.inputs.push(format!("{} = {}", input.port.variable, input.kept())),
            Some(others) => {
                self.inputs.truncate(self.inputs.len() - usize::from(others > 1));
                self.inputs.push(format!("{others} more without a source"));
            }
        }
    }
}

/// A connection from an output to an input, or to one summand of it.
pub(super) struct Edge {
    /// Node and row of the output.
    pub(super) from: (usize, usize),
    /// Node and row of the input.
    pub(super) to: (usize, usize),
    pub(super) kind: EdgeKind,
}

/// Effect of the value at an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EdgeKind {
    /// The value enters a state.
    State,
    /// An output depends on it by direct feedthrough.
    Feedthrough,
    /// Direct feedthrough that closes an algebraic loop.
    AlgebraicLoop,
}

impl Diagram {
    pub(super) fn new(system: &SystemDescription, graph: &Graph) -> Self {
        let mut diagram = Self { nodes: nodes(system, graph), edges: Vec::new(), loops: Vec::new() };
        diagram.name_loops(graph);
        for equation in graph.evaluation.iter().flat_map(|set| &set.equations) {
            diagram.nodes[equation.output.instance].output(&equation.output.variable);
        }
        let (names, inputs) = (system.names(), Inputs::new(graph));
        let nodes = names.iter().enumerate().rev().map(|(node, name)| (*name, node)).collect();
        for connection in &system.connections {
            diagram.connect(connection, &nodes, &inputs);
        }
        for input in &graph.unconnected {
            diagram.nodes[input.port.instance].unconnected(input);
        }
        diagram
    }

    /// Describes a connection: both ends, and the effect of its value.
    pub(super) fn title(&self, edge: &Edge) -> String {
        let [from, to] = [(edge.from, true), (edge.to, false)].map(|((node, row), is_output)| {
            let node = &self.nodes[node];
            format!("{}.{}", node.name, if is_output { &node.outputs[row] } else { &node.inputs[row] })
        });
        let effect = match edge.kind {
            EdgeKind::State => "it enters a state",
            EdgeKind::Feedthrough => "outputs follow it by direct feedthrough",
            EdgeKind::AlgebraicLoop => "it closes an algebraic loop",
        };
        format!("{from} → {to}: {effect}")
    }

    fn name_loops(&mut self, graph: &Graph) {
        let loops = || graph.components.iter().filter(|component| component.is_loop);
        for (number, component) in loops().enumerate() {
            component.members.iter().for_each(|&member| self.nodes[member].in_loop = Some(number));
        }
        let mut is_algebraic = vec![false; loops().count()];
        for equation in graph.algebraic_loops().flat_map(|set| &set.equations) {
            let node = &mut self.nodes[equation.output.instance];
            node.in_algebraic_loop = true;
            node.in_loop.into_iter().for_each(|number| is_algebraic[number] = true);
        }
        let kind = |is_algebraic| if is_algebraic { "algebraic loop" } else { "loop" };
        self.loops = (1..).zip(is_algebraic).map(|(number, is_algebraic)| format!("{} {number}", kind(is_algebraic))).collect();
    }

    fn connect(&mut self, connection: &Connection, nodes: &HashMap<&str, usize>, inputs: &Inputs<'_>) {
        let Some((instance, input)) = connection.input.value.split_once('.') else { return };
        let Some(&to) = nodes.get(instance) else { return };
        let first_row = self.nodes[to].inputs.len();
        let followers = inputs.followers.get(&(to, input)).map_or(&[][..], Vec::as_slice);
        for (row, source) in connection.sources.iter().enumerate() {
            let Some((from_name, output)) = source.from.value.split_once('.') else { continue };
            let Some(&from) = nodes.get(from_name) else { continue };
            self.nodes[to].inputs.push(summand(input, output, source, row, connection.sources.len()));
            let kind = match followers {
                _ if inputs.loop_connections.contains(&((from, output), (to, input))) => EdgeKind::AlgebraicLoop,
                [] => EdgeKind::State,
                _ => EdgeKind::Feedthrough,
            };
            let row = first_row + row;
            let from = (from, self.nodes[from].output(output));
            self.edges.push(Edge { from, to: (to, row), kind });
        }
        for follower in followers {
            let output = self.nodes[to].output(follower);
            self.nodes[to].feedthrough.push((first_row, output));
        }
    }
}

/// An input or output: its node and its name.
type NodePosition<'a> = (usize, &'a str);

/// What follows the connected inputs of a system.
struct Inputs<'a> {
    /// The outputs of the same instance that follow each input, in the order of evaluation.
    followers: HashMap<NodePosition<'a>, Vec<&'a str>>,
    /// The connections from an output to an input that close algebraic loops.
    loop_connections: HashSet<(NodePosition<'a>, NodePosition<'a>)>,
}

impl<'a> Inputs<'a> {
    fn new(graph: &'a Graph) -> Self {
        let mut followers: HashMap<_, Vec<_>> = HashMap::new();
        for equation in graph.evaluation.iter().flat_map(|set| &set.equations) {
            for input in &equation.follows {
                let (of_input, output) = (followers.entry(place(input)).or_default(), equation.output.variable.as_str());
                // A model description may list an input twice.
                if of_input.last() != Some(&output) {
                    of_input.push(output);
                }
            }
        }
        let closing = graph.algebraic_loops().flat_map(|set| &set.loop_connections);
        Self { followers, loop_connections: closing.map(|(output, input)| (place(output), place(input))).collect() }
    }
}

fn place(port: &Port) -> NodePosition<'_> {
    (port.instance, &port.variable)
}

impl Node {
    /// Returns the position in the evaluation order, or `~` for a source.
    pub(super) fn mark(&self) -> String {
        if self.is_source() { "~".to_owned() } else { self.place.to_string() }
    }

    pub(super) fn is_source(&self) -> bool {
        self.place == 0
    }

    /// Returns the row of an output, which it adds if necessary.
    fn output(&mut self, name: &str) -> usize {
        *self.output_rows.entry(name.to_owned()).or_insert_with(|| {
            self.outputs.push(name.to_owned());
            self.outputs.len() - 1
        })
    }
}

fn nodes(system: &SystemDescription, graph: &Graph) -> Vec<Node> {
    let ranks = graph.ranks();
    let node = |(index, instance): (usize, &lotka::InstanceSettings)| Node {
        name: instance.name.value.clone(),
        model: instance.fmu.value.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default(),
        place: ranks[index] + 1,
        inputs: Vec::new(),
        outputs: Vec::new(),
        output_rows: HashMap::new(),
        feedthrough: Vec::new(),
        is_memoryless: graph.memoryless[index],
        in_loop: None,
        in_algebraic_loop: false,
        n_unconnected: 0,
    };
    let source = |source: &lotka::SourceSettings| Node {
        name: source.name.value.clone(),
        model: source.signal.kind().to_owned(),
        place: 0,
        inputs: Vec::new(),
        outputs: Vec::new(),
        output_rows: HashMap::new(),
        feedthrough: Vec::new(),
        is_memoryless: true,
        in_loop: None,
        in_algebraic_loop: false,
        n_unconnected: 0,
    };
    system.instances.iter().enumerate().map(node).chain(system.sources.iter().map(source)).collect()
}

/// Returns the row of an input: its name and, if the input is not just that output, the term of the output.
fn summand(input: &str, output: &str, source: &Summand, row: usize, count: usize) -> String {
    if count == 1 && source.factor == 1.0 && source.offset == 0.0 {
        return input.to_owned();
    }
    let sign = if source.factor < 0.0 { "-" } else { "+" };
    let size = source.factor.abs();
    let factor = if size == 1.0 { String::new() } else { format!("{} ", number(size)) };
    let offset = match source.offset {
        0.0 => String::new(),
        offset if offset < 0.0 => format!(" - {}", number(-offset)),
        offset => format!(" + {}", number(offset)),
    };
    match (row, sign) {
        (0, "-") => format!("{input} = -{factor}{output}{offset}"),
        (0, _) => format!("{input} = {factor}{output}{offset}"),
        _ => format!("{sign} {factor}{output}{offset}"),
    }
}

/// Formats a positive number as short as possible.
fn number(value: f64) -> String {
    if (1e-4..1e6).contains(&value) { value.to_string() } else { format!("{value:e}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_say_how_they_are_made() {
        let source = |factor, offset| Summand { factor, offset, ..Summand::new("a.y".to_owned()) };
        assert_eq!(summand("u", "y", &source(1.0, 0.0), 0, 1), "u");
        assert_eq!(summand("u", "y", &source(-2.5, 0.5), 0, 1), "u = -2.5 y + 0.5");
        assert_eq!(summand("u", "y", &source(1e-9, 2e7), 0, 1), "u = 1e-9 y + 2e7");
        assert_eq!(summand("u", "y", &source(1.0, 0.0), 0, 2), "u = y");
        assert_eq!(summand("u", "y", &source(-1.0, -3.0), 1, 2), "- y - 3");
    }
}
