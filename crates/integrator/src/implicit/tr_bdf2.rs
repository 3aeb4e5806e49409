//! The trapezoidal rule followed by a backward differentiation formula.

use std::f64::consts::{FRAC_1_SQRT_2, SQRT_2};

use super::sdirk::Coefficients;

/// Weight of the first two stages, `√2 / 4`.
const W: f64 = SQRT_2 / 4.0;
/// The diagonal, `γ / 2` of the paper, `1 - √2 / 2`.
const D: f64 = 1.0 - FRAC_1_SQRT_2;

/// Order 2, L-stable: the trapezoidal rule over the first `2 - √2` (58.6 %) of the step, then the backward differentiation
/// formula of order 2 over the whole. The embedded result has order 3, so the estimate is that of order 2.
///
/// Source: M. E. Hosea, L. F. Shampine, Analysis and Implementation of TR-BDF2, Applied Numerical Mathematics 20 (1996), doi
/// 10.1016/0168-9274(95)00115-8.
pub(crate) static TR_BDF2: Coefficients = Coefficients {
    a: &[&[], &[D], &[W, W]],
    gamma: D,
    c: &[0.0, 2.0 * D, 1.0],
    d: &[W - (1.0 - W) / 3.0, W - (1.0 + 3.0 * W) / 3.0, D - D / 3.0],
    order: 2,
};
