//! The Adams–Bashforth method of four steps.

use super::multistep::AdamsBashforth;

/// Order 4: `x(t + h) = x + h (55 f_0 - 59 f_1 + 37 f_2 - 9 f_3) / 24`, where `f_j` is the derivative `j` steps ago.
pub(crate) const ADAMS_BASHFORTH_4: AdamsBashforth =
    AdamsBashforth { weights: &[55.0 / 24.0, -59.0 / 24.0, 37.0 / 24.0, -9.0 / 24.0] };
