//! A run in pieces: it pauses at communication points, where variables are read and set, and returns to saved points.
//!
//! Start reading at [`Session`].

mod mark;
mod reading;

pub use mark::Mark;
pub use reading::Reading;

use lotka_instance::TypedValue;
use lotka_step::{
    Error,
    error::SessionRefusal,
    resolved::{Action, Stepping, Target},
};

use super::{
    End, Report, RunFailure, Simulation,
    only_steps::OnlySteps,
    prepared::Prepared,
    run_loop::{RunLoop, RunState},
    schedule::Schedule,
    single::{RunOptions, Steps, finish},
};
use crate::record::{Notification, Observer};

/// A run that pauses at communication points.
///
/// Without changes, its rows are bitwise those of [`Simulation::run`], whatever the pieces. A change of a variable at a
/// communication point is bitwise an override of this time that was known before the run. A failure ends the run;
/// [`Session::finish`] returns the error and the results before it.
pub struct Session<'o> {
    simulation: Simulation,
    prepared: Prepared,
    state: RunState,
    observers: Vec<Box<dyn Observer + Send + 'o>>,
    /// `None` if the run could not be started.
    stepping: Option<OnlySteps>,
    /// Set once the run is over.
    outcome: Option<Result<End, Box<Error>>>,
    /// Whether there are changes for the next step.
    has_changes: bool,
    /// Whether the values read for rows are those of this point.
    is_read: bool,
    /// Whether trials have shown that no instance needs the guarantee that no state will be restored, and which ones return to
    /// their states.
    is_rollback_known: bool,
}

impl Simulation {
    /// Begins a run in pieces: initializes the instances. Observers receive the first row. A failure is that of
    /// [`Session::finish`].
    ///
    /// # Errors
    /// The simulation has a `tolerance`, which repeats whole runs, or keeps checkpoints.
    pub fn start<'o>(mut self, mut observers: Vec<Box<dyn Observer + Send + 'o>>) -> Result<Session<'o>, SessionRefusal> {
        self.check_session()?;
        self.make_settable();
        let prepared = self.prepare();
        self.instance_set.coupled.begin();
        let mut state = RunState::new(&self.system, &self.instance_set.coupled);
        let mut each = each(&mut observers);
        let (prepared, started) = match prepared {
            Ok(prepared) => {
                prepared.report_to(&mut each);
                let started = self.start_steps(&mut state, &mut each);
                (prepared, started)
            }
            Err(error) => (Prepared::default(), Err(error)),
        };
        let (stepping, outcome) = match started {
            Ok(stepping) => (Some(stepping), None),
            Err(error) => (None, Some(Err(error))),
        };
        Ok(Session {
            simulation: self,
            prepared,
            state,
            observers,
            stepping,
            outcome,
            has_changes: false,
            is_read: false,
            is_rollback_known: false,
        })
    }

    /// Checks that [`Simulation::start`] can begin a run in pieces.
    ///
    /// # Errors
    /// As for [`Simulation::start`].
    pub fn check_session(&self) -> Result<(), SessionRefusal> {
        if matches!(self.system.resolved.experiment.stepping, Stepping::Verified(_)) {
            return Err(SessionRefusal::Tolerance);
        }
        if self.keeps_checkpoints() { Err(SessionRefusal::Checkpoints) } else { Ok(()) }
    }

    fn start_steps(&mut self, state: &mut RunState, observers: &mut [&mut dyn Observer]) -> Result<OnlySteps, Box<Error>> {
        let system = &self.system;
        let run_loop = &mut RunLoop::new(&mut self.instance_set, system, state, None, observers);
        run_loop.coupled.expect_refusals(&system.refused_sizes, false);
        let options = |steps| RunOptions { is_session: true, ..RunOptions::new(&system.set_up, steps) };
        match &system.resolved.experiment.stepping {
            Stepping::Fixed(size) => OnlySteps::start_fixed(run_loop, system, options(Steps::Fixed(*size)), *size),
            Stepping::Controlled(steps) => {
                OnlySteps::start_controlled(run_loop, system, options(Steps::Controlled(steps)), steps)
            }
            Stepping::Verified(_) => Err(Box::new(SessionRefusal::Tolerance.into())),
        }
    }
}

/// Each observer of a session.
fn each<'s>(observers: &'s mut [Box<dyn Observer + Send + '_>]) -> Vec<&'s mut dyn Observer> {
    observers.iter_mut().map(|observer| &mut **observer as &mut dyn Observer).collect()
}

impl Session<'_> {
    /// The last communication point \[s\].
    #[must_use]
    pub fn time(&self) -> f64 {
        self.state.clock.time
    }

    /// The simulation.
    #[must_use]
    pub fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    /// Whether the run can continue: it has neither ended nor failed.
    #[must_use]
    pub fn can_continue(&self) -> bool {
        self.outcome.is_none()
    }

    /// Steps until the first communication point at or after `time` \[s\]. Returns true if the run can continue from there.
    ///
    /// No step is changed for it. Where the coupling scheme leaves an instance behind, the run pauses at the next row.
    pub fn advance_to(&mut self, time: f64) -> bool {
        if self.has_reached(time) {
            return self.can_continue();
        }
        let until = time - self.slack();
        self.advance(|stepping, run_loop| stepping.advance(run_loop, until))
    }

    /// Makes one communication step. Returns true if the run can continue from its end.
    pub fn step(&mut self) -> bool {
        let after = self.time().next_up();
        self.advance(|stepping, run_loop| stepping.advance(run_loop, after))
    }

    /// Whether the run has reached `time` \[s\].
    #[must_use]
    pub fn has_reached(&self, time: f64) -> bool {
        self.time() >= time - self.slack()
    }

    /// Steps until exactly `time` \[s\]: the step that would pass it ends there, with a row, as at a time event. Returns true if
    /// the run can continue from there.
    ///
    /// # Errors
    /// An FMU takes steps of one size only.
    pub fn advance_exactly_to(&mut self, time: f64) -> Result<bool, SessionRefusal> {
        self.land(time, time - self.slack())
    }

    /// Makes one communication step, which ends at `time` \[s\] if it would pass it; otherwise like
    /// [`Session::advance_exactly_to`].
    ///
    /// # Errors
    /// An FMU takes steps of one size only.
    pub fn step_toward(&mut self, time: f64) -> Result<bool, SessionRefusal> {
        self.land(time, self.time().next_up())
    }

    fn land(&mut self, time: f64, until: f64) -> Result<bool, SessionRefusal> {
        if self.simulation.system.same_size {
            return Err(SessionRefusal::OneSize);
        }
        if self.has_reached(time) {
            return Ok(self.can_continue());
        }
        Ok(self.advance(|stepping, run_loop| {
            let has_schedule = run_loop.schedule.is_some();
            run_loop.schedule.get_or_insert_with(|| Schedule::of(run_loop.system)).land_at(Some(time));
            let result = stepping.advance(run_loop, until);
            run_loop.schedule.iter_mut().for_each(|schedule| schedule.land_at(None));
            if !has_schedule {
                *run_loop.schedule = None;
            }
            result
        }))
    }

    /// Times that differ by no more than this are equal \[s\].
    fn slack(&self) -> f64 {
        self.simulation.system.resolved.time_events.slack
    }

    fn advance(&mut self, act: impl FnOnce(&mut OnlySteps, &mut RunLoop<'_, '_>) -> Result<Option<End>, Box<Error>>) -> bool {
        self.settle();
        self.is_read = false;
        let (None, Some(stepping)) = (&self.outcome, &mut self.stepping) else { return false };
        let Simulation { system, instance_set, .. } = &mut self.simulation;
        instance_set.coupled.promise();
        let mut each = each(&mut self.observers);
        let mut run_loop = RunLoop::new(instance_set, system, &mut self.state, None, &mut each);
        self.outcome = act(stepping, &mut run_loop).transpose();
        self.outcome.is_none()
    }

    /// Makes a variable one that can be set; returns its number.
    pub fn make_settable(&mut self, target: &Target) -> usize {
        self.simulation.instance_set.coupled.make_settable(target)
    }

    /// Sets a variable by its number at this communication point; `None` connects an input again. Changes at one point take
    /// effect together, before the next step or when a variable is read.
    ///
    /// # Errors
    /// The run is over.
    pub fn set(&mut self, target: usize, value: Option<TypedValue>) -> Result<(), SessionRefusal> {
        if self.outcome.is_some() {
            return Err(SessionRefusal::Over);
        }
        let time = self.time();
        self.simulation.instance_set.coupled.add_change(Action { time, target, value, bias: 0.0 });
        self.has_changes = true;
        Ok(())
    }

    /// Carries out the changes.
    fn settle(&mut self) {
        if std::mem::take(&mut self.has_changes) && self.outcome.is_none() {
            self.is_read = false;
            self.outcome = self.with_loop(|run_loop| run_loop.change()).err().map(Err);
        }
    }

    fn with_loop<T>(&mut self, act: impl FnOnce(&mut RunLoop<'_, '_>) -> T) -> T {
        let Simulation { system, instance_set, .. } = &mut self.simulation;
        let mut each = each(&mut self.observers);
        act(&mut RunLoop::new(instance_set, system, &mut self.state, None, &mut each))
    }

    /// Ends the run at its current point, or after its end. The simulation can run again.
    ///
    /// # Errors
    /// The reason why the run failed, with the report up to the failure.
    pub fn finish(mut self) -> (Simulation, Result<Report, Box<RunFailure>>) {
        self.settle();
        let outcome = self.outcome.unwrap_or(Ok(End::Stopped));
        let Simulation { system, instance_set, set_factory, .. } = &mut self.simulation;
        let mut each = each(&mut self.observers);
        let mut run_loop = RunLoop::new(instance_set, system, &mut self.state, None, &mut each);
        if let Some(stepping) = &self.stepping {
            stepping.conclude(&mut run_loop);
        }
        let ended = finish(run_loop, system, outcome);
        instance_set.coupled.free_retained();
        instance_set.coupled.forget_changes(set_factory.overrides.as_deref());
        let result = self.simulation.complete_single(ended, &self.prepared);
        (self.simulation, result)
    }

    fn report_return(&mut self, rows: u64) {
        let time = self.time();
        self.observers.iter_mut().for_each(|observer| observer.observe(&Notification::Returned { time, rows }));
    }
}
