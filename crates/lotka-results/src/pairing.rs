//! Pairs the rows of two tables.

use std::ops::Range;

/// Times that differ by less than this share of the largest one are equal up to rounding.
const ROUNDING: f64 = 1e-12;

/// A position in a table: at a row, or a fraction of the way to the next one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Position {
    pub(super) row: usize,
    pub(super) fraction: f64,
}

/// Two positions at the same time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Pair {
    pub(super) time: f64,
    pub(super) first: Position,
    pub(super) second: Position,
}

/// The pairs of rows of two tables.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Pairs {
    pub(super) list: Vec<Pair>,
    /// The table whose rows count (0 or 1), if the other one is interpolated.
    pub(super) coarser: Option<usize>,
    /// Times that should be equal in both tables: all of them, or those of the ends and of the events.
    pub(super) times: Vec<(f64, f64)>,
}

/// Pairs the rows of two tables. If their times are equal, rows are paired one by one. Otherwise each row of the table with fewer
/// rows is paired with the position of its time in the other table. If both tables have the same number of events, this is done
/// from event to event.
pub(super) fn pair(first: &[f64], second: &[f64]) -> Pairs {
    let ends = first.iter().chain(second).fold(0.0, |largest: f64, time| largest.max(time.abs()));
    let same = |a: f64, b: f64| (a - b).abs() <= ROUNDING * ends;
    if first.len() == second.len() && first.iter().zip(second).all(|(&a, &b)| same(a, b)) {
        let at = |row| Position { row, fraction: 0.0 };
        let list = first.iter().enumerate().map(|(row, &time)| Pair { time, first: at(row), second: at(row) });
        return Pairs { list: list.collect(), coarser: None, times: first.iter().copied().zip(second.iter().copied()).collect() };
    }
    let coarser = usize::from(second.len() < first.len());
    let (coarse, fine) = if coarser == 0 { (first, second) } else { (second, first) };
    let (mut pieces, mut finer_pieces) = (pieces(coarse), pieces(fine));
    if pieces.len() != finer_pieces.len() {
        // Both tables as a whole; without rows there are no pairs.
        (pieces, finer_pieces) = [coarse, fine].map(|times| std::iter::once(0..times.len()).collect()).into();
    }
    let mut pairs = Pairs { list: Vec::new(), coarser: Some(coarser), times: Vec::new() };
    for (piece, finer) in pieces.into_iter().zip(finer_pieces) {
        pairs.times.extend(ends_of(&coarse[piece.clone()], &fine[finer.clone()], coarser));
        let found = piece.filter_map(|row| {
            let time = coarse[row];
            let position = position(fine, finer.clone(), time, is_before_event(coarse, row), same)?;
            let row = Position { row, fraction: 0.0 };
            let (first, second) = if coarser == 0 { (row, position) } else { (position, row) };
            Some(Pair { time, first, second })
        });
        pairs.list.extend(found);
    }
    pairs
}

/// Returns the ranges of rows between events; an event is two rows at the same time.
fn pieces(times: &[f64]) -> Vec<Range<usize>> {
    let events = (1..times.len()).filter(|&row| times[row] == times[row - 1]);
    let mut bounds: Vec<usize> = std::iter::once(0).chain(events).collect();
    bounds.push(times.len());
    bounds.windows(2).map(|bound| bound[0]..bound[1]).collect()
}

/// Returns the first and last times of two pieces; those of the first table come first.
fn ends_of(coarse: &[f64], fine: &[f64], coarser: usize) -> impl Iterator<Item = (f64, f64)> {
    let ends = |times: &[f64]| [times.first(), times.last()].map(|time| time.copied().unwrap_or(f64::NAN));
    let (first, second) = if coarser == 0 { (ends(coarse), ends(fine)) } else { (ends(fine), ends(coarse)) };
    first.into_iter().zip(second)
}

/// Returns whether the values of a row are those just before an event.
fn is_before_event(times: &[f64], row: usize) -> bool {
    times.get(row + 1) == Some(&times[row])
}

/// Returns the position of `time` in a range of rows. If several rows have this time, the first one counts before an event,
/// otherwise the last one. The times of events may differ slightly between the tables, so the outermost row of a piece also
/// stands for times beyond it. There is no position beyond the ends of the table.
fn position(times: &[f64], rows: Range<usize>, time: f64, before: bool, same: impl Fn(f64, f64) -> bool) -> Option<Position> {
    let piece = &times[rows.clone()];
    let (first, last) = (*piece.first()?, *piece.last()?);
    let is_outside = time < first && rows.start == 0 || time > last && rows.end == times.len();
    if is_outside && !same(time, first) && !same(time, last) {
        return None;
    }
    // Rows before `after` are at this time or earlier; of those at an event, only the row before the event.
    let mut after = piece.partition_point(|&other| other < time || same(other, time));
    if before {
        let start = piece.partition_point(|&other| other < time && !same(other, time));
        after = after.min(start + 1);
    }
    let row = after.max(1) - 1;
    let (left, right) = (piece[row], piece.get(row + 1));
    let fraction = match right {
        Some(right) if left < time && !same(left, time) => (time - left) / (right - left),
        _ => 0.0,
    };
    Some(Position { row: rows.start + row, fraction })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn positions(first: &[f64], second: &[f64]) -> Vec<(f64, usize, f64)> {
        let pairs = pair(first, second);
        assert_eq!(pairs.coarser, Some(0));
        pairs
            .list
            .iter()
            .map(|pair| {
                assert_eq!((first[pair.first.row], pair.first.fraction), (pair.time, 0.0));
                (pair.time, pair.second.row, pair.second.fraction)
            })
            .collect()
    }

    #[test]
    fn the_same_times_go_row_by_row_whatever_their_rounding() {
        let pairs = pair(&[0.0, 0.3, 0.3], &[0.0, 0.1 + 0.2, 0.3]);
        assert_eq!((pairs.coarser, pairs.list.len()), (None, 3));
        assert_eq!(pairs.times[1], (0.3, 0.1 + 0.2));
        assert_eq!(pair(&[], &[]).list, []);
    }

    #[test]
    fn the_finer_table_is_interpolated() {
        assert_eq!(
            positions(&[0.0, 0.25, 1.0], &[0.0, 0.2, 0.4, 1.0]),
            [(0.0, 0, 0.0), (0.25, 1, (0.25 - 0.2) / (0.4 - 0.2)), (1.0, 3, 0.0)]
        );
    }

    #[test]
    fn of_tables_with_as_many_rows_the_second_one_is_interpolated() {
        assert_eq!(positions(&[0.0, 0.5, 1.0], &[0.0, 0.25, 1.0]), [(0.0, 0, 0.0), (0.5, 1, 0.25 / 0.75), (1.0, 2, 0.0)]);
        assert_eq!(pair(&[0.0, 0.25, 1.0], &[0.0, 0.5, 1.0]).coarser, Some(0));
        assert_eq!(pair(&[0.0, 0.25, 0.5, 1.0], &[0.0, 1.0]).coarser, Some(1));
    }

    /// A time is equal up to rounding of the largest time, and no farther.
    #[test]
    fn what_differs_by_more_than_rounding_is_another_time() {
        let late = [1e9, 1e9 + 1.0];
        assert_eq!(pair(&late, &[1e9, 1e9 + 1.0 + 1e-4]).coarser, None, "rounding of 1e9 s");
        assert_eq!(pair(&late, &[1e9, 1e9 + 1.0 + 1e-2]).coarser, Some(0));
    }

    #[test]
    fn rounding_does_not_move_a_row_to_the_one_before() {
        assert_eq!(positions(&[0.0, 0.3, 0.6], &[0.0, 0.1, 0.1 + 0.2, 0.6]), [(0.0, 0, 0.0), (0.3, 2, 0.0), (0.6, 3, 0.0)]);
    }

    #[test]
    fn events_stay_events_if_they_are_at_slightly_other_times() {
        let (coarse, fine) = ([0.0, 0.5, 0.5, 1.0], [0.0, 0.25, 0.501, 0.501, 0.75, 1.0]);
        let expected = [(0.0, 0, 0.0), (0.5, 1, 0.25 / 0.251), (0.5, 3, 0.0), (1.0, 5, 0.0)];
        assert_eq!(positions(&coarse, &fine), expected);
        assert_eq!(pair(&coarse, &fine).times, [(0.0, 0.0), (0.5, 0.501), (0.5, 0.501), (1.0, 1.0)]);
        let mirrored = pair(&fine, &coarse);
        assert_eq!((mirrored.coarser, mirrored.times[1]), (Some(1), (0.501, 0.5)));
    }

    #[test]
    fn where_only_one_table_has_an_event_the_values_after_it_count() {
        assert_eq!(positions(&[0.0, 0.5, 1.0], &[0.0, 0.5, 0.5, 1.0]), [(0.0, 0, 0.0), (0.5, 2, 0.0), (1.0, 3, 0.0)]);
        assert_eq!(
            positions(&[0.0, 0.5, 0.5, 1.0], &[0.0, 0.2, 0.4, 0.5, 1.0]),
            [(0.0, 0, 0.0), (0.5, 3, 0.0), (0.5, 3, 0.0), (1.0, 4, 0.0)]
        );
    }

    #[test]
    fn beyond_the_end_of_a_table_there_is_nothing_to_compare() {
        assert_eq!(positions(&[0.0, 1.0, 2.0], &[0.5, 1.0, 1.5, 1.75]), [(1.0, 1, 0.0)]);
    }
}
