//! Instances that are coupled and ready to run.

use super::{
    CancelToken, Report, RunFailure,
    describe::describe,
    scenario::{Casting, Ensemble, Scenario},
    single::{self, Course, Steps},
    verified,
};
use crate::{
    Error,
    analysis::{self, Coupling, Subject},
    graph::Graph,
    record::{Column, Observer},
    system::{Warning, resolve::Stepping},
};

/// Instances that are coupled and ready to run.
pub struct Simulation {
    scenario: Scenario,
    casting: Casting,
    ensemble: Ensemble,
    warnings: Vec<Warning>,
}

impl Simulation {
    pub(super) fn new(scenario: Scenario, casting: Casting, ensemble: Ensemble, warnings: Vec<Warning>) -> Self {
        Self { scenario, casting, ensemble, warnings }
    }

    /// A token that ends the run from another thread.
    pub fn cancel_token(&self) -> CancelToken {
        self.scenario.cancel.clone()
    }

    /// The recorded variables, in the order of the rows.
    pub fn columns(&self) -> &[Column] {
        &self.casting.plan.columns
    }

    /// Loops and evaluation order.
    pub fn graph(&self) -> &Graph {
        &self.scenario.graph
    }

    /// Warnings of set-up.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// The chosen algorithm in a sentence, and in a second one why, where it was not given.
    pub fn describe_algorithm(&self) -> String {
        describe(&self.scenario, &self.casting)
    }

    /// Analyzes what the exchange of values at communication points adds to the system at its start: sensitivities, convergence of
    /// iterations, and the steps up to which coupling without iteration adds no growth. `step` \[s\] is the one in use; without it, the one
    /// that the experiment is likely to use. The FMUs are not told the stop time, because large steps are tried. Nothing of it shows in
    /// later runs.
    ///
    /// # Errors
    /// An FMU cannot be rolled back or takes steps of one size only; the step is not positive or longer than the experiment; the instances
    /// cannot be initialized or cannot make a single step of this size.
    pub fn analyze_coupling(&mut self, step: Option<f64>) -> Result<Coupling, Error> {
        let Casting { names, fmus, .. } = &self.casting;
        let subject = Subject { scenario: &self.scenario, coupled: &mut self.ensemble.coupled, names, fmus };
        let result = analysis::analyze(subject, step).map_err(|error| *error);
        self.ensemble.log.take();
        result
    }

    /// Initializes the instances and steps them until the stop time, the end that an instance asks for, or cancellation.
    ///
    /// With `tolerance` the run is repeated on finer meshes and the rows come at the end. A simulation can run again: the instances are
    /// reset first. On failure the rows so far went to the observers.
    ///
    /// # Errors
    /// [`RunFailure`] with the error and the report of the run up to there.
    pub fn run(&mut self, observers: &mut [&mut dyn Observer]) -> Result<Report, Box<RunFailure>> {
        let mut single = |steps: Steps<'_>| {
            let course = Course { set_up: &self.scenario.set_up, steps, settled: None };
            let (mut report, error) = single::run(&mut self.ensemble, &self.scenario, course, Vec::new(), observers);
            let calls: Vec<_> = self.ensemble.coupled.calls().collect();
            report.instances = self.casting.reports(&calls);
            (report, error)
        };
        let (mut report, error) = match &self.scenario.resolved.experiment.stepping {
            Stepping::Fixed(h) => single(Steps::Fixed(*h)),
            Stepping::Controlled(steps) => single(Steps::Controlled(steps)),
            Stepping::Verified(verified) => verified::run(&self.casting, &mut self.ensemble, &self.scenario, verified, observers),
        };
        report.warnings.splice(0..0, self.warnings.iter().cloned());
        error.map_or(Ok(report.clone()), |error| Err(Box::new(RunFailure { error, report })))
    }
}
