//! The runs of a verified simulation: their cost, and what is known from them.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use lotka_message::{Code, Warning};
use lotka_plan::time::passed;
use lotka_prepare::{
    mesh::{Base, Between},
    trial::{
        self, ResolvedInputs,
        feedthrough::AbsentFeedthrough,
        grids::Ripple,
        noise,
        switches::{Switch, Tried},
    },
};
use lotka_run::{
    Counters, End, InstanceSet, InstanceSetFactory, Report, RunFindings, RunTrial, SharedSystem,
    record::{Notification, Observer, emit},
};
use lotka_step::{
    Error,
    algorithm::{Calls, Grid, Regular, Trace},
    error_control::Tolerances,
    resolved::Verified,
};

use super::{
    job::Job,
    recording::Recording,
    run_factory::{Basis, Made, RunFactory, single_run},
    speculative_runs::{Others, RunFactories, SpeculativeRuns},
};
use crate::global::{ErrorExpansion, Expected, Inner, Run};

/// A run that reached the stop time.
pub(super) struct Finished {
    pub(super) run: Run,
    pub(super) rows: Recording,
    /// Instances that paused at equal intervals.
    pub(super) pauses: Vec<Regular>,
}

/// The outcome of a run; `None` if it was canceled.
pub(super) type RunOutcome = Result<Option<Finished>, Box<Error>>;

pub(super) struct Runs<'a> {
    pub(super) set_factory: &'a InstanceSetFactory,
    /// Instances that are reset for each run, if there may be no others.
    pub(super) instance_set: &'a mut InstanceSet,
    pub(super) system: &'a SharedSystem,
    pub(super) verified: &'a Verified,
    pub(super) settled: ResolvedInputs,
    /// Trials on which the method relies, if it does.
    pub(super) watched: Option<&'a AbsentFeedthrough>,
    /// The contradiction to these trials.
    refuted: Option<String>,
    /// Expected times of events: meshes have points just after them, so that their steps reach the events.
    pub(super) expected: Expected,
    /// The times at which they were expected in each run \[s\].
    pub(super) known: HashMap<usize, Vec<f64>>,
    /// Number of repetitions of the last run because its events came at other times.
    pub(super) n_repeated: u32,
    /// Number of trials of instances where signals are not smooth.
    pub(super) n_trials: u32,
    /// Whether loops were tried for fast outputs.
    pub(super) tried_stiffness: bool,
    /// Whether instances solve for their values at the end of each step, because some are fast.
    pub(super) is_implicit: bool,
    /// Outputs that, as was found after the last run, are constant between jumps.
    pub(super) stepwise: Tried,
    /// Instances that were tried for stepwise outputs.
    pub(super) tried_stepwise: HashSet<usize>,
    /// Number of trials of instances that paused in runs.
    pub(super) n_pauses: HashMap<usize, u32>,
    /// Switches found in place of the expected ones, which ended a run.
    pub(super) other_switches: Vec<Switch>,
    /// Runs that were made before they are requested.
    pub(super) speculative: SpeculativeRuns,
    /// Number of runs.
    made: usize,
    /// Instances with internal steps of fixed size.
    pub(super) grids: Vec<Grid>,
    /// The fastest signal that moves by itself.
    pub(super) ripple: Option<Ripple>,
    /// Instances whose steps depend on their division, by index; empty if all are exact.
    pub(super) inexact: Arc<[bool]>,
    /// The largest error inside FMUs that follow the requested tolerance, relative to the values, once it is known.
    pub(super) loose: Option<f64>,
    /// Number of calls of an earlier search with a larger tolerance of the FMUs.
    pub(super) earlier_calls: u64,
    pub(super) counters: Counters,
    calls: Vec<Calls>,
    warnings: Vec<Warning>,
    /// The end that an instance requested in the last run. `limit` is the last row that all runs have because of such ends \[s\].
    pub(super) ended: Option<End>,
    limit: Option<f64>,
    /// Whether the limit is earlier than that of the previous runs.
    is_shorter: bool,
}

impl<'a> Runs<'a> {
    pub(super) fn new(
        set_factory: &'a InstanceSetFactory,
        instance_set: &'a mut InstanceSet,
        system: &'a SharedSystem,
        verified: &'a Verified,
        watched: Option<&'a AbsentFeedthrough>,
    ) -> Self {
        Self {
            calls: vec![Calls::default(); set_factory.names.len()],
            set_factory,
            instance_set,
            system,
            verified,
            settled: ResolvedInputs::default(),
            watched,
            refuted: None,
            expected: Expected::new(ErrorExpansion::Even),
            known: HashMap::new(),
            n_repeated: 0,
            n_trials: 0,
            tried_stiffness: false,
            is_implicit: false,
            stepwise: Tried::default(),
            tried_stepwise: HashSet::new(),
            n_pauses: HashMap::new(),
            other_switches: Vec::new(),
            speculative: SpeculativeRuns::default(),
            made: 0,
            grids: Vec::new(),
            ripple: None,
            inexact: Arc::new([]),
            loose: None,
            earlier_calls: 0,
            counters: Counters::default(),
            warnings: Vec::new(),
            ended: None,
            limit: None,
            is_shorter: false,
        }
    }

    /// Adds the cost of earlier runs with another method.
    pub(super) fn add_spent(&mut self, spent: &Spent) {
        self.counters.add(&spent.counters);
        self.add_calls(&spent.calls);
        self.warnings.extend_from_slice(&spent.warnings);
    }

    /// Replaces the cost by a later one.
    pub(super) fn set_spent(&mut self, spent: &Spent) {
        (self.counters, self.calls, self.warnings) = (spent.counters, spent.calls.clone(), spent.warnings.clone());
    }

    /// The cost of the runs.
    pub(super) fn spent(&self) -> Spent {
        Spent { counters: self.counters, calls: self.calls.clone(), warnings: self.warnings.clone() }
    }

    /// The contradiction to the trials on which the method relies.
    pub(super) fn refuted(&self) -> Option<&str> {
        self.refuted.as_deref()
    }

    /// Resolves the inputs; instances are tried only if the result depends on them.
    pub(super) fn prepare(&mut self, observers: &mut [&mut dyn Observer]) -> Result<&ResolvedInputs, Box<Error>> {
        let h = self.trial_step();
        let coupled = &mut self.instance_set.coupled;
        coupled.begin();
        if trial::depends_on_trials(coupled, &self.system.resolved.algorithm) {
            self.system.initialize(coupled, &self.system.set_up)?;
        }
        self.settled = self.system.settle(coupled, &self.system.set_up, h, false)?;
        let calls: Vec<_> = coupled.calls().collect();
        for warning in self.settled.warnings(coupled) {
            self.warn(warning.code, warning.text, observers);
        }
        self.add_trials(&calls);
        Ok(&self.settled)
    }

    /// The instance that the coupling scheme leaves behind by half a step where outputs are not due.
    pub(super) fn late(&self) -> Option<usize> {
        self.system.method(&self.instance_set.coupled).late()
    }

    /// Noise of rollback relative to the outputs, if loops are iterated or events are located; otherwise 0.
    pub(super) fn noise(&mut self) -> Result<f64, Box<Error>> {
        let has_events = self.has_events();
        if self.system.resolved.algorithm.iteration.is_none() && !has_events {
            return Ok(0.0);
        }
        let h = self.trial_step();
        let (coupled, set_up) = (&mut self.instance_set.coupled, &self.system.set_up);
        self.system.initialize(coupled, set_up)?;
        let mut found = self.system.measure_noise(coupled, set_up, has_events, h)?;
        self.system.check_noise_of_loops(coupled, &found)?;
        if has_events {
            noise::judge(coupled, &mut found);
            let tolerances = Tolerances { relative: self.verified.tolerance, absolute: 0.0 };
            noise::check(coupled, &found, "tolerance", tolerances)?;
        }
        found.extend(self.system.measure_output_noise(coupled, set_up, h)?);
        Ok(found.iter().fold(0.0, |largest, noise| noise.relative().max(largest)))
    }

    /// Makes a run, and others at the same time if the FMUs allow it.
    pub(super) fn make(&mut self, job: &Job<'static>, others: Others) -> Result<Made, Box<Error>> {
        let concurrent = &self.set_factory.concurrent;
        if others.is_empty() && !self.speculative.has(job) {
            return self.one(job);
        }
        let Some(fmus) = concurrent.of(&self.set_factory.fmus) else { return self.one(job) };
        let mut speculative = std::mem::take(&mut self.speculative);
        let here = self.run_factory();
        let elsewhere = RunFactory { fmus, ..here };
        let (are_hosted, threads) = (concurrent.are_hosted(), concurrent.runs());
        let made = speculative.make(job, others, RunFactories { here, elsewhere, are_hosted, threads });
        self.speculative = speculative;
        made
    }

    /// Runs to make at the same time as another one, if they may take little time.
    pub(super) fn others(&self, needed: Vec<Job<'static>>, likely: Vec<Job<'static>>) -> Others {
        if self.set_factory.concurrent.is_costly() { Others::default() } else { Others { needed, likely } }
    }

    /// Makes a run on a mesh between the points of others.
    pub(super) fn between(&mut self, job: &Job<'static>, others: Others, observers: &mut [&mut dyn Observer]) -> RunOutcome {
        let made = self.make(job, others)?;
        // Only runs that divide the base steps show where signals are not smooth.
        let trace = Trace { fast_modes: made.trace.fast_modes, ..Trace::default() };
        self.take(job, Made { trace, ..made }, observers)
    }

    /// The run on a mesh between the points of others.
    pub(super) fn job_between(&self, base: &Arc<Base>, mesh: Between) -> Job<'static> {
        // If steps end at events, inputs reverse there.
        let trial = (mesh.has_trials && self.seeks_switches() && !self.has_events()).then_some(RunTrial::Turns);
        Job::between(base, mesh).with_trial(trial)
    }

    /// Issues a warning to the user, now and in the report.
    pub(super) fn warn(&mut self, code: Code, what: String, observers: &mut [&mut dyn Observer]) {
        let warning = Warning::new(code, what);
        emit(observers, &Notification::Warning(&warning));
        self.warnings.push(warning);
    }

    /// Makes a run, and trials at its end if there are any.
    pub(super) fn one(&mut self, job: &Job<'_>) -> Result<Made, Box<Error>> {
        if self.set_factory.allows_several() {
            return self.run_factory().run(job);
        }
        let basis = Basis { system: self.system, settled: &self.settled, watched: self.watched };
        Ok(single_run(self.instance_set, basis, job))
    }

    /// Creates a factory for runs with separate instances.
    fn run_factory(&self) -> RunFactory<'_> {
        let basis = Basis { system: self.system, settled: &self.settled, watched: self.watched };
        RunFactory { set_factory: self.set_factory, fmus: &self.set_factory.fmus, basis }
    }

    /// Whether runs have become shorter since the last call, so that the earlier ones are useless.
    pub(super) fn are_shorter(&mut self) -> bool {
        std::mem::take(&mut self.is_shorter)
    }

    /// Handles a run that an instance ended at `time`: results end at the last row before it. Returns true if there are such
    /// rows.
    fn shorten(&mut self, time: f64) -> bool {
        let (start, interval) = (self.system.span().0, self.verified.output_interval);
        let rows = passed(start, time, interval);
        let limit = start + (rows + 1e-6) * interval;
        if self.limit.is_none_or(|known| limit < known) {
            (self.limit, self.is_shorter) = (Some(limit), true);
        }
        rows >= 1.0
    }

    /// Adds up the cost of a run.
    pub(super) fn take(&mut self, job: &Job<'_>, made: Made, observers: &mut [&mut dyn Observer]) -> RunOutcome {
        let Made { report, error, mut rows, log, calls, trace, pauses, findings, .. } = made;
        let RunFindings { tried, grazings, .. } = findings;
        for line in &log {
            emit(observers, &Notification::Log(line));
        }
        self.counters.add(&report.counters);
        self.add_calls(&calls);
        for warning in report.warnings {
            if !self.warnings.contains(&warning) {
                // Lines logged by FMUs were reported as such.
                if warning.code != Code::LoggedByFmu {
                    emit(observers, &Notification::Warning(&warning));
                }
                self.warnings.push(warning);
            }
        }
        let is_ended = matches!(report.end, End::TerminatedByInstance { .. });
        match (error, &report.end) {
            (Some(error), _) => Err(Box::new(error)),
            _ if tried.changes_runs() => {
                self.other_switches = tried.switches;
                Ok(None)
            }
            (None, end) if *end == End::StopTime || is_ended && self.shorten(report.time) => {
                self.ended = is_ended.then(|| end.clone());
                let inner = if job.base().has_off_mesh_rows() { rows.take_inner(job.base()) } else { Inner::default() };
                if let Some(limit) = self.limit {
                    rows.cut(limit);
                }
                let steps = report.counters.n_steps;
                self.made += 1;
                self.known.insert(self.made, job.expected().to_vec());
                let (events, (times, values)) = (rows.events(), rows.take_reals());
                let cleared = Vec::new();
                let subdivisions = job.subdivisions();
                let mut run = Run { id: self.made, subdivisions, steps, times, values, trace, events, grazings, inner, cleared };
                run.shrink();
                Ok(Some(Finished { run, rows, pauses }))
            }
            (None, End::Canceled) => {
                self.refuted = self.refuted.take().or(report.refuted);
                Ok(None)
            }
            (None, end) => {
                let end = if is_ended { "an FMU requested the end" } else { end.name() };
                Err(Box::new(Error::EndedEarly { time: report.time, end }))
            }
        }
    }

    /// Adds up the cost of trials.
    pub(super) fn add_trials(&mut self, calls: &[Calls]) {
        self.counters.n_do_step_calls += calls.iter().map(|calls| calls.steps).sum::<u64>();
        self.add_calls(calls);
    }

    fn add_calls(&mut self, calls: &[Calls]) {
        for (sum, calls) in self.calls.iter_mut().zip(calls) {
            sum.steps += calls.steps;
            sum.saves += calls.saves;
            sum.restores += calls.restores;
        }
    }

    /// Number of doStep calls so far.
    pub(super) fn calls(&self) -> u64 {
        self.counters.n_do_step_calls
    }

    /// The combined report of all runs; the end and the time are still missing.
    pub(super) fn report(&mut self) -> Report {
        let mut report = Report::new(End::Failed);
        (report.time, report.counters) = (self.system.span().0, self.counters);
        report.instances = self.set_factory.reports(&self.calls);
        report.warnings = std::mem::take(&mut self.warnings);
        report
    }
}

/// The cost of runs.
pub(super) struct Spent {
    counters: Counters,
    calls: Vec<Calls>,
    warnings: Vec<Warning>,
}
