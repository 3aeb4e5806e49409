//! Where signals of instances that read nothing need base points: these are stepped alone, with short steps, before the first run.

use super::Base;

/// Points in each base step.
const POINTS: usize = 32;

/// By how much the points of a base step are shifted at most, as a share of it, so that they have no distance in common with what repeats.
const GRADING: f64 = 0.35;

/// A piece is fine enough if the signal leaves the straight line between its ends by this share of its range times the tolerance; or by this
/// share of its range, and by less than so much of that in both halves: by a quarter where it is curved, by the same where it ripples.
const STRAIGHT: f64 = 0.25;
const CURVED: f64 = 0.1;
const HALVES: f64 = 0.45;

/// Points in a piece whose halves say nothing.
const FEW: usize = 4;

/// The points of a scan \[s\].
pub(crate) fn points(base: &Base) -> Vec<f64> {
    let times = base.times();
    let mut points: Vec<f64> = times.first().copied().into_iter().collect();
    for (step, pair) in times.windows(2).enumerate() {
        let share = ((step + 1) as f64 * 0.618_033_988_749_894_9 + 0.137).fract();
        let grading = GRADING * (2.0 * share - 1.0);
        points.extend((1..POINTS).map(|point| {
            let s = point as f64 / POINTS as f64;
            pair[0] + (pair[1] - pair[0]) * (s + grading * s * (1.0 - s))
        }));
        points.push(pair[1]);
    }
    points
}

/// Points among those of a scan that become base points, so that signals are resolved between them; `columns` has the values of each signal.
pub(crate) fn resolve(times: &[f64], columns: &[Vec<f64>], tolerance: f64) -> Vec<f64> {
    let signals: Vec<Signal<'_>> = columns.iter().filter_map(|values| Signal::new(times, values)).collect();
    let is_fine = |from: usize, to: usize| signals.iter().all(|signal| signal.is_fine(from, to, tolerance));
    let mut found = Vec::new();
    for step in 0..times.len().saturating_sub(1) / POINTS {
        let (mut from, end) = (step * POINTS, (step + 1) * POINTS);
        while from < end {
            let mut length = end - from;
            while length > 1 && !is_fine(from, from + length) {
                length /= 2;
            }
            from += length;
            found.extend((from < end).then(|| times[from]));
        }
    }
    found
}

/// A signal that moves.
struct Signal<'a> {
    times: &'a [f64],
    values: &'a [f64],
    range: f64,
}

impl<'a> Signal<'a> {
    fn new(times: &'a [f64], values: &'a [f64]) -> Option<Self> {
        let bounds = values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), y| (low.min(*y), high.max(*y)));
        let range = bounds.1 - bounds.0;
        (range > 0.0 && range.is_finite() && values.len() == times.len()).then_some(Self { times, values, range })
    }

    /// How far it leaves the straight line between two points, relative to its range.
    fn deviation(&self, from: usize, to: usize) -> f64 {
        let slope = (self.values[to] - self.values[from]) / (self.times[to] - self.times[from]);
        let line = |point: usize| self.values[from] + slope * (self.times[point] - self.times[from]);
        (from + 1..to).map(|point| (self.values[point] - line(point)).abs()).fold(0.0, f64::max) / self.range
    }

    fn is_fine(&self, from: usize, to: usize, tolerance: f64) -> bool {
        let deviation = self.deviation(from, to);
        if deviation <= STRAIGHT * tolerance || to - from < FEW {
            return deviation <= CURVED || to - from < 2;
        }
        let middle = (from + to) / 2;
        let halves = self.deviation(from, middle).max(self.deviation(middle, to));
        deviation <= CURVED && halves <= HALVES * deviation
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn base() -> Base {
        Base::new((0..=10).map(|row| (f64::from(row), true)).collect(), 1.0)
    }

    fn found(value: impl Fn(f64) -> f64) -> Vec<f64> {
        let times = points(&base());
        let values = times.iter().map(|t| value(*t)).collect();
        resolve(&times, &[values], 1e-6)
    }

    #[test]
    fn smooth_signals_need_no_points() {
        assert_eq!(found(|t| t), [] as [f64; 0]);
        // Where it hardly bends, halves say little.
        assert!(found(|t| (0.5 * t).sin()).len() <= 2);
        assert_eq!(found(|_| 3.0), [] as [f64; 0]);
    }

    #[test]
    fn what_repeats_from_row_to_row_is_divided() {
        let wave = found(|t| 1.0 + (std::f64::consts::TAU * 6.0 * t).cos());
        assert!(wave.len() >= 200, "{}", wave.len());
        let small = found(|t| 100.0 * t + 0.01 * (std::f64::consts::TAU * 6.0 * t).cos());
        assert!(small.len() >= 80, "a small ripple on a large signal: {}", small.len());
    }

    #[test]
    fn a_pulse_between_two_rows_is_found() {
        let pulse = found(|t| if (3.4..3.45).contains(&t) { 1.0 } else { 0.0 });
        assert!(!pulse.is_empty() && pulse.iter().all(|t| (3.0..4.0).contains(t)), "{pulse:?}");
    }
}
