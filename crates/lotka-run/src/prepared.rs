//! The results of the preparations before the first run.

use lotka_message::Warning;

use crate::record::{Notification, Observer, emit};

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

impl Prepared {
    /// Reports the results to the observers.
    pub(super) fn report_to(&self, observers: &mut [&mut dyn Observer]) {
        if !self.found.is_empty() {
            emit(observers, &Notification::StartFound { values: &self.found, iterations: self.iterations });
        }
        self.warnings.iter().for_each(|warning| emit(observers, &Notification::Warning(warning)));
    }
}
