//! The diagram to draw: boxes with connected variables, and connections between them.

use lotka::{Connection, EvaluationSet, Graph, Port, Summand, SystemDescription};

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
    /// Pairs of input row and output row with direct feedthrough.
    pub(super) feedthrough: Vec<(usize, usize)>,
    pub(super) is_memoryless: bool,
    /// Index of the loop that contains it.
    pub(super) in_loop: Option<usize>,
    pub(super) in_algebraic_loop: bool,
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
        for connection in &system.connections {
            diagram.connect(connection, graph);
        }
        diagram
    }

    fn name_loops(&mut self, graph: &Graph) {
        for component in graph.components.iter().filter(|component| component.is_loop) {
            let is_inside = |set: &EvaluationSet| set.members().iter().all(|member| component.members.contains(member));
            let number = self.loops.len() + 1;
            let kind = if graph.algebraic_loops().any(is_inside) { "algebraic loop" } else { "loop" };
            component.members.iter().for_each(|&member| self.nodes[member].in_loop = Some(number - 1));
            self.loops.push(format!("{kind} {number}"));
        }
        for member in graph.algebraic_loops().flat_map(EvaluationSet::members) {
            self.nodes[member].in_algebraic_loop = true;
        }
    }

    fn node(&self, name: &str) -> Option<usize> {
        self.nodes.iter().position(|node| node.name == name)
    }

    fn connect(&mut self, connection: &Connection, graph: &Graph) {
        let Some((instance, input)) = connection.input.value.split_once('.') else { return };
        let Some(to) = self.node(instance) else { return };
        let first_row = self.nodes[to].inputs.len();
        let is_port = |port: &Port| port.instance == to && port.variable == input;
        for (row, source) in connection.sources.iter().enumerate() {
            let Some((from_name, output)) = source.from.value.split_once('.') else { continue };
            let Some(from) = self.node(from_name) else { continue };
            self.nodes[to].inputs.push(summand(input, output, source, row, connection.sources.len()));
            let closes_loop =
                |(source, target): &(Port, Port)| is_port(target) && source.instance == from && source.variable == output;
            let equations = || graph.evaluation.iter().flat_map(|set| &set.equations);
            let kind = if graph.algebraic_loops().flat_map(|set| &set.loop_connections).any(closes_loop) {
                EdgeKind::AlgebraicLoop
            } else if equations().any(|equation| equation.follows.iter().any(is_port)) {
                EdgeKind::Feedthrough
            } else {
                EdgeKind::State
            };
            let row = first_row + row;
            let from = (from, self.nodes[from].output(output));
            self.edges.push(Edge { from, to: (to, row), kind });
        }
        let followers = graph.evaluation.iter().flat_map(|set| &set.equations);
        for equation in followers.filter(|equation| equation.follows.iter().any(is_port)) {
            let output = self.nodes[to].output(&equation.output.variable);
            self.nodes[to].feedthrough.push((first_row, output));
        }
    }
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
        self.outputs.iter().position(|known| known == name).unwrap_or_else(|| {
            self.outputs.push(name.to_owned());
            self.outputs.len() - 1
        })
    }
}

fn nodes(system: &SystemDescription, graph: &Graph) -> Vec<Node> {
    let place = |index| graph.order.iter().position(|&member| member == index).map_or(0, |place| place + 1);
    let node = |(index, instance): (usize, &lotka::InstanceSettings)| Node {
        name: instance.name.value.clone(),
        model: instance.fmu.value.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default(),
        place: place(index),
        inputs: Vec::new(),
        outputs: Vec::new(),
        feedthrough: Vec::new(),
        is_memoryless: graph.memoryless[index],
        in_loop: None,
        in_algebraic_loop: false,
    };
    let source = |source: &lotka::SourceSettings| Node {
        name: source.name.value.clone(),
        model: source.signal.kind().to_owned(),
        place: 0,
        inputs: Vec::new(),
        outputs: Vec::new(),
        feedthrough: Vec::new(),
        is_memoryless: true,
        in_loop: None,
        in_algebraic_loop: false,
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
