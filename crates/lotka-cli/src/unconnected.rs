//! Inputs without a source, for people.

use lotka::{Graph, SystemDescription, UnconnectedInput};

/// Maximum number of inputs that have a line.
const MOST: usize = 20;

/// Says which value an input without a source keeps.
fn line(system: &SystemDescription, input: &UnconnectedInput) -> String {
    format!("input `{}.{}` has no source; it keeps {}", system.name_of(input.port.instance), input.port.variable, input.kept())
}

/// Formats a line for each input without a source or, if there are many, for the first ones.
pub(crate) fn lines(system: &SystemDescription, graph: &Graph) -> Vec<String> {
    let mut lines: Vec<_> = graph.unconnected.iter().take(MOST).map(|input| line(system, input)).collect();
    let others = graph.unconnected.len() - lines.len();
    if others > 0 {
        lines.push(format!("{others} other inputs have no source; `lotka inspect` lists them"));
    }
    lines
}
