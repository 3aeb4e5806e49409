//! The default experiment.

use super::super::DefaultExperiment;
use super::{Check, Place};

impl DefaultExperiment {
    /// Whether it ends before it starts; it starts at 0 unless it says otherwise.
    pub(in super::super) fn has_bad_interval(&self) -> bool {
        self.stop_time.is_some_and(|stop| stop <= self.start_time.unwrap_or(0.0))
    }

    /// Whether the step size is not positive or does not fit into the interval.
    pub(in super::super) fn has_bad_step_size(&self) -> bool {
        let interval = self.stop_time.map(|stop| stop - self.start_time.unwrap_or(0.0)).filter(|_| !self.has_bad_interval());
        self.step_size.is_some_and(|step| step <= 0.0 || interval.is_some_and(|interval| step >= interval))
    }
}

impl Check<'_> {
    /// Rules of the default experiment.
    pub(super) fn default_experiment(&mut self) {
        let Some(experiment) = self.description.default_experiment else { return };
        let mut report = |broken: bool, message: &str, remedy: &str| {
            if broken {
                self.warn(Place::DefaultExperiment, "default-experiment", message.to_owned(), remedy);
            }
        };
        report(
            experiment.has_bad_interval(),
            "the default experiment does not stop after its start",
            "correct stopTime; until then readers ignore both times",
        );
        report(
            experiment.has_bad_step_size(),
            "the default stepSize is not between 0 and the length of the experiment",
            "correct it; until then readers ignore it",
        );
        report(
            experiment.tolerance.is_some_and(|tolerance| tolerance <= 0.0),
            "the default tolerance is not positive",
            "correct it; until then readers ignore it",
        );
    }
}
