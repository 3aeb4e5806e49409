//! What is laid out: boxes, and lines between them.

/// A box to be placed. Each row is the distance of its middle from the top.
pub(crate) struct Shape {
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) inputs: Vec<f64>,
    pub(crate) outputs: Vec<f64>,
    /// Position in the evaluation order.
    pub(crate) place: usize,
}

/// A line from the right side of a box to the left side of a box. Each end is a box and a row.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Arrow {
    pub(crate) from: (usize, usize),
    pub(crate) to: (usize, usize),
    /// How important it is that the arrow points to the right.
    pub(crate) weight: u32,
}
