//! Writes the diagram in the language of Graphviz.

use std::fmt::Write;

use lotka::printable_line;

use super::{
    colors::{ALGEBRAIC, FEEDTHROUGH, LOOP, STATE, TEXT},
    diagram::{Diagram, EdgeKind, Node},
};

/// A directed graph with a record per instance; loops are clusters.
pub(super) fn write(diagram: &Diagram) -> String {
    let mut text = format!(
        "digraph system {{\n  rankdir=LR;\n  ranksep=1;\n  node [shape=record, fontname=\"monospace\", fontsize=11, color=\"{TEXT}\"];\n  \
         edge [color=\"{STATE}\"];\n"
    );
    for (index, node) in diagram.nodes.iter().enumerate().filter(|(_, node)| node.in_loop.is_none()) {
        let _ = writeln!(text, "  {}", record(index, node));
    }
    for (number, name) in diagram.loops.iter().enumerate() {
        let color = if name.starts_with("algebraic") { ALGEBRAIC } else { LOOP };
        let _ = writeln!(
            text,
            "  subgraph cluster_{number} {{\n    label={}; color=\"{color}\"; fontcolor=\"{color}\";",
            quoted(name)
        );
        for (index, node) in diagram.nodes.iter().enumerate().filter(|(_, node)| node.in_loop == Some(number)) {
            let _ = writeln!(text, "    {}", record(index, node));
        }
        text += "  }\n";
    }
    for edge in &diagram.edges {
        let style = match edge.kind {
            EdgeKind::State => "style=dashed".to_owned(),
            EdgeKind::Feedthrough => format!("color=\"{FEEDTHROUGH}\""),
            EdgeKind::AlgebraicLoop => format!("color=\"{ALGEBRAIC}\", penwidth=2"),
        };
        let ((from, output), (to, input)) = (edge.from, edge.to);
        let _ = writeln!(text, "  n{from}:o{output} -> n{to}:i{input} [{style}];");
    }
    text + "}\n"
}

/// Formats a record: inputs, position and name, outputs. Instances with memory have rounded corners.
fn record(index: usize, node: &Node) -> String {
    let rows = |letter: char, names: &[String]| {
        let rows: Vec<_> = names.iter().enumerate().map(|(row, name)| format!("<{letter}{row}> {}", field(name))).collect();
        rows.join("|")
    };
    let middle = format!("{}: {}\\n{}", node.mark(), field(&node.name), field(&node.model));
    let label = format!("{{{{{}}}|{middle}|{{{}}}}}", rows('i', &node.inputs), rows('o', &node.outputs));
    let shape = if node.is_memoryless { "" } else { ", style=rounded" };
    let color = if node.in_algebraic_loop { format!(", color=\"{ALGEBRAIC}\"") } else { String::new() };
    format!("n{index} [label=\"{label}\"{shape}{color}];")
}

/// Escapes a name for a field of a record within quotes.
fn field(name: &str) -> String {
    printable_line(name).chars().fold(String::new(), |mut text, letter| {
        match letter {
            '{' | '}' | '|' | '<' | '>' | ' ' => text.extend(['\\', letter]),
            // Escaped twice: for the record and for the string.
            '\\' => text += "\\\\\\\\",
            '"' => text += "\\\"",
            _ => text.push(letter),
        }
        text
    })
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", printable_line(text).replace('\\', "\\\\").replace('"', "\\\""))
}
