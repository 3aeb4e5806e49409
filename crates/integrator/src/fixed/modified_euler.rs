//! The modified Euler method.

use super::runge_kutta::Tableau;

/// Order 2, the trapezoidal rule with a predicted end point: `x(t + h) = x + (k1 + k2) / 2` with `k1 = h f(t, x)`,
/// `k2 = h f(t + h, x + k1)`.
///
/// Source: J. C. Butcher, Numerical Methods for Ordinary Differential Equations, 2016, section 23, doi 10.1002/9781119121534.
pub(crate) const MODIFIED_EULER: Tableau = Tableau { a: &[&[], &[1.0]], b: &[0.5, 0.5], c: &[0.0, 1.0] };
