//! The Adams–Bashforth method of two steps.

use super::multistep::AdamsBashforth;

/// Order 2: `x(t + h) = x + h (3 f_0 - f_1) / 2`, where `f_j` is the derivative `j` steps ago.
pub(crate) const ADAMS_BASHFORTH_2: AdamsBashforth = AdamsBashforth { weights: &[1.5, -0.5] };
