//! A run in pieces.

use super::{
    End, Report, RunFailure, Simulation,
    prepare::Prepared,
    run_loop::{Keeping, RunLoop, RunState},
    single::{OnlySteps, RunOptions, Steps, finish},
};
use crate::{Error, record::Observer, resolved::Stepping};

/// A run that pauses at communication points; its rows are bitwise those of [`Simulation::run`], whatever the pieces.
///
/// A piece ends at a communication point of the run; no step is changed for it. A failure ends the run; [`Session::finish`] returns the
/// error and the results before it.
pub struct Session {
    simulation: Simulation,
    prepared: Prepared,
    state: RunState,
    /// `None` if the run could not be started.
    stepping: Option<OnlySteps>,
    /// Set once the run is over.
    outcome: Option<Result<End, Box<Error>>>,
}

impl Simulation {
    /// Begins a run in pieces: initializes the instances. Observers receive the first row.
    ///
    /// If that fails, the run ends at once. It ends with [`Error::NoSession`] if the simulation has a `tolerance`, which repeats whole runs.
    pub fn start(mut self, observers: &mut [&mut dyn Observer]) -> Session {
        let prepared = self.prepare();
        self.instance_set.coupled.begin();
        let mut state = RunState::new(&self.system, &self.instance_set.coupled);
        let (prepared, started) = match prepared {
            Ok(prepared) => {
                prepared.report_to(observers);
                let started = self.start_steps(&prepared, &mut state, observers);
                (prepared, started)
            }
            Err(error) => (Prepared::default(), Err(error)),
        };
        let (stepping, outcome) = match started {
            Ok(stepping) => (Some(stepping), None),
            Err(error) => (None, Some(Err(error))),
        };
        Session { simulation: self, prepared, state, stepping, outcome }
    }

    fn start_steps(
        &mut self,
        prepared: &Prepared,
        state: &mut RunState,
        observers: &mut [&mut dyn Observer],
    ) -> Result<OnlySteps, Box<Error>> {
        let system = &self.system;
        let keeping = self.keeping.as_ref().map(|(token, origin)| Keeping { token, origin, prepared });
        let run_loop = &mut RunLoop::new(&mut self.instance_set, system, state, keeping, observers);
        let options = |steps| RunOptions { keeping, ..RunOptions::new(&system.set_up, steps) };
        match &system.resolved.experiment.stepping {
            Stepping::Fixed(size) => OnlySteps::start_fixed(run_loop, system, options(Steps::Fixed(*size)), *size),
            Stepping::Controlled(steps) => {
                OnlySteps::start_controlled(run_loop, system, options(Steps::Controlled(steps)), steps)
            }
            Stepping::Verified(_) => Err(Box::new(Error::NoSession)),
        }
    }
}

impl Session {
    /// The last communication point \[s\].
    #[must_use]
    pub fn time(&self) -> f64 {
        self.state.clock.time
    }

    /// Steps until the first communication point at or after `time` \[s\]. Returns true if the run can continue from there.
    pub fn advance_to(&mut self, time: f64, observers: &mut [&mut dyn Observer]) -> bool {
        let (None, Some(stepping)) = (&self.outcome, &mut self.stepping) else { return false };
        let Simulation { system, instance_set, keeping, .. } = &mut self.simulation;
        let prepared = &self.prepared;
        let keeping = keeping.as_ref().map(|(token, origin)| Keeping { token, origin, prepared });
        let mut run_loop = RunLoop::new(instance_set, system, &mut self.state, keeping, observers);
        self.outcome = stepping.advance(&mut run_loop, time).transpose();
        self.outcome.is_none()
    }

    /// Ends the run at its current point, or after its end. The simulation can run again.
    ///
    /// # Errors
    /// The reason why the run failed, with the report up to the failure.
    pub fn finish(mut self, observers: &mut [&mut dyn Observer]) -> (Simulation, Result<Report, Box<RunFailure>>) {
        let outcome = self.outcome.unwrap_or(Ok(End::Canceled));
        let Simulation { system, instance_set, .. } = &mut self.simulation;
        let mut run_loop = RunLoop::new(instance_set, system, &mut self.state, None, observers);
        if let Some(stepping) = &self.stepping {
            stepping.conclude(&mut run_loop);
        }
        let ended = finish(run_loop, system, outcome);
        let result = self.simulation.complete_single(ended, &self.prepared);
        (self.simulation, result)
    }
}
