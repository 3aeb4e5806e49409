//! What integration costs.

use serde::{Deserialize, Serialize};

/// Counts of the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Work {
    /// Evaluations of the right-hand side, including those for difference quotients and those that were refused.
    pub n_evaluations: i32,
    /// Internal steps that were taken.
    pub n_internal_steps: i32,
    /// Internal steps that were tried and rejected: by the error estimate, because an implicit equation was not solved, or because the
    /// right-hand side refused an evaluation.
    pub n_rejected: i32,
    /// Evaluations of the Jacobian matrix df/dx by difference quotients.
    pub n_jacobians: i32,
    /// Factorizations of a matrix, real or complex.
    pub n_factorizations: i32,
}

/// Counts one more.
pub(crate) fn count(counter: &mut i32) {
    *counter = counter.saturating_add(1);
}
