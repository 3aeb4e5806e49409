//! Expected times of events in a run, predicted from earlier runs.
//!
//! The time at which a run reaches an event has an error in powers of the step size, like all its results. The steps before and
//! after the event must have such an error, too: they divide the time up to it equally, which requires a prediction of the event.

use super::ErrorExpansion;

/// Maximum number of runs used to extrapolate times.
const RUNS: usize = 4;

/// Times of the events of runs, from coarse to fine.
#[derive(Debug, Clone)]
pub(crate) struct Expected {
    /// Powers of the step size in the error.
    expansion: ErrorExpansion,
    /// Steps per base step, and times \[s\].
    runs: Vec<(u32, Vec<f64>)>,
}

impl Expected {
    /// Creates an empty set for runs whose errors have these powers.
    pub(crate) fn new(expansion: ErrorExpansion) -> Self {
        Self { expansion, runs: Vec::new() }
    }

    /// Adds the events of a run. Those of finer runs, or of runs with another number of events, are dropped.
    pub(crate) fn add(&mut self, subdivisions: u32, times: Vec<f64>) {
        self.runs.retain(|(other, known)| *other < subdivisions && known.len() == times.len());
        if self.runs.len() == RUNS {
            self.runs.remove(0);
        }
        self.runs.push((subdivisions, times));
    }

    /// The expected times of events in a run \[s\], ascending: the polynomial in the step size through the times of the earlier
    /// runs.
    pub(crate) fn times(&self, subdivisions: u32) -> Vec<f64> {
        let Some((finest, last)) = self.runs.last() else { return Vec::new() };
        if *finest >= subdivisions {
            return last.clone();
        }
        let weights = self.weights(subdivisions);
        let expected = |event: usize| {
            let changes = self.runs.iter().zip(&weights).map(|((_, times), weight)| weight * (times[event] - last[event]));
            last[event] + changes.sum::<f64>()
        };
        let times: Vec<f64> = (0..last.len()).map(expected).collect();
        if times.windows(2).all(|pair| pair[0] < pair[1]) { times } else { last.clone() }
    }

    /// Weights of the times of each run in those of another one.
    fn weights(&self, subdivisions: u32) -> Vec<f64> {
        let size = |n: u32| if self.expansion == ErrorExpansion::Even { f64::from(n).powi(-2) } else { f64::from(n).recip() };
        let sizes: Vec<f64> = self.runs.iter().map(|(n, _)| size(*n)).collect();
        let others = |place: usize| sizes.iter().enumerate().filter(move |(other, _)| *other != place).map(|(_, size)| *size);
        let lagrange = |place: usize, at: f64| others(place).map(|other| (at - other) / (sizes[place] - other)).product::<f64>();
        let at = size(subdivisions);
        // Without the first power, the polynomial has no slope at 0. The term added for this is 0 at all step sizes of the runs.
        let inverses: f64 = sizes.iter().map(|size| size.recip()).sum();
        let zeros: f64 = sizes.iter().map(|size| (size - at) / size).product();
        let added = |place: usize| match self.expansion {
            ErrorExpansion::FromTwo => lagrange(place, 0.0) * zeros * others(place).map(f64::recip).sum::<f64>() / inverses,
            _ => 0.0,
        };
        (0..sizes.len()).map(|place| lagrange(place, at) - added(place)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(expansion: ErrorExpansion, n: u32) -> Vec<f64> {
        let z = |column: usize| f64::from(n).powf(-expansion.power(column));
        vec![1.0 + 0.1 * z(1) - 0.03 * z(2), 2.0 - 0.2 * z(1) + 0.01 * z(2)]
    }

    #[test]
    fn times_of_finer_runs_are_extrapolated() {
        for expansion in [ErrorExpansion::Even, ErrorExpansion::FromTwo, ErrorExpansion::FromOne] {
            let mut expected = Expected::new(expansion);
            assert_eq!(expected.times(1), [0.0; 0]);
            for n in 1..=3 {
                expected.add(n, events(expansion, n));
                assert_eq!(expected.times(n), events(expansion, n), "the same run once more");
            }
            let off = expected.times(4).iter().zip(events(expansion, 4)).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(off < 1e-14, "{expansion:?}: {off}");
            assert_eq!(expected.times(1), events(expansion, 3), "a new series on another base begins with what is known best");
        }
    }

    #[test]
    fn runs_with_other_events_say_nothing() {
        let mut expected = Expected::new(ErrorExpansion::FromOne);
        expected.add(1, vec![1.0]);
        expected.add(2, vec![1.0, 2.0]);
        assert_eq!(expected.times(3), [1.0, 2.0]);
        expected.add(3, vec![1.5, 1.55]);
        assert_eq!(expected.times(4), [1.5, 1.55], "the order of events does not change");
    }
}
