//! Orders from errors.

use std::ops::RangeInclusive;

/// Errors that orders are found from: larger ones show more than the leading power, smaller ones rounding.
const ERRORS: RangeInclusive<f64> = 1e-10..=1e-3;

/// Four halvings.
const POINTS: usize = 5;

/// Most step sizes with errors inside the range for methods of order 1 and 2, which would need very many steps for the smallest errors.
const MOST_POINTS: usize = POINTS + 2;

/// Slope of the line through the points by least squares.
fn slope(points: &[(f64, f64)]) -> f64 {
    let count = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |sum, point| (sum.0 + point.0 / count, sum.1 + point.1 / count));
    let products = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum::<f64>();
    products / points.iter().map(|point| (point.0 - x).powi(2)).sum::<f64>()
}

/// Fits the order to the smallest errors of five step sizes, each half the one before, all inside [1e-10, 1e-3]. `largest` is the step size
/// to begin with, `expected` the order that is expected.
pub fn observed_order(expected: f64, largest: f64, error: impl Fn(f64) -> f64) -> Result<f64, String> {
    const SMALLEST: i32 = 24;
    let mut points = Vec::new();
    for h in (0..SMALLEST).map(|n| largest * 0.5_f64.powi(n)) {
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
    match points.len().checked_sub(POINTS) {
        Some(first) => Ok(slope(&points[first..])),
        None => Err(format!("only {} step sizes have errors inside {ERRORS:?}", points.len())),
    }
}
