//! Draws the diagram as an SVG picture.

mod legend;
mod node;
mod stroke;

use std::fmt::Write;

use crate::svg_text as text_of;

use super::{
    colors::BACKGROUND,
    diagram::{Diagram, Edge, EdgeKind},
    layout::{self, Arrow, Layout, Pass},
};
use node::Drawn;
use stroke::{Look, look, stroke};

/// Space around everything.
const MARGIN: f64 = 16.0;

/// Draws boxes with inputs on the left and outputs on the right, and lines between them.
pub(super) fn draw(diagram: &Diagram) -> String {
    let drawn: Vec<_> = diagram.nodes.iter().map(|node| Drawn::new(node, &diagram.loops)).collect();
    let shapes: Vec<_> = drawn.iter().map(Drawn::shape).collect();
    let arrows: Vec<_> = diagram.edges.iter().map(arrow).collect();
    let layout = layout::arrange(&shapes, &arrows);
    let legend = legend::draw(diagram, MARGIN, layout.height + 3.0 * MARGIN);
    let (width, height) = (layout.width.max(legend.width) + 2.0 * MARGIN, layout.height + legend.height + 4.0 * MARGIN);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         font-family=\"{}\">\n<defs>\n",
        text_of::FONT
    );
    for kind in [EdgeKind::State, EdgeKind::Feedthrough, EdgeKind::AlgebraicLoop] {
        let Look { id, color, .. } = look(kind);
        let _ = writeln!(
            text,
            "<marker id=\"{id}\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" \
             markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0,0 L8,4 L0,8 z\" fill=\"{color}\"/></marker>"
        );
    }
    let _ = writeln!(text, "</defs>\n<rect width=\"100%\" height=\"100%\" fill=\"{BACKGROUND}\"/>");
    let _ = writeln!(text, "<g transform=\"translate({MARGIN},{MARGIN})\">");
    text += &lines(diagram, &layout);
    for (drawn, place) in drawn.iter().zip(&layout.boxes) {
        text += &drawn.draw(*place);
    }
    text + "</g>\n" + &legend.text + "</svg>\n"
}

fn arrow(edge: &Edge) -> Arrow {
    // Direct feedthrough determines the evaluation order.
    let weight = if edge.kind == EdgeKind::State { 1 } else { 3 };
    Arrow { from: edge.from, to: edge.to, weight }
}

/// Draws the lines, with those of algebraic loops on top.
fn lines(diagram: &Diagram, layout: &Layout) -> String {
    let mut text = String::new();
    let (above, below): (Vec<_>, Vec<_>) =
        diagram.edges.iter().zip(&layout.lines).partition(|(edge, _)| edge.kind == EdgeKind::AlgebraicLoop);
    for (edge, passes) in below.into_iter().chain(above) {
        let title = text_of::escaped(&diagram.title(edge));
        let _ = write!(text, "<g class=\"edge\"><title>{title}</title>\n{}</g>\n", stroke(edge.kind, &path(passes)));
    }
    text
}

/// Returns a path that is horizontal at each pass and curved in between.
fn path(passes: &[Pass]) -> String {
    let mut text = format!("M{:.1},{:.1}", passes[0].begin, passes[0].y);
    for (number, pass) in passes.iter().enumerate() {
        if let Some(before) = number.checked_sub(1).and_then(|before| passes.get(before)) {
            let distance = (pass.begin - before.end).abs();
            let reach = if before.forward == pass.forward { 0.5 * distance } else { turn(pass.y - before.y) };
            let sign = |forward: bool| if forward { reach } else { -reach };
            let (first, second) = (before.end + sign(before.forward), pass.begin - sign(pass.forward));
            let _ = write!(text, " C{first:.1},{:.1} {second:.1},{:.1} {:.1},{:.1}", before.y, pass.y, pass.begin, pass.y);
        }
        if pass.begin != pass.end {
            let _ = write!(text, " H{:.1}", pass.end);
        }
    }
    text
}

/// Returns how far a turn over this height reaches beside the boxes. Larger turns reach further, so that nested turns stay apart.
fn turn(height: f64) -> f64 {
    (24.0 + 0.08 * height.abs()).min(70.0)
}
