//! Heun's method of order 2.

use super::runge_kutta::Tableau;

/// Order 2, with the derivative at two thirds of the step: `x(t + h) = x + k1 / 4 + 3 k2 / 4` with `k1 = h f(t, x)`,
/// `k2 = h f(t + 2 h / 3, x + 2 k1 / 3)`. Among the methods of two stages it has the smallest bound of the local error.
///
/// Source: A. Ralston, Runge–Kutta Methods with Minimum Error Bounds, Mathematics of Computation 16 (1962), doi
/// 10.1090/S0025-5718-1962-0150954-0; named after K. Heun in many texts on simulation.
pub(crate) const HEUN: Tableau = Tableau { a: &[&[], &[2.0 / 3.0]], b: &[0.25, 0.75], c: &[0.0, 2.0 / 3.0] };
