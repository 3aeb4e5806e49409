//! OutputNoise of a computed function about a smooth one, due to single precision or to tolerances inside an FMU.
//!
//! At equidistant points the fourth differences of a smooth function are far below rounding errors, while those of noise are not.
//! With noise of standard deviation `s` in each value, a difference of order `k` has the variance `s^2 (2k)! / (k!)^2`.
//!
//! Reference: J. J. Moré, S. M. Wild, Estimating Computational Noise, SIAM Journal on Scientific Computing 33 (2011), doi
//! 10.1137/100786125.

/// Number of points at which a function is computed.
pub const POINTS: usize = 8;

/// Order of the differences, and `(2k)! / (k!)^2`.
const ORDER: usize = 4;
const VARIANCE: f64 = 70.0;

/// Distances of the points, relative to each argument. Noise has the same size with both; the effect of a kink is smaller with
/// the second one.
pub const SPACINGS: [f64; 2] = [1e-5, 1e-6];

/// OutputNoise below this, relative to the value, is rounding. OutputNoise above the second value is a jump rather than noise.
const NOISE: (f64, f64) = (16.0 * f64::EPSILON, 1e-3);

/// Position of a point along one of the arguments, in units of their distance: all arguments change at once, each by another
/// amount.
#[must_use]
pub fn place(point: usize, argument: usize) -> f64 {
    let amount = 0.5 + 0.5 * ((argument + 1) as f64 * 0.618_033_988_749_894_9).fract();
    let direction = if argument.is_multiple_of(2) { amount } else { -amount };
    (point as f64 - 0.5 * (POINTS - 1) as f64) * direction
}

/// Standard deviation of the noise in values at equidistant points.
#[must_use]
pub fn deviation(values: &[f64; POINTS]) -> f64 {
    let mut differences = *values;
    for order in 1..=ORDER {
        for point in 0..POINTS - order {
            differences[point] = differences[point + 1] - differences[point];
        }
    }
    let count = POINTS - ORDER;
    let squares: f64 = differences[..count].iter().map(|difference| difference.powi(2)).sum();
    (squares / (count as f64 * VARIANCE)).sqrt()
}

/// The deviation relative to `size`; 0 if it is rounding, or too large for noise.
#[must_use]
pub fn relative(deviation: f64, size: f64) -> f64 {
    let share = deviation / size;
    if share > NOISE.0 && share < NOISE.1 { share } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(function: impl Fn(f64) -> f64, spacing: f64) -> f64 {
        let values = std::array::from_fn(|point| function(1.0 + spacing * place(point, 0)));
        relative(deviation(&values), function(1.0).abs())
    }

    fn least(function: impl Fn(f64) -> f64) -> f64 {
        SPACINGS.into_iter().map(|spacing| of(&function, spacing)).fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn arguments_move_by_other_amounts_in_other_directions() {
        let golden = 0.5 * (5.0_f64.sqrt() - 1.0);
        let amounts = [0.5 + 0.5 * golden, -(0.5 + 0.5 * (2.0 * golden - 1.0)), 0.5 + 0.5 * (3.0 * golden - 1.0)];
        for (argument, amount) in amounts.into_iter().enumerate() {
            for point in 0..POINTS {
                let expected = (point as f64 - 3.5) * amount;
                assert!((place(point, argument) - expected).abs() < 1e-12, "point {point} of argument {argument}");
            }
        }
    }

    /// The fourth differences of a single deviating value are the binomial coefficients, one for each point of the difference.
    #[test]
    fn the_deviation_is_that_of_the_fourth_differences() {
        let off = |at: usize| std::array::from_fn(|point| if point == at { 2.0 } else { 0.0 });
        let squares = [1.0, 17.0, 53.0, 69.0, 69.0, 53.0, 17.0, 1.0];
        for (at, squares) in squares.into_iter().enumerate() {
            let expected = 2.0 * f64::sqrt(squares / (4.0 * 70.0));
            assert!((deviation(&off(at)) / expected - 1.0).abs() < 1e-14, "point {at}");
        }
        assert_eq!((relative(1e-3, 1.0), relative(9e-4, 1.0), relative(1e-16, 1.0)), (0.0, 9e-4, 0.0));
    }

    #[test]
    fn smooth_functions_have_none() {
        for function in [f64::exp, |x: f64| 1.0 / x, |x: f64| (30.0 * x).sin(), |x: f64| x.powi(9) - 3.0 * x] {
            assert_eq!(least(function), 0.0);
        }
    }

    #[test]
    fn single_precision_and_digits_that_depend_on_the_argument_are_seen() {
        let single = least(|x| f64::from((3.0 * x) as f32));
        assert!((3e-9..2e-7).contains(&single), "{single:e}");
        let digits =
            |x: f64| x * (1.0 + 1e-6 * ((x.to_bits().wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as f64 / 2.0_f64.powi(23) - 1.0));
        let noise = least(digits);
        assert!((1e-7..3e-6).contains(&noise), "{noise:e}");
    }

    #[test]
    fn jumps_are_no_noise_and_kinks_small() {
        assert_eq!(least(|x| if x < 1.0 { 3.0 } else { 0.0 }), 0.0);
        assert!(least(|x| (x - 1.0).abs() + 1.0) < 1e-6);
    }
}
