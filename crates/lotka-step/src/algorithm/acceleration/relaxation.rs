//! Relaxation with a constant factor.

use super::Acceleration;
use crate::checkpoint::Persistent;

/// Constant relaxation: `x <- x + omega (G(x) - x)`.
///
/// With an eigenvalue `lambda` of the derivative of `G`, the error along it shrinks by `1 - omega (1 - lambda)` per iteration. A
/// factor below 1 damps oscillating loops (`lambda <= -1`), and a factor above 1 speeds up slow monotone ones. No factor helps if
/// real parts of eigenvalues lie on both sides of 1. A component of `G(x)` that is not finite leaves its component of `x`
/// unchanged.
///
/// Reference: Saad, *Iterative Methods for Sparse Linear Systems*, 2003, section 4.2, doi 10.1137/1.9780898718003.
pub(crate) struct Relaxation {
    factor: f64,
}

impl Relaxation {
    /// Creates a relaxation with the factor `omega`, dimensionless, usually in (0, 2).
    pub(crate) fn new(factor: f64) -> Self {
        Self { factor }
    }
}

impl Persistent for Relaxation {}

impl Acceleration for Relaxation {
    fn begin(&mut self) {}

    fn next(&mut self, x: &mut [f64], g: &[f64], _weights: &[f64]) {
        for (x, g) in x.iter_mut().zip(g).filter(|(_, g)| g.is_finite()) {
            *x += self.factor * (g - *x);
        }
    }

    fn converged(&mut self) {}
}

#[cfg(test)]
mod tests {
    use super::{
        super::tests::{Linear, iterations},
        *,
    };

    #[test]
    fn tames_a_loop_that_oscillates() {
        let problem = Linear::diagonal(&[-3.0, -1.0, 0.5]);
        assert_eq!(iterations(&mut Relaxation::new(1.0), &problem, 1e-10, 200), None);
        assert!(iterations(&mut Relaxation::new(0.4), &problem, 1e-10, 200).is_some());
    }

    #[test]
    fn keeps_components_that_are_not_finite() {
        let mut x = [1.0, 2.0];
        Relaxation::new(0.5).next(&mut x, &[3.0, f64::NAN], &[1.0; 2]);
        assert_eq!(x, [2.0, 2.0]);
    }
}
