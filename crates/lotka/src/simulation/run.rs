//! Instances that are coupled and ready to run.

use super::{
    CancelToken, Counters, End, ProgressToken, Report, RunFailure,
    checkpoints::Keeping,
    describe::describe,
    prepare::Prepared,
    scenario::{Casting, Ensemble, Scenario},
    single::{self, Course, Steps},
    verified,
};
use crate::{
    Error,
    analysis::{self, Coupling, Subject},
    checkpoint::{Checkpoint, CheckpointToken, Contents, Origin},
    graph::Graph,
    record::{Column, Event, Observer},
    system::{SystemDescription, Warning, resolve::Stepping},
};

/// Instances that are coupled and ready to run.
pub struct Simulation {
    pub(super) scenario: Scenario,
    pub(super) casting: Casting,
    pub(super) ensemble: Ensemble,
    /// What it was built from.
    pub(super) description: SystemDescription,
    pub(super) keeping: Option<(CheckpointToken, Origin)>,
    warnings: Vec<Warning>,
    /// What was found out before the first run.
    pub(super) prepared: Option<Prepared>,
}

impl Simulation {
    pub(super) fn new(
        scenario: Scenario,
        casting: Casting,
        ensemble: Ensemble,
        description: SystemDescription,
        warnings: Vec<Warning>,
    ) -> Self {
        Self { scenario, casting, ensemble, description, keeping: None, warnings, prepared: None }
    }

    /// A token that ends the run from another thread.
    #[must_use]
    pub fn cancel_token(&self) -> CancelToken {
        self.scenario.cancel.clone()
    }

    /// A token that knows how far the runs of a `tolerance` are, for another thread.
    #[must_use]
    pub fn progress_token(&self) -> ProgressToken {
        self.scenario.progress.clone()
    }

    /// The recorded variables, in the order of the rows.
    #[must_use]
    pub fn columns(&self) -> &[Column] {
        &self.casting.plan.columns
    }

    /// Loops and evaluation order.
    #[must_use]
    pub fn graph(&self) -> &Graph {
        &self.scenario.graph
    }

    /// Warnings of set-up.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// The chosen algorithm in a sentence, and in a second one why, where it was not given.
    #[must_use]
    pub fn describe_algorithm(&self) -> String {
        describe(&self.scenario, &self.casting)
    }

    /// Whether the runs of a `tolerance` are made two at a time, and why; `None` where there is a single run.
    #[must_use]
    pub fn describe_runs(&self) -> Option<String> {
        let is_verified = matches!(self.scenario.resolved.experiment.stepping, Stepping::Verified(_));
        is_verified.then(|| self.casting.understudies.describe())
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
        self.make(prepared, None, observers)
    }

    /// Goes on from a checkpoint, with bitwise the rows that the run would have had that made it. Observers get [`Event::Resumed`] and
    /// then what comes after the checkpoint; the report is that of the whole run. Instances are initialized as for a run from the start and
    /// then given their states.
    ///
    /// # Errors
    /// [`RunFailure`]: with [`CheckpointError`](crate::CheckpointError) if the checkpoint is that of another system or of one whose files
    /// have changed, or as for [`Simulation::run`].
    pub fn resume(&mut self, checkpoint: &Checkpoint, observers: &mut [&mut dyn Observer]) -> Result<Report, Box<RunFailure>> {
        if let Err(error) = self.accept(checkpoint) {
            return Err(Box::new(RunFailure { error, report: self.not_begun(observers) }));
        }
        self.make(checkpoint.contents.prepared.clone(), Some(&checkpoint.contents), observers)
    }

    fn make(
        &mut self,
        prepared: Prepared,
        from: Option<&Contents>,
        observers: &mut [&mut dyn Observer],
    ) -> Result<Report, Box<RunFailure>> {
        let keeping = self.keeping.as_ref().map(|(token, origin)| Keeping { token, origin, prepared: &prepared });
        let mut single = |steps: Steps<'_>| {
            let course = Course { keeping, from, ..Course::new(&self.scenario.set_up, steps) };
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

    /// A token with which checkpoints of later runs are asked for; they come as [`Event::Checkpoint`]. Such runs have bitwise the same rows
    /// as others. One that is canceled makes a last checkpoint of its own accord.
    ///
    /// # Errors
    /// [`Error::Checkpoint`]: the run has a `tolerance`, an FMU does not serialize its state (all of them are named), or an FMU cannot be
    /// read again.
    pub fn checkpoint_token(&mut self) -> Result<CheckpointToken, Error> {
        if let Some((token, _)) = &self.keeping {
            return Ok(token.clone());
        }
        self.check_checkpoints()?;
        let origin = self.origin()?;
        let token = CheckpointToken::default();
        self.keeping = Some((token.clone(), origin));
        Ok(token)
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
