//! Events are located late, by up to their tolerance, in every run: finer meshes do not show it.

use super::{Extrapolation, Run, Weights};

/// The sum of the lateness of all tolerances that are a tenth each of the last: what is left of it in a run with a tenth is added.
const SERIES: f64 = 10.0 / 9.0;

/// Adds what the lateness of events makes of the results to their estimate: `10/9 |difference|`, where `difference` is that of each value
/// between two equal runs, one with a tenth of the tolerance of events. Times of events, in the last column, are late by up to `tolerance`
/// \[s\]. If there is no other run, or it has other events, nothing is known of the rows from the first event on.
pub(crate) fn join_lateness(result: &mut Extrapolation, run: &Run, repeated: Option<&Run>, weights: &Weights, tolerance: f64) {
    let Some(&first) = run.events.first() else { return };
    let columns = weights.columns();
    let known_until = |index: usize| if index / columns < first { 0.0 } else { f64::INFINITY };
    let mut lateness: Vec<_> = (0..run.values.len()).map(known_until).collect();
    if let Some((repeated, pairs)) = repeated.and_then(|repeated| Some((repeated, run.pairs(repeated, columns)?))) {
        for (own, other) in pairs {
            let late = (run.values[own] - repeated.values[other]).abs() * SERIES;
            lateness[own] = if late.is_finite() { late } else { f64::INFINITY };
        }
    }
    for (index, (estimate, late)) in result.estimate.iter_mut().zip(lateness).enumerate() {
        let is_time = index % columns == columns - 1;
        let is_at_event = is_time && run.events.iter().any(|&row| row == index / columns || row + 1 == index / columns);
        *estimate += if is_at_event { late.max(tolerance) } else { late };
    }
    result.measure(weights);
}
