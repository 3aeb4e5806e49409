//! Order of the cells in each column (barycenter method): cells move toward the height of their neighbors, so that few lines
//! cross.

use super::cells::{Cell, Segment};

/// Number of passes, alternately to the right and back.
const PASSES: usize = 12;

/// Returns the cells of each column from top to bottom.
pub(super) fn order(cells: &[Cell], segments: &[Segment], count: usize) -> Vec<Vec<usize>> {
    let mut columns = vec![Vec::new(); count];
    for (index, cell) in cells.iter().enumerate() {
        columns[cell.column].push(index);
    }
    // Boxes stay before lines, because they come first among the cells.
    columns.iter_mut().for_each(|column| column.sort_by_key(|&cell| cells[cell].band));
    let mut touching = vec![Vec::new(); cells.len()];
    for &segment in segments.iter().filter(|segment| cells[segment.from.0].column != cells[segment.to.0].column) {
        touching[segment.from.0].push(segment);
        touching[segment.to.0].push(segment);
    }
    let mut best = (crossings(&columns, cells, &touching), columns.clone());
    for pass in 0..PASSES {
        let to_the_right = pass % 2 == 0;
        let sequence: Vec<usize> = if to_the_right { (0..count).collect() } else { (0..count).rev().collect() };
        for column in sequence {
            let places = places(&columns, cells.len());
            sort(&mut columns[column], cells, &touching, to_the_right, &places);
        }
        let found = crossings(&columns, cells, &touching);
        if found < best.0 {
            best = (found, columns.clone());
        }
    }
    best.1
}

/// Returns the position of each cell in its column.
fn places(columns: &[Vec<usize>], count: usize) -> Vec<f64> {
    let mut places = vec![0.0; count];
    for column in columns {
        for (place, &cell) in column.iter().enumerate() {
            places[cell] = place as f64;
        }
    }
    places
}

/// Sorts a column by the mean position of the neighbors in the previous column. Cells without such neighbors keep their position.
fn sort(column: &mut Vec<usize>, cells: &[Cell], touching: &[Vec<Segment>], to_the_right: bool, places: &[f64]) {
    let key = |cell: usize| {
        let ends = touching[cell].iter().map(|segment| if segment.from.0 == cell { segment.to } else { segment.from });
        let before = ends.filter(|end| (cells[end.0].column < cells[cell].column) == to_the_right);
        let (sum, n) = before.fold((0.0, 0), |(sum, n), end| (sum + height_in(end, cells, places), n + 1));
        if n == 0 { places[cell] } else { sum / f64::from(n) }
    };
    let mut keyed: Vec<(usize, f64, usize)> = column.iter().map(|&cell| (cells[cell].band, key(cell), cell)).collect();
    keyed.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    *column = keyed.into_iter().map(|(_, _, cell)| cell).collect();
}

/// Returns the height of an end, counted in cells: the position of its cell plus the share of the cell above the end.
fn height_in((cell, offset): (usize, f64), cells: &[Cell], places: &[f64]) -> f64 {
    places[cell] + offset / (cells[cell].height + 1.0)
}

/// Counts the pairs of segments between neighboring columns that cross.
fn crossings(columns: &[Vec<usize>], cells: &[Cell], touching: &[Vec<Segment>]) -> usize {
    let places = places(columns, cells.len());
    let mut count = 0;
    for column in columns {
        let mut ends: Vec<(f64, f64)> = Vec::new();
        for &cell in column {
            for segment in &touching[cell] {
                let (here, there) = if segment.from.0 == cell { (segment.from, segment.to) } else { (segment.to, segment.from) };
                if cells[there.0].column > cells[cell].column {
                    ends.push((height_in(here, cells, &places), height_in(there, cells, &places)));
                }
            }
        }
        let crosses = |a: &(f64, f64), b: &(f64, f64)| (a.0 - b.0) * (a.1 - b.1) < 0.0;
        count += ends.iter().enumerate().map(|(n, a)| ends[..n].iter().filter(|b| crosses(a, b)).count()).sum::<usize>();
    }
    count
}
