//! The runs of a verified simulation: one after the other, or two at the same time.

use std::collections::HashMap;

use super::{
    super::{
        Counters, End, Report,
        inputs::{self, Settled},
        mesh::Mesh,
        noise,
        scenario::{Casting, Ensemble, Scenario},
        single::{self, Course, Steps},
    },
    emit,
    recording::Recording,
};
use crate::{
    Code, Error,
    algorithm::{Bend, Calls},
    error_control::global::Run,
    event::just_after,
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
    /// Instances that are reset for each run, where there may be no others.
    ensemble: &'a mut Ensemble,
    scenario: &'a Scenario,
    verified: &'a Verified,
    settled: Settled,
    /// Times of the events of the finest run \[s\]: the meshes of later ones have points just after them, so that their steps come upon them.
    expected: Vec<f64>,
    /// The same as each run knew them.
    known: HashMap<u32, Vec<f64>>,
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
            settled: Settled::default(),
            expected: Vec::new(),
            known: HashMap::new(),
            counters: Counters::default(),
            warnings: Vec::new(),
        }
    }

    /// Settles what inputs do; instances are tried only where it depends on them.
    pub(super) fn prepare(&mut self, observers: &mut [&mut dyn Observer]) -> Result<&Settled, Box<Error>> {
        let h = self.trial_step();
        let coupled = &mut self.ensemble.coupled;
        coupled.begin();
        if inputs::depends_on_trials(coupled, &self.scenario.resolved.algorithm) {
            self.scenario.initialize(coupled, &self.scenario.set_up)?;
        }
        self.settled = self.scenario.settle(coupled, h)?;
        let calls: Vec<_> = coupled.calls().collect();
        for warning in self.settled.warnings(coupled) {
            self.warn(warning.code, warning.text, observers);
        }
        self.counters.n_do_step_calls += calls.iter().map(|calls| calls.steps).sum::<u64>();
        self.add_calls(&calls);
        Ok(&self.settled)
    }

    /// Whether steps end at events, whose times then are results, too.
    pub(super) fn has_events(&self) -> bool {
        self.scenario.resolved.events.is_some()
    }

    /// Noise of rollback relative to the outputs, where loops are iterated; 0 elsewhere.
    pub(super) fn noise(&mut self) -> Result<f64, Box<Error>> {
        let Some(iteration) = self.scenario.resolved.algorithm.iteration else { return Ok(0.0) };
        let h = self.trial_step();
        let (coupled, set_up) = (&mut self.ensemble.coupled, &self.scenario.set_up);
        self.scenario.initialize(coupled, set_up)?;
        let found = self.scenario.measure_noise(coupled, set_up, false, h)?;
        noise::check(coupled, &found, "iteration-tolerance", iteration.tolerances)?;
        Ok(found.iter().fold(0.0, |largest, noise| noise.relative().max(largest)))
    }

    /// Size of the steps by which instances are tried \[s\].
    fn trial_step(&self) -> f64 {
        self.mesh(1, &[]).step()
    }

    /// Steps per row of the run with so many subdivisions.
    pub(super) fn steps_per_row(&self, subdivisions: u32) -> u32 {
        let base = (self.verified.output_interval / self.verified.max_step).ceil().clamp(1.0, 1e6) as u32;
        base.saturating_mul(subdivisions)
    }

    /// Makes one run, or two: at the same time where the FMUs allow several instances and there is a thread for each. What comes of them is
    /// the same.
    pub(super) fn make(&mut self, first: u32, second: Option<u32>, observers: &mut [&mut dyn Observer]) -> Vec<(u32, Outcome)> {
        let (set_up, expected) = (self.scenario.set_up.clone(), self.expected.clone());
        self.known.extend([Some(first), second].into_iter().flatten().map(|n| (n, expected.clone())));
        let results: Vec<_> = match second {
            Some(second) if self.casting.allows_several() && self.casting.threads > 1 => {
                let (cast, meshes) = (self.cast(), [first, second].map(|n| self.mesh(n, &expected)));
                let (one, two) = std::thread::scope(|scope| {
                    let two = scope.spawn(|| cast.run(&set_up, meshes[1]));
                    (cast.run(&set_up, meshes[0]), two.join())
                });
                // A panic in the other thread goes on in this one.
                let two = two.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                vec![(first, one), (second, two)]
            }
            second => [Some(first), second].into_iter().flatten().map(|n| (n, self.one(&set_up, n, &expected))).collect(),
        };
        results.into_iter().map(|(n, made)| (n, made.and_then(|made| self.take(n, made, observers)))).collect()
    }

    /// Tells the user, now and in the report.
    pub(super) fn warn(&mut self, code: Code, what: String, observers: &mut [&mut dyn Observer]) {
        let warning = Warning::new(code, what);
        emit(observers, &Event::Warning(&warning));
        self.warnings.push(warning);
    }

    /// Repeats a run with a tenth of the FMUs' tolerance. `None` if there is nothing to learn from that.
    ///
    /// # Errors
    /// An FMU brought its process to an end.
    pub(super) fn repeat(&mut self, subdivisions: u32, observers: &mut [&mut dyn Observer]) -> Result<Option<Run>, Box<Error>> {
        let mut set_up = self.scenario.set_up.clone();
        for set_up in &mut set_up {
            set_up.experiment.tolerance = set_up.experiment.tolerance.map(|tolerance| FINER * tolerance);
        }
        let expected = self.known.get(&subdivisions).cloned().unwrap_or_default();
        match self.one(&set_up, subdivisions, &expected).and_then(|made| self.take(subdivisions, made, observers)) {
            Ok(finished) => Ok(finished.map(|finished| finished.run)),
            Err(error) if error.ended_process() => Err(error),
            Err(error) => {
                self.warn(Code::OwnErrorUnknown, format!("the FMUs' own error could not be looked for: {error}"), observers);
                Ok(None)
            }
        }
    }

    fn one(&mut self, set_up: &[SetUp], subdivisions: u32, expected: &[f64]) -> Result<Made, Box<Error>> {
        let mesh = self.mesh(subdivisions, expected);
        if self.casting.allows_several() {
            return self.cast().run(set_up, mesh);
        }
        Ok(single_run(self.ensemble, self.scenario, &self.settled, set_up, mesh))
    }

    fn cast(&self) -> Cast<'_> {
        Cast { casting: self.casting, scenario: self.scenario, settled: &self.settled }
    }

    fn mesh<'e>(&self, subdivisions: u32, expected: &'e [f64]) -> Mesh<'e>
    where
        'a: 'e,
    {
        let division = (self.steps_per_row(1), subdivisions);
        let knots = &self.scenario.resolved.knots.list;
        Mesh::new(self.scenario.span(), self.verified.output_interval, division, expected, knots)
    }

    /// Takes note of the events of a run. Whether their times were not known before: a run whose steps end where they happen to lie has errors
    /// without an order.
    pub(super) fn expect(&mut self, rows: &Recording) -> bool {
        let was_unknown = self.expected.is_empty();
        let tolerance = self.scenario.resolved.events.as_ref().and_then(|events| events.tolerance);
        self.expected = rows.events().into_iter().map(|row| just_after(tolerance, rows.times[row])).collect();
        was_unknown && !self.expected.is_empty()
    }

    /// Adds up what a run took.
    fn take(&mut self, subdivisions: u32, made: Made, observers: &mut [&mut dyn Observer]) -> Outcome {
        let Made { report, error, rows, log, calls, bends } = made;
        for line in &log {
            emit(observers, &Event::Log(line));
        }
        self.counters.add(&report.statistics);
        self.add_calls(&calls);
        for warning in report.warnings {
            if !self.warnings.contains(&warning) {
                self.warnings.push(warning);
            }
        }
        match (error, &report.end) {
            (Some(error), _) => Err(Box::new(error)),
            (None, End::StopTime) => {
                let steps = report.statistics.n_steps;
                let run = Run { subdivisions, steps, values: rows.reals.clone(), bends, events: rows.events() };
                Ok(Some(Finished { run, rows }))
            }
            (None, End::Canceled) => Ok(None),
            (None, end) => {
                let asked = matches!(end, End::TerminatedByInstance { .. });
                let end = if asked { "an FMU asked for the end" } else { end.name() };
                Err(Box::new(Error::EndedEarly { time: report.time, end }))
            }
        }
    }

    fn add_calls(&mut self, calls: &[Calls]) {
        for (sum, calls) in self.calls.iter_mut().zip(calls) {
            sum.steps += calls.steps;
            sum.saves += calls.saves;
            sum.restores += calls.restores;
        }
    }

    /// What all runs took; the end and the time are still to be told.
    pub(super) fn report(&mut self) -> Report {
        Report {
            time: self.scenario.span().0,
            statistics: self.counters,
            instances: self.casting.reports(&self.calls),
            warnings: std::mem::take(&mut self.warnings),
            ..Report::new(End::Failed)
        }
    }
}

/// What runs with instances of their own are made from, on whatever thread.
#[derive(Clone, Copy)]
struct Cast<'a> {
    casting: &'a Casting,
    scenario: &'a Scenario,
    settled: &'a Settled,
}

impl Cast<'_> {
    /// A run with new instances: a reset that forgets something cannot disturb it.
    fn run(self, set_up: &[SetUp], mesh: Mesh<'_>) -> Result<Made, Box<Error>> {
        let mut ensemble = self.casting.ensemble()?;
        let mut made = single_run(&mut ensemble, self.scenario, self.settled, set_up, mesh);
        match ensemble.free() {
            Ok(warnings) => made.report.warnings.extend(warnings),
            Err(error) => made.error = made.error.or(Some(*error)),
        }
        Ok(made)
    }
}

/// A run and all that came of it.
struct Made {
    report: Report,
    error: Option<Error>,
    rows: Recording,
    log: Vec<fmi2::LogMessage>,
    calls: Vec<Calls>,
    bends: Vec<Bend>,
}

fn single_run(ensemble: &mut Ensemble, scenario: &Scenario, settled: &Settled, set_up: &[SetUp], mesh: Mesh<'_>) -> Made {
    let mut tracker = scenario.progress.begin(mesh.steps_per_row(), scenario.span().0);
    let course = Course { settled: Some(settled), ..Course::new(set_up, Steps::Mesh(mesh)) };
    let (mut rows, mut lines) = (Recording::new(scenario.resolved.events.is_some()), Lines::default());
    let (report, error) = single::run(ensemble, scenario, course, Vec::new(), &mut [&mut rows, &mut lines, &mut tracker]);
    let coupled = &mut ensemble.coupled;
    let bends = coupled.bends.take().map_or_else(Vec::new, |bends| bends.finish());
    Made { report, error, rows, log: lines.0, calls: coupled.calls().collect(), bends }
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
