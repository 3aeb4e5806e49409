//! The Adams–Bashforth method of three steps.

use super::multistep::AdamsBashforth;

/// Order 3: `x(t + h) = x + h (23 f_0 - 16 f_1 + 5 f_2) / 12`, where `f_j` is the derivative `j` steps ago.
pub(crate) const ADAMS_BASHFORTH_3: AdamsBashforth = AdamsBashforth { weights: &[23.0 / 12.0, -16.0 / 12.0, 5.0 / 12.0] };
