//! Steps that become gradually shorter towards both ends of a part of a base mesh.
//!
//! Rows near an end have all other points on one side, where polynomials are much less exact than between points. With shorter
//! steps there, rows are as exact as elsewhere. Sizes change smoothly from step to step, and within base steps: errors of runs
//! then are smooth along the time, and have the same powers of the step size, as if time ran more slowly near the ends.

/// By how much steps at an end are shorter than elsewhere, and the number of steps after which the difference has decreased by
/// the factor e.
const SHORTER: f64 = 0.7;
const WIDTH: f64 = 3.0;

/// Minimum and maximum length of a part, as multiples of the longest step. Rounding does not add a step.
const LENGTHS: (f64, f64) = (8.0, 1e5);
const ROUNDING: f64 = 1e-9;

/// A part of a base mesh.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Gradual {
    /// Its first base step.
    pub(super) first: usize,
    /// Number of base steps.
    pub(super) steps: usize,
    /// From when to when it extends \[s\].
    span: (f64, f64),
}

impl Gradual {
    /// Divides the time between two points into steps of at most this size \[s\]; `None` if these are few, or very many.
    pub(super) fn new(span: (f64, f64), longest: f64, first: usize) -> Option<Self> {
        let length = (span.1 - span.0) / longest * (1.0 - ROUNDING);
        if !(LENGTHS.0..LENGTHS.1).contains(&length) {
            return None;
        }
        let is_enough = |steps: &usize| position(*steps as f64, *steps as f64) >= length;
        let steps = (length.ceil() as usize..).find(is_enough)?;
        Some(Self { first, steps, span })
    }

    /// The time \[s\] at a number of steps from the beginning, which need not be whole.
    pub(super) fn time(&self, number: f64) -> f64 {
        let (from, to) = self.span;
        let steps = self.steps as f64;
        if number >= steps { to } else { from + (to - from) * (position(number, steps) / position(steps, steps)) }
    }

    /// The times between its steps \[s\].
    pub(super) fn inside(&self) -> impl Iterator<Item = f64> {
        (1..self.steps).map(|number| self.time(number as f64))
    }
}

/// The distance of a point from the beginning, as a multiple of steps far from both ends.
fn position(number: f64, steps: f64) -> f64 {
    let near = |distance: f64| (-distance / WIDTH).exp();
    number - SHORTER * WIDTH * (near(0.0) - near(number) + near(steps - number) - near(steps))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_at_the_ends_are_shorter_and_none_is_longer_than_asked() {
        for (span, longest, first) in [((0.0, 100.0), 3.0, 0), ((-2.0, 7e5), 8e3, 5), ((1e6, 1e6 + 1.0), 0.1249, 2)] {
            let gradual = Gradual::new(span, longest, first).unwrap();
            let times: Vec<f64> = [span.0].into_iter().chain(gradual.inside()).chain([span.1]).collect();
            let steps: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
            let largest = steps.iter().copied().fold(0.0, f64::max);
            assert!(steps.len() == gradual.steps && largest <= longest && largest > 0.7 * longest, "{steps:?}");
            assert!(steps[0] < 0.5 * longest && steps.windows(2).all(|pair| pair[1] < 1.5 * pair[0] && pair[0] < 1.5 * pair[1]));
            let mirrored = steps.iter().rev().zip(&steps).all(|(a, b)| (a / b - 1.0).abs() < 1e-6);
            assert!(mirrored && gradual.time(gradual.steps as f64) == span.1, "{steps:?}");
            // Halves of steps belong to the same smooth sequence.
            let half = gradual.time(0.5) - span.0;
            assert!(half < 0.5 * steps[0] && half > 0.4 * steps[0]);
        }
        assert_eq!(Gradual::new((0.0, 7.9), 1.0, 0), None);
    }
}
