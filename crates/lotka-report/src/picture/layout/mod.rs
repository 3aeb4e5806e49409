//! Layered layout of boxes and lines, from left to right (Sugiyama, Tagawa, Toda 1981, doi 10.1109/TSMC.1981.4308636).
//!
//! Boxes stand in columns. A box stands to the right of the boxes it reads from, except in cycles. Many layers are broken into
//! bands below each other. A line that crosses a column has its own cell there, so that no line runs through a box. A line that
//! goes back turns beside its boxes. `ordering` sorts the cells of each column, and `positions` determines their heights.

mod cells;
mod columns;
mod cycles;
mod ordering;
mod positions;
mod shapes;

pub(super) use shapes::{Arrow, Shape};

use cells::{Cell, Segment};

/// Upper left corner and width.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct NodePosition {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
}

/// A horizontal part of a line, from one end to the other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Pass {
    pub(super) begin: f64,
    pub(super) end: f64,
    pub(super) y: f64,
    /// Whether the line runs to the right.
    pub(super) forward: bool,
}

pub(super) struct Layout {
    pub(super) boxes: Vec<NodePosition>,
    /// For each arrow, its parts from beginning to end.
    pub(super) lines: Vec<Vec<Pass>>,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// Places boxes and lines; all coordinates are 0 or more.
pub(super) fn arrange(shapes: &[Shape], arrows: &[Arrow]) -> Layout {
    let columns::Columns { cells, chains, count } = columns::columns(shapes, arrows);
    let segments: Vec<_> = chains.iter().zip(arrows).flat_map(|(chain, arrow)| segments(shapes, &cells, chain, arrow)).collect();
    let order = ordering::order(&cells, &segments, count);
    let tops = positions::tops(&cells, &segments, &order);
    let widths: Vec<f64> = order
        .iter()
        .map(|column| column.iter().filter_map(|&cell| cells[cell].shape).map(|shape| shapes[shape].width).fold(0.0, f64::max))
        .collect();
    let lefts = lefts(&widths, &cells, &segments);
    let place = |cell: usize| NodePosition { x: lefts[cells[cell].column], y: tops[cell], width: widths[cells[cell].column] };
    let line = |(chain, arrow): (&Vec<usize>, &Arrow)| line(shapes, chain, arrow, &cells, place);
    Layout {
        boxes: (0..shapes.len()).map(place).collect(),
        lines: chains.iter().zip(arrows).map(line).collect(),
        width: lefts[count],
        height: cells.iter().zip(&tops).map(|(cell, top)| top + cell.height).fold(0.0, f64::max),
    }
}

/// Returns the segments of a line that goes through these cells.
fn segments(shapes: &[Shape], cells: &[Cell], chain: &[usize], arrow: &Arrow) -> Vec<Segment> {
    let last = chain.len() - 1;
    let end = |position: usize, is_begin: bool| {
        let cell = chain[position];
        let offset = match (is_begin, position) {
            (true, 0) => shapes[arrow.from.0].outputs[arrow.from.1],
            (false, position) if position == last => shapes[arrow.to.0].inputs[arrow.to.1],
            _ => 0.5 * cells[cell].height,
        };
        (cell, offset)
    };
    (0..last).map(|position| Segment { from: end(position, true), to: end(position + 1, false) }).collect()
}

/// Returns the left edge of each column, and the right end of the last gap.
fn lefts(widths: &[f64], cells: &[Cell], segments: &[Segment]) -> Vec<f64> {
    const MARGIN: f64 = 56.0;
    // Steep lines need room, and many lines need more.
    let gap = |left: usize| {
        let crosses = |segment: &&Segment| {
            let columns = [segment.from, segment.to].map(|(cell, _)| cells[cell].column);
            columns.contains(&left) && columns.contains(&(left + 1))
        };
        (64.0 + 4.0 * segments.iter().filter(crosses).count() as f64).min(180.0)
    };
    let mut lefts = vec![MARGIN];
    for (column, width) in widths.iter().enumerate() {
        let right = lefts[column] + width;
        lefts.push(right + if column + 1 == widths.len() { MARGIN } else { gap(column) });
    }
    lefts
}

/// Returns the path of a line through its cells.
fn line(shapes: &[Shape], chain: &[usize], arrow: &Arrow, cells: &[Cell], place: impl Fn(usize) -> NodePosition) -> Vec<Pass> {
    let (first, last) = (chain[0], chain[chain.len() - 1]);
    let forward = cells[first].column < cells[last].column;
    let mut passes = vec![];
    let NodePosition { x, y, width } = place(first);
    let right = x + width;
    passes.push(Pass { begin: right, end: right, y: y + shapes[arrow.from.0].outputs[arrow.from.1], forward: true });
    for &cell in &chain[1..chain.len() - 1] {
        let NodePosition { x, y, width } = place(cell);
        let (begin, end) = if forward { (x, x + width) } else { (x + width, x) };
        passes.push(Pass { begin, end, y: y + 0.5 * cells[cell].height, forward });
    }
    let NodePosition { x, y, .. } = place(last);
    passes.push(Pass { begin: x, end: x, y: y + shapes[arrow.to.0].inputs[arrow.to.1], forward: true });
    passes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(place: usize) -> Shape {
        Shape { width: 100.0, height: 60.0, inputs: vec![40.0, 50.0], outputs: vec![40.0], place }
    }

    fn ring(count: usize) -> (Vec<Shape>, Vec<Arrow>) {
        let arrows = (0..count).map(|n| Arrow { from: (n, 0), to: ((n + 1) % count, 0), weight: 1 }).collect();
        ((1..=count).map(shape).collect(), arrows)
    }

    /// Checks that no boxes overlap, no line runs through a box, and nothing is outside.
    fn check((shapes, arrows): (Vec<Shape>, Vec<Arrow>)) -> Layout {
        let layout = arrange(&shapes, &arrows);
        let rectangle = |n: usize| (layout.boxes[n], shapes[n].height);
        for a in 0..shapes.len() {
            let (place, height) = rectangle(a);
            assert!(
                place.x >= 0.0 && place.y >= 0.0 && place.x + place.width <= layout.width && place.y + height <= layout.height
            );
            for b in 0..a {
                let (other, other_height) = rectangle(b);
                let apart_x = place.x >= other.x + other.width || other.x >= place.x + place.width;
                assert!(apart_x || place.y >= other.y + other_height || other.y >= place.y + height, "boxes {a} and {b} overlap");
            }
            for pass in layout.lines.iter().flatten().filter(|pass| pass.begin != pass.end) {
                let inside = pass.begin.min(pass.end) < place.x + place.width && pass.begin.max(pass.end) > place.x;
                assert!(!(inside && pass.y > place.y && pass.y < place.y + height), "a line runs through box {a}");
            }
        }
        layout
    }

    #[test]
    fn one_box_and_one_that_feeds_itself() {
        check((vec![shape(1)], vec![]));
        let layout = check((vec![shape(1)], vec![Arrow { from: (0, 0), to: (0, 1), weight: 1 }]));
        assert!(layout.lines[0].iter().any(|pass| !pass.forward));
    }

    #[test]
    fn what_reads_stands_to_the_right_of_what_it_reads() {
        let layout = check(ring(2));
        assert!(layout.boxes[0].x < layout.boxes[1].x);
        assert_eq!(layout.lines[0].len(), 2, "the way forth is direct: {:?}", layout.lines[0]);
        assert_eq!(layout.lines[1].len(), 4, "the way back turns twice: {:?}", layout.lines[1]);
    }

    #[test]
    fn long_rings_are_broken_into_bands() {
        let layout = check(ring(40));
        assert!(layout.width < 4.0 * layout.height, "{} by {}", layout.width, layout.height);
    }

    #[test]
    fn many_connections_keep_clear_of_boxes() {
        let shapes: Vec<_> = (1..=30).map(shape).collect();
        // A fixed sequence of pseudo-random numbers.
        let mut state = 1_u32;
        let mut next = |below: usize| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) as usize % below
        };
        let arrows = (0..60).map(|_| Arrow { from: (next(30), 0), to: (next(30), next(2)), weight: 1 }).collect();
        check((shapes, arrows));
    }
}
