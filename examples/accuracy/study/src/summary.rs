//! The best method for small errors.

use crate::{Method, Results, Setting};

/// Error below which a result counts as accurate.
pub(crate) const SMALL: f64 = 1e-6;

/// A fixed-step method that is more accurate than a verified run with the same number of calls.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Exception {
    /// The fixed-step method.
    pub method: Method,
    /// Tolerance of the verified run.
    pub tolerance: f64,
    /// Calls of the verified run.
    pub calls: u64,
    /// Error of the verified run.
    pub error: f64,
    /// Error of the fixed-step method at the same number of calls, inter- or extrapolated from its runs.
    pub fixed: f64,
}

impl Results {
    /// Returns the cases in which fixed steps of low order beat verified runs with errors below 1e-6.
    pub fn exceptions(&self) -> Vec<Exception> {
        let verified = self.line(Method::Verified).map(|line| line.measurements.as_slice()).unwrap_or_default();
        let mut exceptions = Vec::new();
        for run in verified {
            let (Setting::Tolerance(tolerance), Some(error)) = (run.setting, run.error) else { continue };
            for line in self.lines.iter().filter(|line| line.method.is_fixed_low_order()) {
                match line.error_at(run.calls as f64) {
                    Some(fixed) if error < SMALL && fixed <= error => {
                        exceptions.push(Exception { method: line.method, tolerance, calls: run.calls, error, fixed });
                    }
                    _ => {}
                }
            }
        }
        exceptions
    }
}
