//! RunFactories where an indicator reverses so close to its level that a crossing cannot be excluded.

use lotka_run::event::Grazing;
use lotka_step::algorithm::Exchanged;

use super::{Obstacle, Search};
use crate::global::Extrapolation;

/// Number of rows beside a place in which the error of the finest run counts.
const BESIDE: usize = 1;

/// Minimum ratio of the distance from the level to that error.
const SAFETY: f64 = 2.0;

impl Search {
    /// A place where an indicator of the finest run reverses closer to its level than its error: it may cross the level or not.
    pub(super) fn undecided(&self, result: &Extrapolation) -> Option<Obstacle> {
        let finest = self.runs.last()?;
        let is_near = |grazing: &&Grazing| grazing.distance <= SAFETY * self.error_about(grazing.signal, grazing.time, result);
        finest.grazings.iter().find(is_near).map(|grazing| Obstacle::Grazes { signal: grazing.signal, time: grazing.time })
    }

    /// The error of the finest run around a time, in units of a signal. If the signal is not recorded, it has the largest
    /// relative error of the others, multiplied by its range.
    fn error_about(&self, signal: usize, time: f64, result: &Extrapolation) -> f64 {
        let Some(finest) = self.runs.last() else { return f64::INFINITY };
        let value = self.settings.followed.iter().position(|followed| followed.value == Exchanged::Real(signal));
        let column =
            value.and_then(|value| self.settings.bound.followed_values.iter().position(|followed| *followed == Some(value)));
        let range =
            value.and_then(|value| finest.trace.value_traces.get(value)).map_or(f64::INFINITY, |value_trace| value_trace.range());
        let columns = self.weights.columns();
        let after = finest.times.partition_point(|known| *known < time);
        let rows = after.saturating_sub(1 + BESIDE)..=(after + BESIDE).min(finest.times.len().saturating_sub(1));
        let error = |index: usize| (finest.values[index] - result.values[index]).abs() + result.estimate[index];
        let errors = rows.flat_map(|row| match column {
            Some(column) => vec![error(row * columns + column)],
            None => {
                let all = (0..columns).map(|column| (column, row * columns + column));
                all.map(|(column, index)| self.weights.relative(column, result.values[index], error(index)) * range).collect()
            }
        });
        errors.fold(0.0, f64::max)
    }
}
