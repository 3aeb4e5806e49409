//! Polynomials of increasing degree through the points around a time.

use std::ops::RangeInclusive;

/// Degrees of the polynomials, each of which is compared with the previous one.
const DEGREES: [usize; 9] = [1, 3, 5, 7, 9, 11, 13, 15, 17];

/// Number of points of the polynomial of the highest degree.
const MOST: usize = DEGREES[DEGREES.len() - 1] + 1;

/// Number of points on each side of a time that all polynomials together use, where there are enough.
pub(super) const REACH: usize = MOST / 2;

/// The polynomials at one time: each is a weighted sum of the values at its points.
pub(super) struct Polynomials {
    /// Number of polynomials: those that have enough points.
    number: usize,
    /// The first point of each.
    begins: [usize; DEGREES.len()],
    /// Weights of the values at its points.
    weights: [[f64; MOST]; DEGREES.len()],
}

impl Polynomials {
    /// Computes the weights at `time` of the values at `times`, of which polynomials use `points` only, and first those around
    /// `nearest`, which is the last point before `time`.
    pub(super) fn new(times: &[f64], points: RangeInclusive<usize>, nearest: usize, time: f64) -> Self {
        let (lowest, highest) = points.into_inner();
        let mut polynomials = Self { number: 0, begins: [0; DEGREES.len()], weights: [[1.0; MOST]; DEGREES.len()] };
        for (begin, degree) in polynomials.begins.iter_mut().zip(DEGREES).take_while(|(_, degree)| *degree <= highest - lowest) {
            *begin = (nearest + 1).saturating_sub(degree.div_ceil(2)).clamp(lowest, highest - degree);
            polynomials.number += 1;
        }
        let Some(last) = polynomials.number.checked_sub(1) else { return polynomials };
        // The points of each polynomial include those of the previous ones.
        let first = polynomials.begins[last];
        let factors = Factors::new(&times[first..=first + DEGREES[last]], time);
        let weights = polynomials.weights.iter_mut().zip(polynomials.begins).zip(DEGREES);
        for ((weights, begin), degree) in weights.take(polynomials.number) {
            factors.multiply(begin - first..=begin - first + degree, &mut weights[..=degree]);
        }
        polynomials
    }

    /// The values of the polynomials, by increasing degree, if `value` returns that at a point.
    pub(super) fn values(&self, value: impl Fn(usize) -> f64) -> impl Iterator<Item = f64> {
        let polynomials = self.weights.iter().zip(self.begins).zip(DEGREES).take(self.number);
        polynomials.map(move |((weights, begin), degree)| {
            weights[..=degree].iter().enumerate().map(|(place, weight)| weight * value(begin + place)).sum()
        })
    }
}

/// The factors of the weights of some points: `(t - t_j) / (t_i - t_j)` for each `j`, then each `i`, and 1 if they are equal. The
/// polynomials share them, because divisions take most of the time.
struct Factors([[f64; MOST]; MOST]);

impl Factors {
    fn new(times: &[f64], time: f64) -> Self {
        let mut factors = [[1.0; MOST]; MOST];
        for (j, (of, other)) in factors.iter_mut().zip(times).enumerate() {
            let distance = time - other;
            of.iter_mut().zip(times).for_each(|(factor, own)| *factor = distance / (own - other));
            of[j] = 1.0;
        }
        Self(factors)
    }

    /// Multiplies the weights of some points, which are 1, by their factors, in the order of the points.
    fn multiply(&self, points: RangeInclusive<usize>, weights: &mut [f64]) {
        for of in &self.0[points.clone()] {
            weights.iter_mut().zip(&of[points.clone()]).for_each(|(weight, factor)| *weight *= factor);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Weights of the values at these times in the polynomial through them, one by one.
    fn lagrange(times: &[f64], time: f64) -> Vec<f64> {
        let weight = |own: usize| {
            let others = times.iter().enumerate().filter(|(other, _)| *other != own);
            others.map(|(_, other)| (time - other) / (times[own] - other)).product()
        };
        (0..times.len()).map(weight).collect()
    }

    #[test]
    fn weights_are_those_of_lagrange_to_the_last_bit() {
        let times: Vec<f64> = (0..40).map(|point| (f64::from(point) * 0.37).powf(1.1)).collect();
        for (nearest, points, number) in [(20, 0..=39, 9), (3, 0..=39, 9), (38, 0..=39, 9), (10, 8..=14, 3), (7, 7..=8, 1)] {
            let time = times[nearest] + 0.3 * (times[nearest + 1] - times[nearest]);
            let polynomials = Polynomials::new(&times, points.clone(), nearest, time);
            assert_eq!(polynomials.number, number);
            for (k, degree) in DEGREES.into_iter().enumerate().take(number) {
                let begin = polynomials.begins[k];
                assert!(points.contains(&begin) && points.contains(&(begin + degree)));
                assert_eq!(polynomials.weights[k][..=degree], lagrange(&times[begin..=begin + degree], time), "degree {degree}");
            }
        }
        assert_eq!(Polynomials::new(&times, 5..=5, 5, times[5]).values(|_| 1.0).count(), 0);
    }

    #[test]
    fn polynomials_reproduce_those_of_their_degree() {
        let times: Vec<f64> = (0..20).map(f64::from).collect();
        let cubic = |t: f64| 1.0 + t * (0.5 - t * (0.25 - 0.01 * t));
        let values: Vec<f64> = Polynomials::new(&times, 0..=19, 9, 9.4).values(|point| cubic(times[point])).collect();
        assert!((values[0] - cubic(9.4)).abs() > 1e-3);
        assert!(values[1..].iter().all(|value| (value - cubic(9.4)).abs() < 1e-12), "{values:?}");
    }
}
