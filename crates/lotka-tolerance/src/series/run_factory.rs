//! One run on a mesh, and its results.

use lotka_prepare::trial::{ResolvedInputs, feedthrough::AbsentFeedthrough};
use lotka_run::{
    Ended, InstanceSet, InstanceSetFactory, Report, RunFindings, RunOptions, SharedSystem, Steps,
    record::{Notification, Observer},
    run_once,
};
use lotka_step::{
    Error,
    algorithm::{Calls, Regular, Trace},
    model::Model,
};

use super::{job::Job, recording::Recording};

/// The common data of all runs.
#[derive(Clone, Copy)]
pub(super) struct Basis<'a> {
    pub(super) system: &'a SharedSystem,
    pub(super) settled: &'a ResolvedInputs,
    pub(super) watched: Option<&'a AbsentFeedthrough>,
}

/// The data from which runs with separate instances are made, on any thread.
#[derive(Clone, Copy)]
pub(super) struct RunFactory<'a> {
    pub(super) set_factory: &'a InstanceSetFactory,
    pub(super) fmus: &'a [Model],
    pub(super) basis: Basis<'a>,
}

impl RunFactory<'_> {
    /// Makes a run with new instances, so that an incomplete reset cannot disturb it.
    pub(super) fn run(self, job: &Job<'_>) -> Result<Made, Box<Error>> {
        let mut instance_set = self.set_factory.instance_set_of(self.fmus)?;
        let mut made = single_run(&mut instance_set, self.basis, job);
        match instance_set.free() {
            Ok(warnings) => made.report.warnings.extend(warnings),
            Err(error) => made.error = made.error.or(Some(*error)),
        }
        Ok(made)
    }
}

/// Whether a run with FMUs in hosts failed for a reason that may not apply in this process: an FMU may refuse to run elsewhere.
/// One that ended its process is not tried here.
pub(super) fn may_differ_here(made: &Result<Made, Box<Error>>) -> bool {
    let error = match made {
        Ok(made) => made.error.as_ref(),
        Err(error) => Some(&**error),
    };
    error.is_some_and(|error| !error.ended_process())
}

/// A run and its results.
pub(super) struct Made {
    pub(super) report: Report,
    pub(super) error: Option<Error>,
    pub(super) rows: Recording,
    pub(super) log: Vec<lotka_instance::LogMessage>,
    pub(super) calls: Vec<Calls>,
    pub(super) trace: Trace,
    pub(super) pauses: Vec<Regular>,
    pub(super) findings: RunFindings,
}

/// Makes a run.
pub(super) fn single_run(instance_set: &mut InstanceSet, basis: Basis<'_>, job: &Job<'_>) -> Made {
    let Basis { system, settled, watched } = basis;
    let (mut rows, mut lines) = (Recording::new(system.resolved.events.is_some()), Lines::default());
    let set_up = job.set_up(system);
    let Ended { report, error, findings, .. } = job.with_mesh(system, |mesh| {
        let mut tracker = system.progress.begin(mesh.steps(), system.span().0);
        let watched = watched.map(|watched| (watched, job.subdivisions()));
        let (trial, event_share, in_parts) = (job.trial, job.event_share, &*job.in_parts);
        let options = RunOptions {
            settled: Some(settled),
            watched,
            trial,
            event_share,
            in_parts,
            ..RunOptions::new(&set_up, Steps::Mesh(mesh))
        };
        run_once(instance_set, system, options, &mut [&mut rows, &mut lines, &mut tracker])
    });
    let coupled = &mut instance_set.coupled;
    let trace = coupled.tracer.take().map_or_else(Trace::default, |tracer| tracer.finish(job.base().n_steps()));
    let pauses = coupled.pauses.take().map_or_else(Vec::new, |pauses| pauses.finish());
    Made { report, error, rows, log: lines.0, calls: coupled.calls().collect(), trace, pauses, findings }
}

/// Stores log lines for later.
#[derive(Default)]
struct Lines(Vec<lotka_instance::LogMessage>);

impl Observer for Lines {
    fn observe(&mut self, notification: &Notification<'_>) {
        if let Notification::Log(line) = notification {
            self.0.push((*line).clone());
        }
    }

    fn wants_steps(&self) -> bool {
        false
    }
}
