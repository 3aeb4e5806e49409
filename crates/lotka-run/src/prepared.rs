//! The results of the preparations before the first run.

use lotka_message::Warning;

/// A start value found by a solver.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub struct FoundStart {
    /// `instance.variable`.
    pub variable: String,
    /// The value.
    pub value: f64,
}

/// The results of the preparations.
#[derive(Debug, Clone, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct Prepared {
    pub(super) found: Vec<FoundStart>,
    pub(super) iterations: u32,
    pub(super) warnings: Vec<Warning>,
    /// Relative tolerance of the iteration, if there is one.
    pub(super) iteration_tolerance: Option<f64>,
}
