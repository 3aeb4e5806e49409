//! Legend of the lines and boxes that occur.

use super::stroke::stroke;
use crate::picture::{
    colors::{ALGEBRAIC, FAINT, LOOP, MEMORYLESS, TEXT, WITH_MEMORY},
    diagram::{Diagram, EdgeKind, Node},
};
use crate::svg_text::{self as text, Style};

pub(super) struct Legend {
    pub(super) text: String,
    pub(super) width: f64,
    pub(super) height: f64,
}

const ROW: f64 = 20.0;

/// Distance of the words from the left edge.
const WORDS: f64 = 54.0;

pub(super) fn draw(diagram: &Diagram, x: f64, y: f64) -> Legend {
    let mut legend = Legend { text: String::new(), width: 0.0, height: 0.0 };
    let mut add = |sign: &dyn Fn(f64) -> String, words: &str| {
        let middle = y + legend.height;
        legend.text += &sign(middle);
        let style = Style { at: (x + WORDS, middle), size: 11.0, bold: false, color: FAINT };
        legend.text += &text::element(words, style);
        legend.width = legend.width.max(WORDS + text::width(words, 11.0));
        legend.height += ROW;
    };
    let lines = [
        (EdgeKind::State, "connection into a state"),
        (EdgeKind::Feedthrough, "connection with direct feedthrough: an output follows it without delay"),
        (EdgeKind::AlgebraicLoop, "connection that closes an algebraic loop: its outputs are solved together"),
    ];
    for (kind, words) in lines {
        if diagram.edges.iter().any(|edge| edge.kind == kind) {
            add(&|y| stroke(kind, &format!("M{x:.1},{y:.1} H{:.1}", x + 40.0)), words);
        }
    }
    let boxes = [
        (false, "instance with memory; the number is its position in the evaluation order"),
        (true, "instance without memory, according to its model description"),
    ];
    for (is_memoryless, words) in boxes {
        if diagram.nodes.iter().any(|node| node.is_memoryless == is_memoryless && !node.is_source()) {
            let (radius, fill) = if is_memoryless { (0.0, MEMORYLESS) } else { (6.0, WITH_MEMORY) };
            add(&|y| frame(x, y, radius, fill, TEXT), words);
        }
    }
    if diagram.nodes.iter().any(Node::is_source) {
        add(&|y| frame(x, y, 0.0, MEMORYLESS, TEXT), "source, marked with ~: known before the run");
    }
    let in_plain_loop = |node: &&Node| node.in_loop.is_some() && !node.in_algebraic_loop;
    if diagram.nodes.iter().any(|node| in_plain_loop(&node)) {
        add(&|y| frame(x, y, 6.0, "none", LOOP), "instance in a loop (strongly connected component)");
    }
    if diagram.nodes.iter().any(|node| node.in_algebraic_loop) {
        add(&|y| frame(x, y, 6.0, "none", ALGEBRAIC), "instance in an algebraic loop");
    }
    legend
}

fn frame(x: f64, y: f64, radius: f64, fill: &str, stroke: &str) -> String {
    let (left, top) = (x + 6.0, y - 7.0);
    format!(
        "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"28\" height=\"14\" rx=\"{radius}\" fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"1.6\"/>\n"
    )
}
