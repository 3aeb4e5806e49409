//! Which method is best for small errors.

use crate::{Method, Results, Setting};

/// What error counts as small.
pub(crate) const SMALL: f64 = 1e-6;

/// A fixed-step method that is more accurate than a verified run with as many calls.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Exception {
    /// The fixed-step method.
    pub method: Method,
    /// The verified run.
    pub tolerance: f64,
    /// Its calls.
    pub calls: u64,
    /// Its error.
    pub error: f64,
    /// The error of the fixed steps at equal calls, from the runs on either side or the last two.
    pub fixed: f64,
}

impl Results {
    /// Where fixed steps of low order beat verified runs whose error is below 1e-6.
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
