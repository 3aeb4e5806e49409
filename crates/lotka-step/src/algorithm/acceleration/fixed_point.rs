//! The plain fixed-point iteration.

use super::Acceleration;
use crate::checkpoint::Persistent;

/// No acceleration: `x <- G(x)`.
///
/// Converges linearly if the spectral radius of the derivative of `G` is below 1, otherwise not at all. A component of `G(x)`
/// that is not finite leaves its component of `x` unchanged.
pub(crate) struct FixedPoint;

impl Persistent for FixedPoint {}

impl Acceleration for FixedPoint {
    fn begin(&mut self) {}

    fn next(&mut self, x: &mut [f64], g: &[f64], _weights: &[f64]) {
        for (x, g) in x.iter_mut().zip(g).filter(|(_, g)| g.is_finite()) {
            *x = *g;
        }
    }

    fn converged(&mut self) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_what_came_out_unless_it_is_not_finite() {
        let mut x = [1.0, 2.0, 3.0];
        FixedPoint.next(&mut x, &[4.0, f64::NAN, f64::INFINITY], &[1.0; 3]);
        assert_eq!(x, [4.0, 2.0, 3.0]);
    }
}
