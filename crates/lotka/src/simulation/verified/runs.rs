//! The runs of a verified simulation: one after the other, or two at the same time.

use super::{
    super::{
        Counters, End, Report,
        inputs::{self, Settled},
        scenario::{Casting, Ensemble, Scenario},
        single::{self, Course},
        stepping::Mesh,
    },
    emit,
    recording::Recording,
};
use crate::{
    Error,
    algorithm::Calls,
    error_control::global::Run,
    initialize::SetUp,
    record::{Event, Observer},
    system::{Warning, resolve::Verified},
};

/// By which factor the FMUs' tolerance changes to see their own error.
const FINER: f64 = 0.1;

/// A run that reached the stop time.
pub(super) struct Finished {
    pub(super) run: Run,
    pub(super) rows: Recording,
}

/// What became of a run; `None` if it was canceled.
type Outcome = Result<Option<Finished>, Box<Error>>;

pub(super) struct Runs<'a> {
    casting: &'a Casting,
    /// The instances of most runs.
    ensemble: &'a mut Ensemble,
    scenario: &'a Scenario,
    verified: &'a Verified,
    /// Instances for a second run at the same time.
    second: Option<Ensemble>,
    settled: Settled,
    counters: Counters,
    calls: Vec<Calls>,
    warnings: Vec<Warning>,
}

impl<'a> Runs<'a> {
    pub(super) fn new(casting: &'a Casting, ensemble: &'a mut Ensemble, scenario: &'a Scenario, verified: &'a Verified) -> Self {
        Self {
            calls: vec![Calls::default(); casting.names.len()],
            casting,
            ensemble,
            scenario,
            verified,
            second: None,
            settled: Settled::default(),
            counters: Counters::default(),
            warnings: Vec::new(),
        }
    }

    /// Settles what inputs do; instances are tried only where it depends on them.
    pub(super) fn prepare(&mut self) -> Result<&Settled, Box<Error>> {
        let h = self.verified.output_interval / f64::from(self.base_steps());
        let coupled = &mut self.ensemble.coupled;
        coupled.begin();
        if inputs::depends_on_trials(coupled, &self.scenario.resolved.algorithm) {
            self.scenario.initialize(coupled, &self.scenario.set_up)?;
        }
        self.settled = self.scenario.settle(coupled, h)?;
        self.counters.n_do_step_calls += add_calls(&mut self.calls, self.ensemble);
        Ok(&self.settled)
    }

    /// Steps per row of the coarsest run.
    pub(super) fn base_steps(&self) -> u32 {
        (self.verified.output_interval / self.verified.max_step).ceil().clamp(1.0, 1e6) as u32
    }

    /// Makes one run, or two at the same time.
    pub(super) fn make(&mut self, first: u32, second: Option<u32>, observers: &mut [&mut dyn Observer]) -> Vec<(u32, Outcome)> {
        let Some(second) = second else { return vec![(first, self.one(first, observers))] };
        if self.second.is_none() && self.casting.allows_several() {
            self.second = self.casting.ensemble().ok();
        }
        let Some(mut other) = self.second.take() else {
            return [first, second].into_iter().map(|n| (n, self.one(n, observers))).collect();
        };
        let (scenario, verified, settled) = (self.scenario, self.verified, &self.settled);
        let (base, ensemble) = (self.base_steps(), &mut *self.ensemble);
        let make =
            |ensemble: &mut Ensemble, n: u32| single_run(ensemble, scenario, verified, settled, &scenario.set_up, base * n);
        let (one, two) = std::thread::scope(|scope| {
            let two = scope.spawn(|| make(&mut other, second));
            let one = make(ensemble, first);
            (one, two.join())
        });
        let mut result = vec![(first, self.take(first, one, None, observers))];
        // A panic in the other run is a defect of this crate; that run counts as failed and its instances are gone.
        if let Ok(two) = two {
            result.push((second, self.take(second, two, Some(other), observers)));
        }
        result
    }

    /// Repeats a run with a tenth of the FMUs' tolerance.
    pub(super) fn repeat(&mut self, subdivisions: u32, observers: &mut [&mut dyn Observer]) -> Option<Run> {
        let finer = |set_up: &SetUp| {
            let mut set_up = set_up.clone();
            set_up.experiment.tolerance = set_up.experiment.tolerance.map(|tolerance| FINER * tolerance);
            set_up
        };
        let set_up: Vec<_> = self.scenario.set_up.iter().map(finer).collect();
        let made =
            single_run(self.ensemble, self.scenario, self.verified, &self.settled, &set_up, self.base_steps() * subdivisions);
        self.take(subdivisions, made, None, observers).ok().flatten().map(|finished| finished.run)
    }

    fn one(&mut self, subdivisions: u32, observers: &mut [&mut dyn Observer]) -> Outcome {
        let steps = self.base_steps() * subdivisions;
        let set_up = &self.scenario.set_up;
        let made = single_run(self.ensemble, self.scenario, self.verified, &self.settled, set_up, steps);
        self.take(subdivisions, made, None, observers)
    }

    /// Adds up what a run took; `other` holds its instances if they are not the usual ones. After a failure new instances are made.
    fn take(&mut self, subdivisions: u32, made: Made, other: Option<Ensemble>, observers: &mut [&mut dyn Observer]) -> Outcome {
        let Made { report, error, rows, log } = made;
        for line in &log {
            emit(observers, &Event::Log(line));
        }
        self.counters.add(&report.statistics);
        for warning in report.warnings {
            if !self.warnings.contains(&warning) {
                self.warnings.push(warning);
            }
        }
        add_calls(&mut self.calls, other.as_ref().unwrap_or(self.ensemble));
        match (error, &report.end) {
            (None, End::StopTime) => {
                self.second = other.or_else(|| self.second.take());
                let run = Run { subdivisions, steps: report.statistics.n_steps, values: rows.reals.clone() };
                Ok(Some(Finished { run, rows }))
            }
            (None, End::Canceled) => Ok(None),
            (None, end) => Err(Box::new(Error::EndedEarly { time: report.time, end: end.name() })),
            (Some(error), _) => {
                if other.is_none() {
                    *self.ensemble = self.casting.ensemble()?;
                }
                Err(Box::new(error))
            }
        }
    }

    /// What all runs took; the end and the time are still to be told.
    pub(super) fn report(self) -> Report {
        Report {
            end: End::Failed,
            time: self.scenario.span().0,
            statistics: self.counters,
            largest_error_estimate: None,
            global_error: None,
            instances: self.casting.reports(&self.calls),
            warnings: self.warnings,
        }
    }
}

/// A run and all that came of it.
struct Made {
    report: Report,
    error: Option<Error>,
    rows: Recording,
    log: Vec<fmi2::LogMessage>,
}

fn single_run(
    ensemble: &mut Ensemble,
    scenario: &Scenario,
    verified: &Verified,
    settled: &Settled,
    set_up: &[SetUp],
    steps: u32,
) -> Made {
    let mesh = Mesh::new(scenario.span(), verified.output_interval, steps);
    let course = Course { set_up, mesh: Some(mesh), settled: Some(settled) };
    let (mut rows, mut lines) = (Recording::default(), Lines::default());
    let (report, error) = single::run(ensemble, scenario, course, Vec::new(), &mut [&mut rows, &mut lines]);
    Made { report, error, rows, log: lines.0 }
}

/// Keeps log lines for later.
#[derive(Default)]
struct Lines(Vec<fmi2::LogMessage>);

impl Observer for Lines {
    fn observe(&mut self, event: &Event<'_>) {
        if let Event::Log(line) = event {
            self.0.push((*line).clone());
        }
    }

    fn wants_steps(&self) -> bool {
        false
    }
}

/// Adds the calls of an ensemble since its run began; returns the steps among them.
fn add_calls(calls: &mut [Calls], ensemble: &Ensemble) -> u64 {
    for (sum, member) in calls.iter_mut().zip(&ensemble.coupled.members) {
        sum.steps += member.calls.steps;
        sum.saves += member.calls.saves;
        sum.restores += member.calls.restores;
    }
    ensemble.coupled.members.iter().map(|member| member.calls.steps).sum()
}
