//! Makes the runs that a search requests, and stores their rows.

use std::collections::{HashMap, HashSet};

use super::{
    super::switches::Switch,
    emit,
    recording::Recording,
    runs::{Finished, Outcome, Runs},
};
use crate::{
    Error,
    error_control::global::{Base, Between, Explained, Made, Place, Run, Runner},
    record::{Notification, Observer},
};
use lotka_message::{Code, Warning};

/// The reason why there are no further runs.
pub(super) enum Halt {
    Canceled,
    /// An FMU ended its process. The rows of the earlier runs are results, but the simulation has failed.
    Lost(Box<Error>),
}

/// The outcome of an unusable run.
enum Unmade {
    Failed,
    Shorter,
    Stopped,
}

impl From<Unmade> for Made {
    fn from(unmade: Unmade) -> Self {
        match unmade {
            Unmade::Failed => Self::Failed,
            Unmade::Shorter => Self::Shorter,
            Unmade::Stopped => Self::Stopped,
        }
    }
}

/// The runs of a search.
pub(super) struct MeshRunner<'l, 'a, 'o> {
    runs: &'l mut Runs<'a>,
    observers: &'l mut [&'o mut dyn Observer],
    /// A run made together with another one, on this base with this number of steps per base step.
    ahead: Option<(Base, u32, Outcome)>,
    /// Rows of the runs in use. A result uses those of the finest run on which it is based: values that are not extrapolated come from it.
    pub(super) rows: HashMap<usize, Recording>,
    pub(super) last_error: Option<Box<Error>>,
    pub(super) halt: Option<Halt>,
    /// Switches that explain a place where signals are not smooth.
    pub(super) switches: Vec<Switch>,
    admitted: Option<Vec<u32>>,
    has_looked_late: bool,
    /// Number of steps of the last run.
    last: u64,
}

impl<'l, 'a, 'o> MeshRunner<'l, 'a, 'o> {
    pub(super) fn new(runs: &'l mut Runs<'a>, observers: &'l mut [&'o mut dyn Observer]) -> Self {
        Self {
            runs,
            observers,
            ahead: None,
            rows: HashMap::new(),
            last_error: None,
            halt: None,
            switches: Vec::new(),
            admitted: None,
            has_looked_late: false,
            last: 0,
        }
    }

    fn outcome(&mut self, base: &Base, subdivisions: u32, then: Option<u32>) -> Outcome {
        if let Some((ahead, n, outcome)) = self.ahead.take()
            && n == subdivisions
            && ahead == *base
        {
            return outcome;
        }
        let mut outcomes = self.runs.make(base, subdivisions, then, self.observers).into_iter();
        let first = outcomes.next();
        self.ahead = outcomes.next().map(|(n, outcome)| (base.clone(), n, outcome));
        first.map_or(Ok(None), |(_, outcome)| outcome)
    }

    /// The numbers of steps per base step that the FMUs accept. If they do not accept all numbers, all rows are base points.
    fn admitted_of(&self, base: &Base) -> Vec<u32> {
        let all_rows = base.has_off_mesh_rows().then(|| self.runs.base());
        self.runs.admitted(all_rows.as_ref().unwrap_or(base)).unwrap_or_default()
    }

    /// The outcome of a run.
    fn made(&mut self, base: &Base, steps: u64, outcome: Outcome) -> Result<Finished, Unmade> {
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
                self.last_error = Some(error);
                Err(Unmade::Failed)
            }
        }
    }
}

/// Number of steps of a run that divides every base step.
fn steps(base: &Base, subdivisions: u32) -> u64 {
    base.len() as u64 * u64::from(subdivisions)
}

impl Runner for MeshRunner<'_, '_, '_> {
    fn divide(&mut self, base: &Base, subdivisions: u32, then: Option<u32>) -> Made {
        self.last = steps(base, subdivisions);
        loop {
            let outcome = self.outcome(base, subdivisions, then);
            let finished = match self.made(base, self.last, outcome) {
                Ok(finished) => finished,
                Err(unmade) => return unmade.into(),
            };
            if self.runs.expect(base, &finished) {
                // Now with mesh points at the events.
                self.ahead = None;
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
            self.rows.insert(finished.run.id, finished.rows);
            return Made::Finished(Box::new(finished.run));
        }
    }

    fn between(&mut self, base: &Base, mesh: Between) -> Made {
        let outcome = self.runs.between(base, mesh, self.observers);
        match self.made(base, steps(base, mesh.density.round() as u32), outcome) {
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

    fn check_late_grids(&mut self, base: &Base, subdivisions: u32) -> Result<(), Box<Error>> {
        if !std::mem::replace(&mut self.has_looked_late, true) && self.runs.find_late_grids(base, subdivisions, self.observers)? {
            self.admitted = Some(self.admitted_of(base));
        }
        Ok(())
    }

    fn explain(&mut self, base: &Base, run: &Run, places: &[Place]) -> Result<Explained, Box<Error>> {
        let tried = self.runs.find_switches(base, run, places)?;
        self.switches = tried.switches;
        Ok(match tried.within {
            _ if !self.switches.is_empty() => Explained::ByOtherRuns,
            Some(instance) => Explained::Within(instance),
            None => Explained::Not,
        })
    }

    fn keep(&mut self, used: &HashSet<usize>, estimate: Option<f64>) {
        self.rows.retain(|id, _| used.contains(id));
        emit(self.observers, &Notification::RunFinished { steps: self.last, estimate });
    }
}
