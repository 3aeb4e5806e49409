//! Lines of `[events]` for undeclared switches.

use lotka_plan::graph::{ColumnSource, Plan};
use lotka_prepare::trial::shortest;
use lotka_step::error::{Discontinuity, FoundTimes, InternalSteps};

use crate::global::Found;

/// Number of base points on each side of a place between which a signal passes its level.
const AROUND: usize = 1;

/// Maximum difference of levels, as a share of the tolerance and the range of the signal.
const APART: f64 = 1.0;

/// Minimum number of places for a level, and the share of all places of an instance that must agree on it.
const PLACES: usize = 2;
const SHARE: f64 = 0.6;

/// Returns one line for each instance that seems to switch where one of the signals it reads crosses a level. At most of its
/// places this signal has about the same value. The reader must fill in the exact level. With an inexact one, steps end late, and
/// all runs switch equally late and agree. `is_possible` says whether a signal can have an event in addition to those before.
pub(super) fn events(
    discontinuities: &[Discontinuity],
    found: &Found,
    plan: &Plan,
    mut is_possible: impl FnMut(usize) -> bool,
) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for instance in 0..plan.n_stepping {
        let places: Vec<usize> =
            discontinuities.iter().filter(|place| place.instance == instance).map(|place| row(found, place.time)).collect();
        let candidates: Vec<_> = signals_read(plan, instance)
            .filter_map(|(column, signal, name)| Some((signal, name, level(found, column, &places)?)))
            .collect();
        if let [(signal, name, level)] = &candidates[..] {
            let line = format!("\"{name}\" = {{ level = … }}  # about {level}");
            lines.extend((!lines.contains(&line) && is_possible(*signal)).then_some(line));
        }
    }
    lines
}

/// A line for an instance with internal steps of fixed size that no mesh suits: it may act at known times.
pub(super) fn times(steps: &InternalSteps) -> String {
    format!("\"{}\" = {{ every = …, offset = … }}  # about every {} s", steps.instance, steps.size_text())
}

/// A line for an instance whose times are known, if it is unknown whether it acts at these times only.
pub(super) fn acts(FoundTimes { instance, every, offset, .. }: &FoundTimes) -> String {
    format!("\"{instance}\" = {{ every = {every:?}, offset = {offset:?} }}  # if it acts only at these times")
}

/// The estimated columns that an instance reads unchanged, with their signals.
fn signals_read(plan: &Plan, instance: usize) -> impl Iterator<Item = (usize, usize, &str)> {
    let columns = plan.columns.iter().zip(&plan.column_sources).filter(|(column, _)| column.can_have_error());
    columns.enumerate().filter_map(move |(place, (column, source))| match source {
        ColumnSource::Real(signal) if plan.reads(instance, *signal) => Some((place, *signal, column.name.as_str())),
        _ => None,
    })
}

/// The row of the finest run that is closest to a time.
fn row(found: &Found, time: f64) -> usize {
    let Some(finest) = found.finest() else { return 0 };
    let times = &finest.times;
    let after = times.partition_point(|known| *known < time).min(times.len().saturating_sub(1));
    match after.checked_sub(1) {
        Some(before) if time - times[before] < times[after] - time => before,
        _ => after,
    }
}

/// The approximate value of a column at most of these rows, with as few digits as possible; `None` if they differ.
fn level(found: &Found, column: usize, places: &[usize]) -> Option<f64> {
    let columns = found.weights.columns();
    let value = |row: usize| found.result.values.get(row * columns + column).copied();
    let all = || found.result.values.iter().skip(column).step_by(columns).copied();
    let range = all().fold(f64::NEG_INFINITY, f64::max) - all().fold(f64::INFINITY, f64::min);
    let slack = APART * found.weights.tolerance() * range;
    let interval = |place: &usize| {
        let values: Vec<f64> = (place.saturating_sub(AROUND)..=place + AROUND).filter_map(value).collect();
        let [low, high] = [values.iter().copied().reduce(f64::min)?, values.iter().copied().reduce(f64::max)?];
        Some((low - slack, high + slack))
    };
    let (shared, (low, high)) = most_shared(&places.iter().filter_map(interval).collect::<Vec<_>>())?;
    let is_most = shared >= PLACES && shared as f64 >= SHARE * places.len() as f64;
    (is_most && high - low <= 4.0 * slack).then(|| shortest(low..=high)).flatten()
}

/// The largest number of intervals with a common part, and this part.
fn most_shared(intervals: &[(f64, f64)]) -> Option<(usize, (f64, f64))> {
    let part = |&(low, _): &(f64, f64)| {
        let sharing = intervals.iter().filter(|(from, to)| (*from..=*to).contains(&low));
        (sharing.clone().count(), (low, sharing.map(|(_, to)| *to).fold(f64::INFINITY, f64::min)))
    };
    // Of several, the narrowest.
    intervals.iter().map(part).max_by(|(a, (la, ha)), (b, (lb, hb))| a.cmp(b).then((hb - lb).total_cmp(&(ha - la))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_part_that_most_intervals_share_is_found() {
        let intervals = [(0.0, 1.0), (0.8, 2.0), (0.9, 5.0), (4.0, 6.0)];
        assert_eq!(most_shared(&intervals), Some((3, (0.9, 1.0))));
        assert_eq!(most_shared(&[]), None);
        for apart in [[(0.0, 2.0), (5.0, 6.0), (8.0, 11.0)], [(5.0, 6.0), (8.0, 11.0), (0.0, 2.0)]] {
            assert_eq!(most_shared(&apart), Some((1, (5.0, 6.0))), "the narrowest one of several");
        }
    }
}
