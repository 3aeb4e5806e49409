//! What the rows of a run need of memory, estimated before the run.

use super::Simulation;
use crate::resolved::Stepping;

/// Arrays as large as the rows that a `tolerance` needs at least: three runs, the rows of the finest, and four of an extrapolation with its estimates.
const ARRAYS_OF_TOLERANCE: f64 = 8.0;

/// Size of a number \[byte\].
const NUMBER: f64 = 8.0;

impl Simulation {
    /// Memory that the rows of a run need at least \[byte\]. A run with `tolerance` keeps the rows of several runs; others keep none, unless an
    /// observer does (`are_kept`), as `Memory` does. How many rows control of the local error makes without an output interval is not known
    /// before; it counts as none.
    #[must_use]
    pub fn memory_of_rows(&self, are_kept: bool) -> f64 {
        let experiment = &self.scenario.resolved.experiment;
        let rows = |interval: f64| (experiment.stop - experiment.start) / interval + 1.0;
        let (interval, arrays) = match &experiment.stepping {
            Stepping::Verified(verified) => (Some(verified.output_interval), ARRAYS_OF_TOLERANCE),
            Stepping::Fixed(step) => (Some(experiment.output_interval.unwrap_or(*step)), 0.0),
            Stepping::Controlled(_) => (experiment.output_interval, 0.0),
        };
        let arrays = arrays + if are_kept { 1.0 } else { 0.0 };
        // The time is a column, too.
        let columns = self.columns().len() as f64 + 1.0;
        interval.map_or(0.0, |interval| NUMBER * arrays * columns * rows(interval))
    }
}
