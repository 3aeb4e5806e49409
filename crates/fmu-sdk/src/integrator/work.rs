//! What integration costs.

use serde::{Deserialize, Serialize};

/// Counts of the work done since the start of the simulation. They are part of the state: steps that the importer takes back are not in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Work {
    /// Evaluations of the right-hand side, those for difference quotients included.
    pub n_evaluations: i32,
    /// Internal steps that were taken.
    pub n_internal_steps: i32,
    /// Internal steps that were tried and refused, by the error estimate or because an implicit equation was not solved.
    pub n_rejected: i32,
    /// Evaluations of the Jacobian matrix df/dx by difference quotients.
    pub n_jacobians: i32,
    /// Factorizations of a matrix.
    pub n_factorizations: i32,
}
