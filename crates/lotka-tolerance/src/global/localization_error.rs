//! The localization error of events: events are located late, by up to their tolerance, in every run, so that finer meshes do not
//! reveal it.

use super::{Extrapolation, Run, Weights};

/// The sum of the delays for a series of tolerances, each a tenth of the previous one. It includes the delay that remains in the
/// run with a tenth.
const SERIES: f64 = 10.0 / 9.0;

/// Adds the effect of the delay of events on the results to their estimate: `10/9 |difference|`, where `difference` is that of
/// each value between two equal runs, one with a tenth of the tolerance of events. Times of events, in the last column, are late
/// by up to `tolerance` \[s\]. Without another run, or if its events differ, the errors of the rows from the first event on are
/// unknown.
pub(crate) fn join_localization_error(
    result: &mut Extrapolation,
    run: &Run,
    repeated: Option<&Run>,
    weights: &Weights,
    tolerance: f64,
) {
    let Some(&first) = run.events.first() else { return };
    let columns = weights.columns();
    let known_until = |index: usize| if index / columns < first { 0.0 } else { f64::INFINITY };
    let mut delays: Vec<_> = (0..run.values.len()).map(known_until).collect();
    if let Some((repeated, pairs)) = repeated.and_then(|repeated| Some((repeated, run.pairs(repeated, columns)?))) {
        for (own, other) in pairs {
            let late = (run.values[own] - repeated.values[other]).abs() * SERIES;
            delays[own] = if late.is_finite() { late } else { f64::INFINITY };
        }
    }
    for (index, (estimate, late)) in result.estimate.iter_mut().zip(delays).enumerate() {
        let is_time = index % columns == columns - 1;
        let is_at_event = is_time && run.events.iter().any(|&row| row == index / columns || row + 1 == index / columns);
        *estimate += if is_at_event { late.max(tolerance) } else { late };
    }
    result.measure(weights);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::global::{ErrorBound, ErrorExpansion, tableau::alone};

    /// Two columns, the second of which is the time: rows at 0, 1, 2, 3 and 4, two for an event, late by `late`, between the
    /// times 2 and 3.
    fn run(late: f64, times: [f64; 7]) -> Run {
        let row = |(row, t): (usize, f64)| [if row > 3 { 10.0 + late } else { 10.0 }, t];
        let values = times.into_iter().enumerate().flat_map(row).collect();
        Run { subdivisions: 1, steps: 4, values, events: vec![3], ..Run::default() }
    }

    const TIMES: [f64; 7] = [0.0, 1.0, 2.0, 2.5, 2.5, 3.0, 4.0];

    /// The estimate of each row and column, without the table's share, which is 0, and the largest relative one.
    fn joined(repeated: Option<&Run>, tolerance: f64) -> (Vec<[f64; 2]>, f64) {
        let run = run(0.0, TIMES);
        let bound = ErrorBound { tolerance: 1e-6, absolute: None, nominals: vec![None; 2], ..ErrorBound::default() };
        let weights = bound.weights(&run.values, &[]);
        let mut result = alone(&run, ErrorExpansion::None, &weights, 0.0);
        result.estimate.fill(0.0);
        join_localization_error(&mut result, &run, repeated, &weights, tolerance);
        (result.estimate.chunks(2).map(|row| [row[0], row[1]]).collect(), result.largest)
    }

    fn assert_close(found: &[[f64; 2]], expected: &[[f64; 2]]) {
        for (row, (found, expected)) in found.iter().zip(expected).enumerate() {
            let is_close = found.iter().zip(expected).all(|(a, b)| a == b || (a - b).abs() <= 1e-6 * b);
            assert!(is_close, "row {row}: {found:?}, expected {expected:?}");
        }
    }

    #[test]
    fn what_a_tenth_of_the_tolerance_changes_is_added_ten_ninths_of_it() {
        // Its event comes earlier: rows of events are paired, whatever their position.
        let times = [0.0, 1.0, 2.0, 2.499, 2.499, 3.0, 4.0];
        let (estimate, largest) = joined(Some(&run(-0.009, times)), 1e-3);
        let late = [0.01, 0.0];
        let event = 1e-3 * SERIES;
        assert_close(&estimate, &[[0.0; 2], [0.0; 2], [0.0; 2], [0.0, event], [0.01, event], late, late]);
        assert!((largest - 1e-3).abs() < 1e-9, "{largest:e}");
    }

    #[test]
    fn times_of_events_are_late_by_their_tolerance_at_least() {
        let (estimate, _) = joined(Some(&run(0.0, TIMES)), 2e-3);
        assert_close(&estimate, &[[0.0; 2], [0.0; 2], [0.0; 2], [0.0, 2e-3], [0.0, 2e-3], [0.0; 2], [0.0; 2]]);
    }

    #[test]
    fn without_a_run_to_compare_with_rows_are_known_before_the_event_only() {
        let other = Run { events: Vec::new(), ..run(0.0, TIMES) };
        let unknown = [f64::INFINITY; 2];
        for repeated in [None, Some(&other)] {
            let (estimate, largest) = joined(repeated, 1e-3);
            assert_close(&estimate, &[[0.0; 2], [0.0; 2], [0.0; 2], unknown, unknown, unknown, unknown]);
            assert_eq!(largest, f64::INFINITY);
        }
        let broken = Run { values: run(f64::NAN, TIMES).values, ..run(0.0, TIMES) };
        assert_eq!(joined(Some(&broken), 1e-3).0[5][0], f64::INFINITY, "no number is no small difference");
    }
}
