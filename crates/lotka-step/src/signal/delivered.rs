//! The values of a signal that an instance receives over a step.

use super::CONDITIONS;

/// The values of a signal delivered to an instance over a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DeliveredInput {
    /// Coefficients of a polynomial in the time since the beginning of the step \[s\].
    pub(crate) coefficients: [f64; CONDITIONS],
    /// Whether this is the mean of a signal that changes during the step.
    pub(crate) is_mean: bool,
}

impl DeliveredInput {
    /// Delivers a value that is held.
    pub(crate) fn held(value: f64) -> Self {
        Self { coefficients: [value, 0.0, 0.0, 0.0], is_mean: false }
    }
}
