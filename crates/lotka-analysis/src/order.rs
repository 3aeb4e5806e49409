//! The order of a method, found from errors at many step sizes: the test that every method of Lotka passes, for methods of your
//! own.

use std::ops::RangeInclusive;

/// Range of the errors that determine an order: larger ones contain more than the leading power, smaller ones rounding.
const ERRORS: RangeInclusive<f64> = 1e-10..=1e-3;

/// Four halvings.
const POINTS: usize = 5;

/// Maximum number of step sizes for methods of order 1 and 2, which would need very many steps for the smallest errors.
const MOST_POINTS: usize = POINTS + 2;

/// Maximum number of halvings of the largest step.
const MOST_HALVINGS: i32 = 24;

/// Too few step sizes have errors from which an order can be found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("only {found} of {POINTS} needed step sizes have errors between {:e} and {:e}; choose another largest step", ERRORS.start(), ERRORS.end())]
pub struct TooFewErrors {
    /// Step sizes whose errors are in the range.
    pub found: usize,
}

/// The observed order of convergence: the slope of `log2(error)` over `log2(h)`.
///
/// `error` computes the error of a run with steps of size `h` \[s\], relative to the size of the solution. Step sizes are halved
/// from `largest` on \[s\]; the slope is that of the line through the five smallest errors inside [1e-10, 1e-3] by least squares.
/// `expected` is the order that the method should have: for order 1 and 2 fewer halvings do. An observed order within 0.2 of the
/// expected one is a pass for a smooth system.
///
/// # Errors
/// Fewer than five step sizes have errors inside the range.
///
/// ```
/// // Explicit Euler steps for dx/dt = -x from 1, until t = 1 s.
/// let error = |h: f64| ((1.0 - h).powf(1.0 / h) - (-1.0_f64).exp()).abs();
/// let order = lotka::observed_order(1.0, 0.125, error)?;
/// assert!((order - 1.0).abs() < 0.2, "{order}");
/// # Ok::<(), lotka::TooFewErrors>(())
/// ```
pub fn observed_order(expected: f64, largest: f64, mut error: impl FnMut(f64) -> f64) -> Result<f64, TooFewErrors> {
    let mut points = Vec::new();
    for h in (0..MOST_HALVINGS).map(|n| largest * 0.5_f64.powi(n)) {
        let error = error(h);
        if ERRORS.contains(&error) {
            points.push((h.log2(), error.log2()));
        } else if error < *ERRORS.start() {
            break;
        }
        if points.len() == MOST_POINTS && expected <= 2.0 {
            break;
        }
    }
    let first = points.len().checked_sub(POINTS).ok_or(TooFewErrors { found: points.len() })?;
    Ok(slope(&points[first..]))
}

/// Slope of the line through the points by least squares.
fn slope(points: &[(f64, f64)]) -> f64 {
    let count = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |sum, point| (sum.0 + point.0 / count, sum.1 + point.1 / count));
    let products = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum::<f64>();
    products / points.iter().map(|point| (point.0 - x).powi(2)).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_power_has_its_order_and_rounding_none() {
        for order in [1.0, 2.0, 4.0] {
            let observed = observed_order(order, 0.1, |h| 0.7 * h.powf(order) * (1.0 + 0.1 * h)).unwrap();
            assert!((observed - order).abs() < 0.01, "{observed}");
        }
        assert_eq!(observed_order(2.0, 0.1, |_| 1e-14), Err(TooFewErrors { found: 0 }));
        assert_eq!(observed_order(2.0, 1.0, |_| 1.0), Err(TooFewErrors { found: 0 }));
    }
}
