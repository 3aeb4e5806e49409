//! Draws a system as a picture (SVG) or for Graphviz (DOT).
//!
//! [`diagram`] determines what to draw; [`dot`](mod@dot) writes it as text, `layout` places boxes and lines, [`svg`](mod@svg)
//! draws them.

mod colors;
mod diagram;
mod dot;
mod layout;
mod svg;

use lotka::{Graph, SystemDescription};

use diagram::Diagram;

#[cfg(test)]
pub(crate) use colors::contrasts;

/// Draws a system as an SVG picture.
#[must_use]
pub fn svg(system: &SystemDescription, graph: &Graph) -> String {
    svg::draw(&Diagram::new(system, graph))
}

/// Writes a system in the language of Graphviz.
#[must_use]
pub fn dot(system: &SystemDescription, graph: &Graph) -> String {
    dot::write(&Diagram::new(system, graph))
}
