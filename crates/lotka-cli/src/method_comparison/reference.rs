//! A verified run, with which the other runs are compared.

use lotka::{GlobalError, Memory, Report};

/// Results of known error.
pub(super) struct Reference {
    results: Memory,
    pub(super) error: GlobalError,
    /// Number of doStep calls of the run.
    pub(super) calls: u64,
}

impl Reference {
    /// Returns `None` if the run has no estimate of its error.
    pub(super) fn new(results: Memory, report: &Report) -> Option<Self> {
        let error = report.global_error.clone()?;
        Some(Self { results, error, calls: report.counters.n_do_step_calls })
    }

    /// Returns the largest deviation from the reference over all rows and Real variables, relative to `max(|y|, s)` as for
    /// `tolerance`. Returns `None` if the rows are not at the times of the reference.
    pub(super) fn largest_deviation(&self, results: &Memory) -> Option<f64> {
        let (times, others) = (self.results.time(), results.time());
        let is_same = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-9 * a.abs().max(1.0);
        if times.len() != others.len() || !times.iter().zip(others).all(is_same) {
            return None;
        }
        let mut largest = 0.0_f64;
        for output in &self.error.outputs {
            let exact = self.results.real(&output.name)?;
            for (y, exact) in results.real(&output.name)?.iter().zip(exact) {
                let deviation = (y - exact).abs();
                let scale = exact.abs().max(output.scale);
                largest = largest.max(if deviation == 0.0 { 0.0 } else { deviation / scale });
            }
        }
        Some(largest)
    }
}
