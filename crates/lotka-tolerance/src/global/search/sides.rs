//! Rows that lie on one side of an event in the runs, and on the other one in the result.

use super::Search;
use crate::global::Extrapolation;

/// Number of rows on each side of an event that determine how fast values change there. The second value is the minimum distance
/// of two of them, as a share of the largest one in the mesh.
const ABOUT: usize = 4;
const NEAR: f64 = 0.02;

/// An event within this share of the largest distance from a row counts as at the row.
const SAME: f64 = 1e-9;

impl Search {
    /// Widens estimates beside events. The time of an event is extrapolated, too, and may lie beyond an adjacent row. The values
    /// of that row then continue the signals of the other side: their error is the jump of the signals, and of their slopes,
    /// since the event.
    pub(super) fn widen_beside_events(&self, table: &mut Extrapolation) {
        let Some(run) = self.runs.last().filter(|run| !run.events.is_empty()) else { return };
        let columns = self.weights.columns();
        let is_of_event = |row: usize| run.events.iter().any(|&first| row == first || row == first + 1);
        let mut has_changed = false;
        for &event in &run.events {
            let time = run.times[0] + table.values[event * columns + columns - 1];
            let before = (0..event).rev().take_while(|row| run.times[*row] > time);
            let after = (event + 2..run.times.len()).take_while(|row| run.times[*row] < time);
            for row in before.chain(after).filter(|row| !is_of_event(*row)) {
                let off = (run.times[row] - time).abs();
                if off <= SAME * self.base.distance() {
                    continue;
                }
                for column in 0..columns - 1 {
                    let value = |row: usize| table.values[row * columns + column];
                    let rows = event.saturating_sub(ABOUT)..(event + ABOUT + 1).min(run.times.len() - 1);
                    let distance = |row: usize| run.times[row + 1] - run.times[row];
                    let far = rows.filter(|row| distance(*row) > NEAR * self.base.distance());
                    let rate = far.map(|row| (value(row + 1) - value(row)).abs() / distance(row)).fold(0.0, f64::max);
                    table.estimate[row * columns + column] += (value(event + 1) - value(event)).abs() + 2.0 * rate * off;
                    has_changed = true;
                }
            }
        }
        if has_changed {
            table.measure(&self.weights);
        }
    }
}
