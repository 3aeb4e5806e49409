//! Vertical positions: each cell moves toward the heights of its neighbors, while order and distances are kept.

use super::cells::{Cell, Segment};

/// Number of passes over all columns.
const PASSES: usize = 24;

/// Returns the top of each cell; the smallest is 0.
pub(super) fn tops(cells: &[Cell], segments: &[Segment], columns: &[Vec<usize>]) -> Vec<f64> {
    let mut ends = vec![Vec::new(); cells.len()];
    for &Segment { from, to } in segments {
        ends[from.0].push((from.1, to));
        ends[to.0].push((to.1, from));
    }
    let mut tops = vec![0.0; cells.len()];
    for column in columns {
        place(column, cells, &mut tops, |_, _| 0.0);
    }
    for pass in 0..PASSES {
        let count = columns.len();
        for step in 0..count {
            let column = &columns[if pass % 2 == 0 { step } else { count - 1 - step }];
            place(column, cells, &mut tops, |cell, tops| {
                let wanted: f64 = ends[cell].iter().map(|&(own, (other, offset))| tops[other] + offset - own).sum();
                if ends[cell].is_empty() { tops[cell] } else { wanted / ends[cell].len() as f64 }
            });
        }
    }
    let least = tops.iter().copied().fold(f64::INFINITY, f64::min);
    tops.iter().map(|top| top - least).collect()
}

/// Places the cells of a column as near as possible (least squares) to their wanted heights.
fn place(column: &[usize], cells: &[Cell], tops: &mut [f64], wanted: impl Fn(usize, &[f64]) -> f64) {
    let mut below = 0.0;
    let mut distances = Vec::with_capacity(column.len());
    for (position, &cell) in column.iter().enumerate() {
        if let Some(&before) = position.checked_sub(1).and_then(|before| column.get(before)) {
            below += cells[before].height + spacing(&cells[before], &cells[cell]);
        }
        distances.push(below);
    }
    let free: Vec<f64> = column.iter().zip(&distances).map(|(&cell, distance)| wanted(cell, tops) - distance).collect();
    for ((&cell, distance), free) in column.iter().zip(&distances).zip(isotonic(&free)) {
        tops[cell] = free + distance;
    }
}

fn spacing(above: &Cell, below: &Cell) -> f64 {
    let between_bands = if above.band == below.band { 0.0 } else { 14.0 };
    between_bands
        + match (above.shape, below.shape) {
            (Some(_), Some(_)) => 28.0,
            (None, None) => 7.0,
            _ => 14.0,
        }
}

/// Returns the non-decreasing values nearest to these by least squares: neighbors that decrease share their mean.
fn isotonic(values: &[f64]) -> Vec<f64> {
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    for &value in values {
        blocks.push((value, 1));
        while let [.., (a, m), (b, n)] = blocks[..]
            && a > b
        {
            blocks.truncate(blocks.len() - 2);
            blocks.push(((a * m as f64 + b * n as f64) / (m + n) as f64, m + n));
        }
    }
    blocks.into_iter().flat_map(|(mean, count)| std::iter::repeat_n(mean, count)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_in_wrong_order_share_their_mean() {
        assert_eq!(isotonic(&[1.0, 5.0, 3.0, 2.0, 9.0]), [1.0, 10.0 / 3.0, 10.0 / 3.0, 10.0 / 3.0, 9.0]);
        assert_eq!(isotonic(&[]), [0.0; 0]);
    }
}
