//! Instances that are coupled and ready to run.

use super::{
    CancelToken, Counters, End, Report, RunFailure,
    describe::describe,
    prepare::Prepared,
    scenario::{Casting, Ensemble, Scenario},
    single::{self, Course, Steps},
    verified,
};
use crate::{
    Error,
    analysis::{self, Coupling, Subject},
    graph::Graph,
    record::{Column, Event, Observer},
    system::{Warning, resolve::Stepping},
};

/// Instances that are coupled and ready to run.
pub struct Simulation {
    pub(super) scenario: Scenario,
    pub(super) casting: Casting,
    pub(super) ensemble: Ensemble,
    warnings: Vec<Warning>,
    /// What was found out before the first run.
    pub(super) prepared: Option<Prepared>,
}

impl Simulation {
    pub(super) fn new(scenario: Scenario, casting: Casting, ensemble: Ensemble, warnings: Vec<Warning>) -> Self {
        Self { scenario, casting, ensemble, warnings, prepared: None }
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
        self.prepare().map_err(|error| *error)?;
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
        let prepared = match self.prepare() {
            Ok(prepared) => prepared,
            Err(error) => return Err(Box::new(RunFailure { error: *error, report: self.not_begun(observers) })),
        };
        prepared.tell(observers);
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
        report.warnings.splice(0..0, self.warnings.iter().chain(&prepared.warnings).cloned());
        report.found_start = prepared.found;
        error.map_or(Ok(report.clone()), |error| Err(Box::new(RunFailure { error, report })))
    }

    /// Frees the instances. Returns the warnings that they log thereby.
    ///
    /// # Errors
    /// An instance in a process of its own brings that to an end. Results are complete all the same.
    pub fn close(self) -> Result<Vec<Warning>, Error> {
        self.ensemble.free().map_err(|error| *error)
    }

    /// The report of a run that ends before it begins.
    fn not_begun(&self, observers: &mut [&mut dyn Observer]) -> Report {
        let (time, statistics) = (self.scenario.span().0, Counters::default());
        for observer in observers {
            observer.observe(&Event::Ended { time, end: &End::Failed, counters: &statistics });
        }
        Report { time, warnings: self.warnings.clone(), ..Report::new(End::Failed) }
    }
}
