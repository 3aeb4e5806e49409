//! Runs of one method on one system with increasingly fine settings.

use lotka::{Memory, RunFailure, System};

use crate::{Case, Error, Exact, Line, Measurement, Method, Setting};

/// Below this, errors are rounding errors, so finer runs add nothing.
const ROUNDING: f64 = 1e-12;

/// A system with its exact solution.
pub(crate) struct Subject {
    pub(crate) case: Case,
    pub(crate) system: System,
    pub(crate) exact: Exact,
    /// Values below which errors are measured absolutely.
    pub(crate) scales: Vec<f64>,
}

impl Subject {
    /// Refines until a run exceeds the limit of calls (that run is dropped), or until the errors of fixed steps are rounding
    /// errors.
    pub(crate) fn climb(&self, method: Method, limit: u64) -> Result<Line, Error> {
        let mut measurements: Vec<Measurement> = Vec::new();
        for setting in method.settings(self.case) {
            let run = self.measure(method, setting)?;
            if run.calls > limit {
                break;
            }
            measurements.push(run);
            if matches!(setting, Setting::Step(_)) && run.error.is_some_and(|error| error < ROUNDING) {
                break;
            }
        }
        Ok(Line { method, measurements })
    }

    fn measure(&self, method: Method, setting: Setting) -> Result<Measurement, Error> {
        let mut results = Memory::new();
        let system = setting.apply(method.apply(self.system.clone())).output_interval(self.case.interval());
        let (report, error) = match system.build()?.run(&mut [&mut results]).or_else(RunFailure::accept_missed_tolerance) {
            Ok(report) => (report, Some(self.exact.largest_error(&results, &self.scales)?)),
            Err(failure) => (failure.report, None),
        };
        let estimate = report.global_error.map(|error| (error.largest, error.reached));
        Ok(Measurement { setting, calls: report.counters.n_do_step_calls, error, estimate })
    }
}
