//! The default experiment.

use super::{Check, Place};

impl Check<'_> {
    /// Checks the rules of the default experiment.
    pub(super) fn default_experiment(&mut self) {
        let Some(experiment) = self.description.default_experiment else { return };
        let mut report = |broken: bool, message: &str, remedy: &str| {
            if broken {
                self.warn(Place::DefaultExperiment, "default-experiment", message.to_owned(), remedy);
            }
        };
        report(
            experiment.has_bad_interval(),
            "stopTime of the default experiment is not after startTime",
            "correct stopTime; until then, importers ignore both times",
        );
        report(
            experiment.has_bad_step_size(),
            "the default stepSize is not between 0 and the length of the experiment",
            "correct it; until then, importers ignore it",
        );
        report(
            experiment.tolerance.is_some_and(|tolerance| tolerance <= 0.0),
            "the default tolerance is not positive",
            "correct it; until then, importers ignore it",
        );
    }
}
