//! Draws one box: position and name at the top, inputs on the left, outputs on the right.

use crate::picture::{
    colors::{ALGEBRAIC, FAINT, FEEDTHROUGH, LOOP, MEMORYLESS, TEXT, WITH_MEMORY},
    diagram::Node,
    layout::{NodePosition, Shape},
};
use crate::svg_text::{self as text, Style};

const ROW: f64 = 17.0;
const HEADER: f64 = 44.0;
const PADDING: f64 = 9.0;

/// Space between inputs and outputs, where direct feedthrough is drawn.
const MIDDLE: f64 = 34.0;

/// Radius of the circle around the position in the evaluation order.
const CIRCLE: f64 = 9.0;

const NAME: f64 = 13.0;
const ROWS: f64 = 12.0;
const SMALL: f64 = 10.5;

/// A node together with the size of its texts.
pub(super) struct Drawn<'a> {
    node: &'a Node,
    /// Second line of the header.
    subtitle: String,
    /// Left end of the name, right of the position.
    name_at: f64,
    width: f64,
    height: f64,
}

impl<'a> Drawn<'a> {
    pub(super) fn new(node: &'a Node, loops: &[String]) -> Self {
        let subtitle = match node.in_loop.and_then(|index| loops.get(index)) {
            Some(name) => format!("{}, {name}", node.model),
            None => node.model.clone(),
        };
        let widest = |texts: &[String]| texts.iter().map(|text| text::width(text, ROWS)).fold(0.0, f64::max);
        let name_at = PADDING + (2.0 * CIRCLE).max(text::width(&node.mark(), SMALL) + 6.0) + 6.0;
        let widths = [
            name_at + text::width(&node.name, NAME) + PADDING,
            name_at + text::width(&subtitle, SMALL) + PADDING,
            widest(&node.inputs) + widest(&node.outputs) + MIDDLE + 2.0 * PADDING,
        ];
        let rows = node.inputs.len().max(node.outputs.len());
        let body = if rows == 0 { 0.0 } else { rows as f64 * ROW + 6.0 };
        Self { node, subtitle, name_at, width: widths.into_iter().fold(0.0, f64::max), height: HEADER + body }
    }

    pub(super) fn shape(&self) -> Shape {
        let rows = |count: usize| (0..count).map(row).collect();
        let (inputs, outputs) = (rows(self.node.inputs.len()), rows(self.node.outputs.len()));
        Shape { width: self.width, height: self.height, inputs, outputs, place: self.node.place }
    }

    pub(super) fn draw(&self, NodePosition { x, y, width }: NodePosition) -> String {
        let node = self.node;
        let (border, weight) = match (node.in_algebraic_loop, node.in_loop) {
            (true, _) => (ALGEBRAIC, 2.4),
            (false, Some(_)) => (LOOP, 1.6),
            (false, None) => (TEXT, 1.0),
        };
        let (radius, fill) = if node.is_memoryless { (0.0, MEMORYLESS) } else { (10.0, WITH_MEMORY) };
        let mut text = format!(
            "<g>\n<title>{}</title>\n<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{:.1}\" rx=\"{radius}\" fill=\"{fill}\" \
             stroke=\"{border}\" stroke-width=\"{weight}\"/>\n",
            text::escaped(&format!("{} ({})", node.name, self.subtitle)),
            self.height
        );
        text += &self.header(x, y, border);
        text += &self.feedthrough(x, y, width);
        for (number, input) in node.inputs.iter().enumerate() {
            text += &text::element(input, Style::plain(x + PADDING, y + row(number)));
        }
        for (number, output) in node.outputs.iter().enumerate() {
            let left = x + width - PADDING - text::width(output, ROWS);
            text += &text::element(output, Style::plain(left, y + row(number)));
        }
        text + "</g>\n"
    }

    fn header(&self, x: f64, y: f64, border: &'static str) -> String {
        let place = self.node.mark();
        let wide = self.name_at - 6.0 - PADDING;
        let middle = PADDING + 0.5 * wide - 0.5 * text::width(&place, SMALL);
        let mut result = format!(
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{wide:.1}\" height=\"{:.1}\" rx=\"{CIRCLE}\" fill=\"{border}\"/>\n",
            x + PADDING,
            y + 17.0 - CIRCLE,
            2.0 * CIRCLE
        );
        let number = Style { at: (x + middle, y + 17.0), size: SMALL, bold: true, color: "#ffffff" };
        result += &text::element(&place, number);
        let name = Style { at: (x + self.name_at, y + 15.0), size: NAME, bold: true, color: TEXT };
        result += &text::element(&self.node.name, name);
        let subtitle = Style { at: (x + self.name_at, y + 31.0), size: SMALL, bold: false, color: FAINT };
        result + &text::element(&self.subtitle, subtitle)
    }

    /// Draws lines from inputs to the outputs with direct feedthrough from them.
    fn feedthrough(&self, x: f64, y: f64, width: f64) -> String {
        let mut result = String::new();
        for &(input, output) in &self.node.feedthrough {
            let left = x + PADDING + text::width(&self.node.inputs[input], ROWS) + 4.0;
            let right = x + width - PADDING - text::width(&self.node.outputs[output], ROWS) - 4.0;
            let (from, to, middle) = (y + row(input), y + row(output), 0.5 * (left + right));
            result += &format!(
                "<path d=\"M{left:.1},{from:.1} C{middle:.1},{from:.1} {middle:.1},{to:.1} {right:.1},{to:.1}\" fill=\"none\" \
                 stroke=\"{FEEDTHROUGH}\" stroke-width=\"0.8\"/>\n"
            );
        }
        result
    }
}

/// Returns the middle of a row, measured from the top.
fn row(number: usize) -> f64 {
    HEADER + (number as f64 + 0.5) * ROW
}
