//! Counts of the work.

use serde::{Deserialize, Serialize};

/// Counts of the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Work {
    /// Evaluations of the right-hand side, including those for difference quotients and those that were refused.
    pub n_evaluations: i32,
    /// Accepted internal steps.
    pub n_internal_steps: i32,
    /// Rejected internal steps: the error was too large, Newton's iteration did not converge, or the right-hand side refused an
    /// evaluation.
    pub n_rejected: i32,
    /// Evaluations of the Jacobian matrix df/dx by difference quotients.
    pub n_jacobians: i32,
    /// Factorizations of a matrix, real or complex.
    pub n_factorizations: i32,
}

/// Increments a counter, up to the largest number that it can hold.
pub(crate) fn count(counter: &mut i32) {
    *counter = counter.saturating_add(1);
}
