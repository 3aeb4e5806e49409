//! The default experiment.

use lotka_instance::description::DefaultExperiment;

use crate::finding::Findings;
use crate::place::Place;

impl Findings {
    /// Checks the rules of the default experiment.
    pub fn default_experiment(&mut self, experiment: &DefaultExperiment) {
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

/// Removes the values of a default experiment that its rules report.
pub fn repair_experiment(experiment: &mut DefaultExperiment) {
    if experiment.has_bad_interval() {
        (experiment.start_time, experiment.stop_time) = (None, None);
    }
    if experiment.has_bad_step_size() {
        experiment.step_size = None;
    }
    experiment.tolerance = experiment.tolerance.filter(|tolerance| *tolerance > 0.0);
}
