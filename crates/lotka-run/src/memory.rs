//! Memory required by the rows of a run, estimated before the run.

use lotka_step::resolved::Stepping;

use super::Simulation;

/// Minimum number of arrays as large as the rows, with a `tolerance`: three runs, the rows of the finest, and four for an
/// extrapolation with estimates.
const ARRAYS_OF_TOLERANCE: f64 = 8.0;

/// Size of a number \[byte\].
const NUMBER: f64 = 8.0;

impl Simulation {
    /// Minimum memory for the rows of a run \[byte\]. A run with `tolerance` keeps the rows of several runs. Others keep none,
    /// unless an observer such as `Memory` does (`are_kept`). Under local error control without an output interval, the number of
    /// rows is not known beforehand and counts as zero.
    #[must_use]
    pub fn memory_of_rows(&self, are_kept: bool) -> f64 {
        let experiment = &self.system.resolved.experiment;
        let rows = |interval: f64| (experiment.stop - experiment.start) / interval + 1.0;
        let (interval, arrays) = match &experiment.stepping {
            Stepping::Verified(verified) => (Some(verified.output_interval), ARRAYS_OF_TOLERANCE),
            Stepping::Fixed(step) => (Some(experiment.output_interval.unwrap_or(*step)), 0.0),
            Stepping::Controlled(_) => (experiment.output_interval, 0.0),
        };
        let arrays = arrays + if are_kept { 1.0 } else { 0.0 };
        // Time is a column, too.
        let columns = self.columns().len() as f64 + 1.0;
        interval.map_or(0.0, |interval| NUMBER * arrays * columns * rows(interval))
    }
}
