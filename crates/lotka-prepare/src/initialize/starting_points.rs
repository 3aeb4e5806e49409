//! Other points from which a solution may be reached: the same ones in every run.

use super::newton::scales;

/// Distances of the points, in units of the size of each value.
const RADII: [f64; 15] = [1.0, 3.0, 1.0, 10.0, 3.0, 1.0, 30.0, 3.0, 10.0, 100.0, 1.0, 3.0, 10.0, 30.0, 100.0];

/// The mirror image of `x`, then points spread evenly through boxes of different sizes around zero.
///
/// The points are those of the additive recurrence with the generalized golden ratio, whose gaps are even in every dimension.
///
/// Reference: Roberts, *The Unreasonable Effectiveness of Quasirandom Sequences*, 2018,
/// <https://extremelearning.com.au/unreasonable-effectiveness-of-quasirandom-sequences/>.
pub(super) fn starting_points(x: &[f64]) -> impl Iterator<Item = Vec<f64>> {
    let sizes: Vec<f64> = scales(x).collect();
    let mirrored = x.iter().zip(&sizes).map(|(x, size)| if x.is_finite() { -x } else { *size }).collect();
    let ratio = golden_ratio(x.len());
    let spread = RADII.into_iter().enumerate().map(move |(n, radius)| {
        let place = |dimension: usize| ((n + 1) as f64 * ratio.powi(-(dimension as i32 + 1))).fract();
        sizes.iter().enumerate().map(|(dimension, size)| size * radius * (2.0 * place(dimension) - 1.0)).collect()
    });
    std::iter::once(mirrored).chain(spread)
}

/// The positive root of `r^(n + 1) = r + 1`, by fixed-point iteration.
fn golden_ratio(n: usize) -> f64 {
    (0..40).fold(2.0_f64, |ratio, _| (1.0 + ratio).powf(1.0 / (n + 1) as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_golden_ratio_is_that_of_one_dimension() {
        assert!((golden_ratio(1) - (1.0 + 5.0_f64.sqrt()) / 2.0).abs() < 1e-12);
    }

    #[test]
    fn points_are_finite_whatever_they_are_around() {
        assert!(starting_points(&[f64::NAN, f64::INFINITY]).all(|point| point.iter().all(|x| x.is_finite())));
    }

    #[test]
    fn points_differ_lie_on_both_sides_and_are_the_same_every_time() {
        let x = [2.0, 0.0, -1e-3];
        let points: Vec<_> = starting_points(&x).collect();
        assert_eq!(points.len(), RADII.len() + 1);
        assert_eq!(points, starting_points(&x).collect::<Vec<_>>());
        assert_eq!(points[0], [-2.0, -0.0, 1e-3]);
        for dimension in 0..3 {
            let mut values: Vec<f64> = points[1..].iter().map(|point| point[dimension]).collect();
            assert!(values.iter().any(|value| *value > 0.0) && values.iter().any(|value| *value < 0.0));
            values.sort_by(f64::total_cmp);
            values.dedup();
            assert!(values.len() + 2 > RADII.len(), "hardly one coincides with another");
        }
    }
}
