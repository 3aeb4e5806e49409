//! The internal error of the FMUs, which finer coupling does not reveal.

use super::{Extrapolation, Run, Weights};

/// Factor for the change from a tolerance to a tenth of it. If the error falls with the tolerance, it is at most `d + d/10 +
/// d/100 + ...` with the larger tolerance.
const SERIES: f64 = 10.0 / 9.0;

/// Factor for the change from whole steps to steps in two parts, and the number of rows on each side that count, too.
const PARTS: f64 = 8.0;
const NEARBY: usize = 4;

/// Result of the search for the internal error of the FMUs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum IntegrationError {
    /// It is now in the estimate; `largest` is its largest part, relative to `max(|y|, s_k)`. It may be larger if the FMUs do not
    /// follow the requested tolerance: only what steps in two parts change is known then.
    Known { largest: f64, follows: bool },
    /// A tenth of the tolerance changed nothing: the FMUs ignore it, and their internal error is unknown (not 0).
    Unknown,
}

/// The changes of all values from runs to their repetitions.
#[derive(Debug, Clone)]
pub(crate) struct Changes(Vec<f64>);

impl Changes {
    /// The change from a run to its repetition; `None` if they are equal to the last bit. If the repetition has other events, the
    /// changes are infinite.
    pub(crate) fn between(run: &Run, repeated: &Run, weights: &Weights) -> Option<Self> {
        let mut changes = Self::none(run);
        changes.add(1.0, run, repeated, weights);
        changes.0.iter().any(|change| *change != 0.0).then_some(changes)
    }

    /// No change of the values of a run.
    pub(crate) fn none(run: &Run) -> Self {
        Self(vec![0.0; run.values.len()])
    }

    /// Adds a multiple of the change from a run to its repetition.
    pub(crate) fn add(&mut self, factor: f64, run: &Run, repeated: &Run, weights: &Weights) {
        match run.pairs(repeated, weights.columns()) {
            Some(pairs) => {
                pairs.into_iter().for_each(|(own, other)| self.0[own] += factor * (repeated.values[other] - run.values[own]))
            }
            None => self.0.fill(f64::INFINITY),
        }
    }

    /// The largest of these errors, relative to the values of a result.
    pub(crate) fn largest(&self, result: &Extrapolation, weights: &Weights) -> f64 {
        let relative = |(place, error): (usize, &f64)| weights.relative(place % weights.columns(), result.values[place], *error);
        self.0.iter().enumerate().map(relative).fold(0.0, f64::max)
    }

    /// The errors of which these are changes to a tenth of the tolerance.
    pub(crate) fn errors_by_a_tenth(self) -> Self {
        self.times(SERIES)
    }

    /// The errors of which these are changes from whole steps to steps in two parts: they may be as large as without, and of the
    /// same sign. Each is at least that of the rows nearby, scaled to the value there.
    pub(crate) fn errors_by_parts(self, result: &Extrapolation, weights: &Weights) -> Self {
        let Self(errors) = self.times(PARTS);
        let columns = weights.columns();
        let scale = |place: usize| weights.scale(place % columns, result.values[place]).max(f64::MIN_POSITIVE);
        let nearby = |place: usize| {
            let (row, column) = (place / columns, place % columns);
            let rows = row.saturating_sub(NEARBY)..=row + NEARBY;
            let places = rows.map(|row| row * columns + column).filter(|other| *other < errors.len());
            places.map(|other| errors[other] * (scale(place) / scale(other)).min(1.0)).fold(0.0, f64::max)
        };
        Self((0..errors.len()).map(nearby).collect())
    }

    /// The absolute values of these changes times a factor; infinite where a value is not finite.
    fn times(self, factor: f64) -> Self {
        let size = |change: f64| if change.is_finite() { factor * change.abs() } else { f64::INFINITY };
        Self(self.0.into_iter().map(size).collect())
    }

    /// The same changes, times a factor.
    pub(crate) fn scaled(self, factor: f64) -> Self {
        Self(self.0.into_iter().map(|change| factor * change).collect())
    }
}

/// Adds the internal error of the FMUs to the estimate: the largest of each value. None of them is known if there are none.
pub(crate) fn join_integration_error(
    result: &mut Extrapolation,
    (by_tolerance, by_parts): (Option<Changes>, Option<Changes>),
    weights: &Weights,
) -> IntegrationError {
    let follows = by_tolerance.is_some();
    let errors: Vec<Changes> = by_tolerance.into_iter().chain(by_parts).collect();
    if errors.is_empty() {
        return IntegrationError::Unknown;
    }
    let largest = errors.iter().map(|errors| errors.largest(result, weights)).fold(0.0, f64::max);
    for (place, estimate) in result.estimate.iter_mut().enumerate() {
        *estimate += errors.iter().map(|errors| errors.0[place]).fold(0.0, f64::max);
    }
    result.measure(weights);
    IntegrationError::Known { largest, follows }
}
