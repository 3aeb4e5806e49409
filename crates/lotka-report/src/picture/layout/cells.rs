//! Boxes and lines within the columns of the layout.

/// An entry of a column: a box or a passing line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Cell {
    pub(super) column: usize,
    /// Columns are broken into bands, which keep their order; odd numbers are for lines between bands.
    pub(super) band: usize,
    pub(super) height: f64,
    /// The box; `None` if a line passes here.
    pub(super) shape: Option<usize>,
}

/// A part of a line between two cells of neighboring columns, or within the column where the line turns. Each end is a cell and
/// the distance from its top.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Segment {
    pub(super) from: (usize, f64),
    pub(super) to: (usize, f64),
}
