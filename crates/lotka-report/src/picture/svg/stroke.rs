//! Style of the lines of connections.

use crate::picture::{
    colors::{ALGEBRAIC, FEEDTHROUGH, STATE},
    diagram::EdgeKind,
};

/// Style of a connection.
pub(super) struct Look {
    /// Name of its arrowhead.
    pub(super) id: &'static str,
    pub(super) color: &'static str,
    pub(super) width: f64,
    pub(super) dashes: &'static str,
}

pub(super) fn look(kind: EdgeKind) -> Look {
    match kind {
        EdgeKind::State => Look { id: "state", color: STATE, width: 1.2, dashes: " stroke-dasharray=\"5 3\"" },
        EdgeKind::Feedthrough => Look { id: "feedthrough", color: FEEDTHROUGH, width: 1.4, dashes: "" },
        EdgeKind::AlgebraicLoop => Look { id: "algebraic", color: ALGEBRAIC, width: 2.4, dashes: "" },
    }
}

pub(super) fn stroke(kind: EdgeKind, path: &str) -> String {
    let Look { id, color, width, dashes } = look(kind);
    format!("<path d=\"{path}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"{width}\"{dashes} marker-end=\"url(#{id})\"/>\n")
}
