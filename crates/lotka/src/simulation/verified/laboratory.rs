//! Makes the runs that a search asks for, and keeps their rows.

use std::collections::{HashMap, HashSet};

use super::{
    emit,
    recording::Recording,
    runs::{Finished, Outcome, Runs},
};
use crate::{
    Code, Error,
    error_control::global::{Base, Between, Made, Runner},
    record::{Event, Observer},
    system::Warning,
};

/// Why there are no further runs.
pub(super) enum Halt {
    Canceled,
    /// An FMU brought its process to an end. The rows of the runs before it are results, but this is not a success.
    Lost(Box<Error>),
}

/// What became of a run that is of no use.
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
pub(super) struct Laboratory<'l, 'a, 'o> {
    runs: &'l mut Runs<'a>,
    observers: &'l mut [&'o mut dyn Observer],
    /// A run that was made together with another one, on this base with so many steps per base step.
    ahead: Option<(Base, u32, Outcome)>,
    /// Rows of the runs in use. A result has those of the finest run that it rests on: what is not extrapolated is theirs.
    pub(super) rows: HashMap<usize, Recording>,
    pub(super) last_error: Option<Box<Error>>,
    pub(super) halt: Option<Halt>,
    admitted: Option<Vec<u32>>,
    has_looked_late: bool,
    last: u32,
}

impl<'l, 'a, 'o> Laboratory<'l, 'a, 'o> {
    pub(super) fn new(runs: &'l mut Runs<'a>, observers: &'l mut [&'o mut dyn Observer]) -> Self {
        Self {
            runs,
            observers,
            ahead: None,
            rows: HashMap::new(),
            last_error: None,
            halt: None,
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

    /// What became of a run.
    fn made(&mut self, subdivisions: u32, outcome: Outcome) -> Result<Finished, Unmade> {
        if self.runs.are_shorter() && !self.rows.is_empty() {
            // The runs so far have rows that this one has not.
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
                let steps = self.runs.steps_per_row(subdivisions);
                let unit = if steps == 1 { "step" } else { "steps" };
                let what = format!("the run with {steps} {unit} per row is left out: {error}");
                emit(self.observers, &Event::Warning(&Warning::new(Code::RunLeftOut, what)));
                self.last_error = Some(error);
                Err(Unmade::Failed)
            }
        }
    }
}

impl Runner for Laboratory<'_, '_, '_> {
    fn divide(&mut self, base: &Base, subdivisions: u32, then: Option<u32>) -> Made {
        self.last = subdivisions;
        loop {
            let outcome = self.outcome(base, subdivisions, then);
            let finished = match self.made(subdivisions, outcome) {
                Ok(finished) => finished,
                Err(unmade) => return unmade.into(),
            };
            if self.runs.expect(&finished.rows) {
                // Made once more, with mesh points where the events lie.
                self.ahead = None;
                continue;
            }
            if self.runs.paused(&finished, self.observers) {
                let mut admitted = self.runs.admitted(base).unwrap_or_default();
                // Steps that instances pause in are too short already.
                admitted.retain(|coarser| *coarser < subdivisions);
                self.admitted = Some(admitted);
            }
            self.rows.insert(finished.run.id, finished.rows);
            return Made::Finished(finished.run);
        }
    }

    fn between(&mut self, base: &Base, mesh: Between) -> Made {
        let outcome = self.runs.between(base, mesh, self.observers);
        match self.made(mesh.density.round() as u32, outcome) {
            Ok(finished) => Made::Finished(finished.run),
            Err(unmade) => unmade.into(),
        }
    }

    fn calls(&self) -> u64 {
        self.runs.calls()
    }

    fn admitted(&mut self) -> Option<Vec<u32>> {
        self.admitted.take()
    }

    fn look_late(&mut self, base: &Base, subdivisions: u32) -> Result<(), Box<Error>> {
        if !std::mem::replace(&mut self.has_looked_late, true) && self.runs.find_late_grids(base, subdivisions, self.observers)? {
            self.admitted = Some(self.runs.admitted(base).unwrap_or_default());
        }
        Ok(())
    }

    fn keep(&mut self, used: &HashSet<usize>, estimate: Option<f64>) {
        self.rows.retain(|id, _| used.contains(id));
        let steps_per_row = self.runs.steps_per_row(self.last);
        emit(self.observers, &Event::RunFinished { steps_per_row, estimate });
    }
}
