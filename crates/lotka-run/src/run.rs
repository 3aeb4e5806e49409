//! A simulation: coupled instances, ready to run.

use std::sync::Arc;

use lotka_instance::BehaviorRecord;
use lotka_message::Warning;
use lotka_plan::{column::Column, graph::Graph, link::Link, time::Points};
use lotka_step::{
    Error,
    algorithm::Coupled,
    checkpoint::{CheckpointRefusal, CheckpointToken},
    model::Model,
    resolved::{Stepping, Verified},
};

use super::{
    CancelToken, Checkpoint, Counters, End, ProgressToken, Report, RunFailure, Setup,
    build::build,
    checkpoint::Contents,
    description::describe,
    instance_set::{InstanceSet, InstanceSetFactory},
    prepared::Prepared,
    run_loop::CheckpointSettings,
    shared_system::SharedSystem,
    single::{self, Ended, RunOptions, Steps},
};
use crate::record::{Notification, Observer, emit};

/// The subject of an analysis.
pub struct Subject<'a> {
    /// The system.
    pub system: &'a SharedSystem,
    /// Its instances, not yet initialized.
    pub coupled: &'a mut Coupled,
    /// Their names.
    pub names: &'a [String],
    /// Their models.
    pub models: &'a [Model],
}

/// Makes the runs for a `tolerance`, which belong to a floor above. Returns the report, and the error that ended them.
pub type Series =
    fn(&InstanceSetFactory, &mut InstanceSet, &SharedSystem, &Verified, &mut [&mut dyn Observer]) -> (Report, Option<Error>);

/// Coupled instances, ready to run.
pub struct Simulation {
    pub(super) system: SharedSystem,
    pub(super) set_factory: InstanceSetFactory,
    pub(super) instance_set: InstanceSet,
    /// The token that requests checkpoints, and the origin of the simulation.
    pub(super) keeping: Option<(CheckpointToken, Vec<u8>)>,
    pub(super) warnings: Vec<Warning>,
    /// Results of the preparations before the first run.
    pub(super) prepared: Option<Prepared>,
    /// What test runs have measured of the models.
    pub(super) records: Vec<Option<Arc<BehaviorRecord>>>,
    pub(super) series: Series,
}

impl Simulation {
    /// Creates the instances.
    ///
    /// # Errors
    /// [`Error::Instantiation`] with all instances that cannot be created.
    pub fn new(setup: Setup) -> Result<Self, Error> {
        build(setup)
    }

    /// Returns a token that ends the run from another thread.
    #[must_use]
    pub fn cancel_token(&self) -> CancelToken {
        self.system.cancel.clone()
    }

    /// Makes this token the one that ends runs.
    pub fn obey(&mut self, cancel: CancelToken) {
        self.system.cancel = cancel;
    }

    /// Returns a token that shows the progress of the runs for a `tolerance` on another thread.
    #[must_use]
    pub fn progress_token(&self) -> ProgressToken {
        self.system.progress.clone()
    }

    /// The recorded variables, in the order of the rows.
    #[must_use]
    pub fn columns(&self) -> &[Column] {
        &self.set_factory.plan.columns
    }

    /// Loops and evaluation order.
    #[must_use]
    pub fn graph(&self) -> &Graph {
        &self.system.graph
    }

    /// The connected inputs.
    #[must_use]
    pub fn links(&self) -> &[Link] {
        &self.system.resolved.links
    }

    /// Times that differ by no more than this are equal \[s\].
    #[must_use]
    pub fn slack(&self) -> f64 {
        self.system.resolved.time_events.slack
    }

    /// Whether every complete run has a row at this time \[s\]; false if that depends on the steps of the run.
    #[must_use]
    pub fn has_row_at(&self, time: f64) -> bool {
        let experiment = &self.system.resolved.experiment;
        let (start, stop) = self.system.span();
        let is_multiple = |interval: f64| Points::new((start, stop), interval).include(time, self.slack());
        let interval = match (&experiment.stepping, experiment.output_interval) {
            (_, Some(interval)) => Some(interval),
            (Stepping::Fixed(step), None) if experiment.min_output_interval.is_none() => Some(*step),
            _ => None,
        };
        let is_end = [start, stop].iter().any(|end| (end - time).abs() <= self.slack());
        is_end || (start..stop).contains(&time) && interval.is_some_and(is_multiple)
    }

    /// Warnings of set-up.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Describes the algorithm in a sentence, and in a second one the reasons for choices that the user left open.
    #[must_use]
    pub fn describe_algorithm(&self) -> String {
        describe(&self.system, &self.set_factory)
    }

    /// Describes how many runs for a `tolerance` are made at a time, and why; `None` if there is a single run.
    #[must_use]
    pub fn describe_runs(&self) -> Option<String> {
        let is_verified = matches!(self.system.resolved.experiment.stepping, Stepping::Verified(_));
        is_verified.then(|| self.set_factory.concurrent.describe())
    }

    /// Analyzes the coupling of the instances at their start. Later runs are unaffected.
    ///
    /// # Errors
    /// Start values that must be solved for are not found.
    pub fn analyze<T>(&mut self, analysis: impl FnOnce(Subject<'_>) -> T) -> Result<T, Error> {
        self.prepare().map_err(|error| *error)?;
        let InstanceSetFactory { names, fmus, .. } = &self.set_factory;
        let result = analysis(Subject { system: &self.system, coupled: &mut self.instance_set.coupled, names, models: fmus });
        self.instance_set.log.take();
        Ok(result)
    }

    /// Initializes the instances and steps them until the stop time, the end requested by an instance, or cancellation.
    ///
    /// With `tolerance` the run is repeated on finer meshes and the rows come at the end. A simulation can run again: the
    /// instances are replaced, or reset where that is known to be the same. If a run fails, the rows computed so far have been
    /// sent to the observers.
    ///
    /// `Ok` does not mean that the run reached its stop time: an instance, an observer or a [`CancelToken`] can end it early. See
    /// [`Report::end`] and [`End::is_complete`](super::End::is_complete).
    ///
    /// # Errors
    /// [`RunFailure`] with the error and the report up to the failure. A `tolerance` that was not reached is one: the observers
    /// have received the best results, and [`RunFailure::accept_missed_tolerance`] returns the report.
    pub fn run(&mut self, observers: &mut [&mut dyn Observer]) -> Result<Report, Box<RunFailure>> {
        let prepared = match self.prepare() {
            Ok(prepared) => prepared,
            Err(error) => return Err(Box::new(RunFailure { error: *error, report: self.not_begun(observers) })),
        };
        prepared.report_to(observers);
        self.make(prepared, None, observers)
    }

    /// Continues from a checkpoint, with bitwise the rows of an uninterrupted run. Observers receive [`Notification::Resumed`]
    /// and then everything after the checkpoint; the report covers the whole run. Instances are initialized as for a run from the
    /// start, and then their states are restored.
    ///
    /// # Errors
    /// [`RunFailure`]: with [`CheckpointRefusal`] if the checkpoint does not fit the system, or as for [`Simulation::run`]. The
    /// caller must compare its [`origin`](Checkpoint::origin) to determine whether it is a checkpoint of this system.
    pub fn resume(&mut self, checkpoint: &Checkpoint, observers: &mut [&mut dyn Observer]) -> Result<Report, Box<RunFailure>> {
        if let Err(error) = self.accept(checkpoint) {
            return Err(Box::new(self.not_resumed(error, observers)));
        }
        self.make(checkpoint.contents.prepared.clone(), Some(&checkpoint.contents), observers)
    }

    fn make(
        &mut self,
        prepared: Prepared,
        from: Option<&Contents>,
        observers: &mut [&mut dyn Observer],
    ) -> Result<Report, Box<RunFailure>> {
        let keeping = self.keeping.as_ref().map(|(token, origin)| CheckpointSettings { token, origin, prepared: &prepared });
        let options = |steps| RunOptions { keeping, from, ..RunOptions::new(&self.system.set_up, steps) };
        let options = match &self.system.resolved.experiment.stepping {
            Stepping::Fixed(h) => options(Steps::Fixed(*h)),
            Stepping::Controlled(steps) => options(Steps::Controlled(steps)),
            Stepping::Verified(verified) => {
                let ended = (self.series)(&self.set_factory, &mut self.instance_set, &self.system, verified, observers);
                return self.complete(ended, &prepared);
            }
        };
        let ended = single::run_once(&mut self.instance_set, &self.system, options, observers);
        self.complete_single(ended, &prepared)
    }

    /// The result of a single run.
    pub(super) fn complete_single(
        &self,
        Ended { mut report, error, .. }: Ended,
        prepared: &Prepared,
    ) -> Result<Report, Box<RunFailure>> {
        let calls: Vec<_> = self.instance_set.coupled.calls().collect();
        report.instances = self.set_factory.reports(&calls);
        self.complete((report, error), prepared)
    }

    /// The result of a run, completed by the preparations before it.
    fn complete(&self, (mut report, error): (Report, Option<Error>), prepared: &Prepared) -> Result<Report, Box<RunFailure>> {
        report.warnings.splice(0..0, self.warnings.iter().chain(&prepared.warnings).cloned());
        report.found_start.clone_from(&prepared.found);
        match error.or_else(|| report.missed_tolerance()) {
            None => Ok(report),
            Some(error) => Err(Box::new(RunFailure { error, report })),
        }
    }

    /// Frees the instances. Returns the warnings that they log while they are freed.
    ///
    /// # Errors
    /// An instance in a process of its own ends that process. The results are complete nevertheless.
    pub fn close(self) -> Result<Vec<Warning>, Error> {
        self.instance_set.free().map_err(|error| *error)
    }

    /// Returns a token that requests checkpoints of later runs. They arrive as [`Notification::Checkpoint`] with this origin, by
    /// which the caller can identify the system. Such runs have bitwise the same rows as others. A canceled run writes a last
    /// checkpoint without a request.
    ///
    /// # Errors
    /// The run has a `tolerance`, or a model does not serialize the state of its instances (all of them are named).
    pub fn keep_checkpoints(&mut self, origin: Vec<u8>) -> Result<CheckpointToken, CheckpointRefusal> {
        if let Some((token, known)) = &mut self.keeping {
            *known = origin;
            return Ok(token.clone());
        }
        self.check_checkpoints()?;
        let token = CheckpointToken::default();
        self.keeping = Some((token.clone(), origin));
        Ok(token)
    }

    /// Whether there is a token that requests checkpoints.
    #[must_use]
    pub fn keeps_checkpoints(&self) -> bool {
        self.keeping.is_some()
    }

    /// Reports the end of a run that cannot continue from a checkpoint to the observers.
    pub fn not_resumed(&self, error: CheckpointRefusal, observers: &mut [&mut dyn Observer]) -> RunFailure {
        RunFailure { error: error.into(), report: self.not_begun(observers) }
    }

    /// The report of a run that ends before it begins.
    pub(super) fn not_begun(&self, observers: &mut [&mut dyn Observer]) -> Report {
        let (time, statistics) = (self.system.span().0, Counters::default());
        emit(observers, &Notification::Ended { time, end: &End::Failed, counters: &statistics });
        Report { time, warnings: self.warnings.clone(), ..Report::new(End::Failed) }
    }
}
