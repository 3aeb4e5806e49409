//! Makes the runs that a search requests, and stores their rows.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use lotka_message::{Code, Warning};
use lotka_prepare::{
    mesh::{Base, Between},
    trial::{grids::Ripple, switches::Tried},
};
use lotka_run::record::{Notification, Observer, emit};
use lotka_step::Error;

use super::{
    job::Job,
    recording::Recording,
    runs::{Finished, RunOutcome, Runs},
    speculative_runs::Others,
};
use crate::global::{Ending, Explained, Following, Made, NonsmoothPoint, Run, Runner};

/// The reason why there are no further runs.
pub(super) enum Halt {
    Canceled,
    /// An FMU ended its process. The rows of the earlier runs are results, but the simulation has failed.
    Lost(Box<Error>),
}

/// The outcome of an unusable run.
enum Unmade {
    Failed { diverged_at: Option<f64> },
    Shorter,
    Stopped,
}

impl From<Unmade> for Made {
    fn from(unmade: Unmade) -> Self {
        match unmade {
            Unmade::Failed { diverged_at } => Self::Failed { diverged_at },
            Unmade::Shorter => Self::Shorter,
            Unmade::Stopped => Self::Stopped,
        }
    }
}

/// The runs of a search.
pub(super) struct MeshRunner<'l, 'a, 'o> {
    runs: &'l mut Runs<'a>,
    observers: &'l mut [&'o mut dyn Observer],
    /// The base of the last run.
    base: Arc<Base>,
    /// Runs that follow the last one, with events at the times that were expected then.
    following: Vec<Job<'static>>,
    /// Rows of the runs in use. A result uses those of the finest run on which it is based: values that are not extrapolated come
    /// from it.
    pub(super) rows: HashMap<usize, Recording>,
    pub(super) last_error: Option<Box<Error>>,
    pub(super) halt: Option<Halt>,
    /// What explains a place where signals are not smooth.
    pub(super) tried: Tried,
    admitted: Option<Vec<u32>>,
    has_looked_late: bool,
    /// Number of steps of the last run.
    last: u64,
}

impl<'l, 'a, 'o> MeshRunner<'l, 'a, 'o> {
    pub(super) fn new(runs: &'l mut Runs<'a>, observers: &'l mut [&'o mut dyn Observer]) -> Self {
        Self {
            base: Arc::new(runs.base()),
            runs,
            observers,
            following: Vec::new(),
            rows: HashMap::new(),
            last_error: None,
            halt: None,
            tried: Tried::default(),
            admitted: None,
            has_looked_late: false,
            last: 0,
        }
    }

    /// A run that divides every base step, and those that follow at the same time.
    fn outcome(&mut self, subdivisions: u32, following: &Following) -> RunOutcome {
        let job = match self.following.iter().position(|job| job.subdivisions() == subdivisions) {
            Some(place) => self.following.swap_remove(place),
            None => {
                let job = |n: u32| Job::divided(&self.base, n, self.runs.expected_events(n));
                self.following = following.runs.iter().map(|n| job(*n)).collect();
                job(subdivisions)
            }
        };
        let (needed, likely) = (self.following.clone(), self.ending(following.ending.as_ref()));
        let others = if following.is_far { Others { needed, likely } } else { self.runs.others(needed, likely) };
        let made = self.runs.make(&job, others)?;
        self.runs.take(&job, made, self.observers)
    }

    /// The runs that end a search: trials late in a run, checks, and repetitions with other tolerances.
    fn ending(&self, ending: Option<&Ending>) -> Vec<Job<'static>> {
        let Some(ending) = ending else { return Vec::new() };
        let late = (!self.has_looked_late).then(|| self.runs.late_trial(&self.base, ending.least)).flatten();
        let checks = ending.checks.iter().map(|mesh| self.runs.job_between(&self.base, *mesh));
        let (repeated, with_events) = self.runs.repetitions(&self.base, &ending.coarsest);
        late.into_iter().chain(checks).chain([repeated]).chain(with_events).collect()
    }

    /// Shares the base of the next run. Speculative runs on another one are not requested any more.
    fn share(&mut self, base: &Base) {
        if *self.base != *base {
            self.base = Arc::new(base.clone());
            self.following.clear();
            self.runs.speculative.clear();
        }
    }

    /// The numbers of steps per base step that the FMUs accept. If they do not accept all numbers, all rows are base points.
    fn admitted_of(&self, base: &Base) -> Vec<u32> {
        let all_rows = base.has_off_mesh_rows().then(|| self.runs.base());
        self.runs.admitted(all_rows.as_ref().unwrap_or(base)).unwrap_or_default()
    }

    /// The outcome of a run.
    fn made(&mut self, base: &Base, steps: u64, outcome: RunOutcome) -> Result<Finished, Unmade> {
        if self.runs.are_shorter() && (base.has_off_mesh_rows() || !self.rows.is_empty()) {
            // The earlier runs have rows that this one lacks.
            self.rows.clear();
            return Err(Unmade::Shorter);
        }
        match outcome {
            Ok(Some(finished)) => Ok(finished),
            Ok(None) => {
                self.halt = Some(Halt::Canceled);
                Err(Unmade::Stopped)
            }
            Err(error) if error.ended_process() || error.is_fatal() => {
                self.halt = Some(Halt::Lost(error));
                Err(Unmade::Stopped)
            }
            Err(error) => {
                let noun = if steps == 1 { "step" } else { "steps" };
                let what = format!("Lotka drops the run with {steps} {noun}: {error}");
                emit(self.observers, &Notification::Warning(&Warning::new(Code::RunLeftOut, what)));
                let diverged_at = if let Error::NotFinite { time, .. } = *error { Some(time) } else { None };
                self.last_error = Some(error);
                Err(Unmade::Failed { diverged_at })
            }
        }
    }
}

/// Number of steps of a run that divides every base step.
fn steps(base: &Base, subdivisions: u32) -> u64 {
    base.n_steps() as u64 * u64::from(subdivisions)
}

impl Runner for MeshRunner<'_, '_, '_> {
    fn divide(&mut self, base: &Base, subdivisions: u32, following: &Following) -> Made {
        self.last = steps(base, subdivisions);
        self.share(base);
        loop {
            let outcome = self.outcome(subdivisions, following);
            let finished = match self.made(base, self.last, outcome) {
                Ok(finished) => finished,
                Err(unmade) => return unmade.into(),
            };
            if self.runs.expect(base, &finished) {
                // Now with mesh points at the events.
                self.following.clear();
                continue;
            }
            match self.runs.paused(base, &finished, self.observers) {
                Ok(false) => {}
                Ok(true) => {
                    self.admitted = Some(self.admitted_of(base));
                    // Steps in which instances pause are already too short.
                    let all = self.admitted.iter_mut().filter(|_| !base.has_off_mesh_rows());
                    all.for_each(|all| all.retain(|other| *other < subdivisions));
                }
                Err(error) => {
                    self.halt = Some(Halt::Lost(error));
                    return Made::Stopped;
                }
            }
            if self.runs.stepwise.changes_runs() {
                self.tried = std::mem::take(&mut self.runs.stepwise);
                return Made::Stopped;
            }
            self.rows.insert(finished.run.id, finished.rows);
            return Made::Finished(Box::new(finished.run));
        }
    }

    fn between(&mut self, base: &Base, mesh: Between, following: &[Between], ending: Option<&Ending>) -> Made {
        self.share(base);
        let job = self.runs.job_between(&self.base, mesh);
        let following = following.iter().map(|mesh| self.runs.job_between(&self.base, *mesh));
        let needed = following.chain(self.ending(ending)).collect();
        let others = self.runs.others(needed, Vec::new());
        let outcome = self.runs.between(&job, others, self.observers);
        match self.made(base, steps(base, job.subdivisions()), outcome) {
            Ok(finished) => Made::Finished(Box::new(finished.run)),
            Err(unmade) => unmade.into(),
        }
    }

    fn calls(&self) -> u64 {
        self.runs.calls()
    }

    fn admitted(&mut self) -> Option<Vec<u32>> {
        self.admitted.take()
    }

    fn look_late(&mut self, base: &Base, ending: &Ending) -> Result<Option<Ripple>, Box<Error>> {
        if std::mem::replace(&mut self.has_looked_late, true) {
            return Ok(None);
        }
        self.share(base);
        let others = self.runs.others(self.ending(Some(ending)), Vec::new());
        if self.runs.look_late(base, ending.least, others, self.observers)? {
            self.admitted = Some(self.admitted_of(base));
        }
        Ok(self.runs.ripple)
    }

    fn explain(&mut self, base: &Base, run: &Run, places: &[NonsmoothPoint]) -> Result<Explained, Box<Error>> {
        self.tried = self.runs.explain(base, run, places)?;
        let locked = self.tried.stiffness.as_ref().and_then(|stiffness| stiffness.locked);
        Ok(match self.tried.within {
            _ if self.tried.changes_runs() => Explained::ByOtherRuns,
            Some(instance) => Explained::Within(instance),
            None => locked.map_or(Explained::Not, Explained::Locked),
        })
    }

    fn keep(&mut self, used: &HashSet<usize>, estimate: Option<f64>) {
        self.rows.retain(|id, _| used.contains(id));
        emit(self.observers, &Notification::RunFinished { steps: self.last, estimate });
    }
}
