//! Columns: assigns boxes to columns, and lines to the columns that they cross.

use super::{
    cells::Cell,
    cycles::sequence,
    shapes::{Arrow, Shape},
};

/// Maximum number of layers side by side; more of them are broken into bands.
const MOST_COLUMNS: usize = 8;

/// Height of the cell of a line.
const LINE: f64 = 2.0;

pub(super) struct Columns {
    /// Boxes first, in their order.
    pub(super) cells: Vec<Cell>,
    /// For each arrow, the cells from box to box.
    pub(super) chains: Vec<Vec<usize>>,
    /// Number of columns.
    pub(super) count: usize,
}

pub(super) fn columns(shapes: &[Shape], arrows: &[Arrow]) -> Columns {
    let layers = layers(shapes, arrows);
    let n_layers = layers.iter().max().map_or(0, |last| last + 1);
    // Bands of about twice as many columns as there are bands.
    let count = if n_layers <= MOST_COLUMNS { n_layers } else { (2.0 * n_layers as f64).sqrt().ceil() as usize };
    let cell = |(index, layer): (usize, &usize)| Cell {
        column: layer % count,
        band: 2 * (layer / count),
        height: shapes[index].height,
        shape: Some(index),
    };
    let mut cells: Vec<_> = layers.iter().enumerate().map(cell).collect();
    let chains = arrows.iter().map(|arrow| chain(arrow, &mut cells)).collect();
    Columns { cells, chains, count }
}

/// Returns the layer of each box: the length of the longest path to it along arrows that follow the sequence. A box that finds
/// its layer full moves to a later one.
fn layers(shapes: &[Shape], arrows: &[Arrow]) -> Vec<usize> {
    let room = 2 + (1.5 * (shapes.len() as f64).sqrt()).ceil() as usize;
    let sequence = sequence(shapes, arrows);
    let mut rank = vec![0; shapes.len()];
    sequence.iter().enumerate().for_each(|(position, &index)| rank[index] = position);
    let mut targets = vec![Vec::new(); shapes.len()];
    for arrow in arrows.iter().filter(|arrow| rank[arrow.from.0] < rank[arrow.to.0]) {
        targets[arrow.from.0].push(arrow.to.0);
    }
    let mut layers = vec![0; shapes.len()];
    let mut taken = vec![0; shapes.len() + 1];
    for index in sequence {
        while taken[layers[index]] == room {
            layers[index] += 1;
        }
        taken[layers[index]] += 1;
        for &target in &targets[index] {
            layers[target] = layers[target].max(layers[index] + 1);
        }
    }
    layers
}

/// Returns the cells of a line, and creates those between its boxes. A line to the right crosses the columns between its boxes.
/// Any other line also crosses the columns of its boxes, so that it passes beside them.
fn chain(arrow: &Arrow, cells: &mut Vec<Cell>) -> Vec<usize> {
    let (from, to) = (cells[arrow.from.0], cells[arrow.to.0]);
    let band = if from.band == to.band { from.band } else { from.band.min(to.band) + 1 };
    let crossed: Vec<usize> =
        if from.column < to.column { (from.column + 1..to.column).collect() } else { (to.column..=from.column).rev().collect() };
    let mut chain = vec![arrow.from.0];
    for column in crossed {
        chain.push(cells.len());
        cells.push(Cell { column, band, height: LINE, shape: None });
    }
    chain.push(arrow.to.0);
    chain
}
