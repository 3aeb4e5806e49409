//! The loop: it alone owns time, accept and reject, counters and events.
//!
//! Order inside an attempt: step, convergence, error test, commit, tell the controller. The loop allocates nothing and reads no clock.

use std::collections::VecDeque;

use lotka_instance::LogMessage;

use super::{
    CancelToken, Counters, End,
    checkpoints::CheckpointWriter,
    events::ShortenedStep,
    feedthrough::Watch,
    log_queue::LogQueue,
    noise, refuse,
    schedule::Schedule,
    stepping::{Judgment, Proposal, Stepping},
    switches::{self, Switch, Turns},
    unconverged::UnconvergedSteps,
};
use crate::{
    Error,
    algorithm::{Attempt, Coupled, Level, Method, Refusal, Signals, Stop},
    checkpoint::Contents,
    error::Scatter,
    error_control::Estimates,
    event::Events,
    record::{Event, Observer, Rejection},
    resolved,
};
use lotka_message::{Code, Warning};

pub(crate) struct Driver<'a, 'o> {
    pub(crate) coupled: &'a mut Coupled,
    pub(crate) method: &'a mut Method,
    pub(crate) observers: &'a mut [&'o mut dyn Observer],
    /// An observer wants to know of accepted steps.
    pub(crate) tells_steps: bool,
    pub(crate) log: &'a LogQueue,
    pub(crate) cancel: &'a CancelToken,
    pub(crate) counters: Counters,
    /// Steps accepted although they failed the error test.
    pub(crate) n_tolerated: u64,
    /// Steps accepted although a loop did not converge.
    pub(super) unconverged: UnconvergedSteps,
    pub(crate) largest_error: Option<f64>,
    pub(crate) warnings: Vec<Warning>,
    /// The communication point as the FMUs know it \[s\].
    pub(crate) t: f64,
    /// The same point as it is reported \[s\].
    pub(crate) time: f64,
    pub(crate) last_lines: VecDeque<LogMessage>,
    /// Values at the communication point.
    pub(crate) begin: Signals,
    /// Events that steps end at; none if nothing is watched.
    pub(crate) events: Option<Box<Events>>,
    pub(super) shortened: Option<ShortenedStep>,
    /// What is known to come; none if nothing is.
    pub(super) schedule: Option<Schedule<'a>>,
    /// Instances whose outputs follow their inputs at once and can be read again after a jump, in the order of evaluation.
    pub(super) rereads: Vec<usize>,
    /// Repeats the trials that the method relies on; none if it relies on none.
    pub(super) watch: Option<Watch<'a>>,
    /// Levels that are tried at events, beside all events, up to this time \[s\], and another one that shows.
    pub(super) switches: Vec<switches::Watched>,
    pub(super) declared: Option<&'a resolved::Events>,
    pub(super) stop: f64,
    pub(super) other_switch: Option<Box<Switch>>,
    /// Inputs that turn about; none if instances are not tried for that.
    pub(super) turns: Option<Box<Turns>>,
    /// Rows at known times are there also where an event is at the same time: all runs are to have them.
    pub(super) shares_rows: bool,
    /// Rows that went to the observers.
    pub(crate) n_rows: u64,
    /// Recorded columns that were warned of: they had a value that is not finite.
    pub(crate) odd_columns: Vec<usize>,
    /// Makes checkpoints; none if nobody can ask for one.
    pub(crate) checkpoint_writer: Option<CheckpointWriter<'a>>,
    /// Where the run goes on from; none if it begins.
    pub(crate) from: Option<&'a Contents>,
}

/// Where the loop is after an attempt.
pub(super) enum Flow {
    /// Another step is tried from the same communication point.
    SamePoint,
    NewPoint,
    End(End),
}

impl Driver<'_, '_> {
    /// Steps until the run ends. Rows go to the observers, the first one at the start, unless the run goes on from a checkpoint.
    pub(crate) fn run<S: Stepping>(&mut self, stepping: &mut S) -> Result<End, Box<Error>> {
        let saves = stepping.needs_rollback() || self.method.needs_rollback() || self.events.is_some();
        self.tells_steps = self.observers.iter().any(|observer| observer.wants_steps());
        match self.from {
            None => self.row(self.time)?,
            Some(contents) => self.recall(stepping, contents)?,
        }
        let mut is_new_point = true;
        loop {
            if is_new_point {
                self.keep_if_asked(stepping)?;
            }
            if is_new_point && (self.is_canceled() || !self.trials_hold()?) {
                return Ok(End::Canceled);
            }
            if is_new_point {
                self.begin.copy_from(&self.coupled.newest);
            }
            if is_new_point && saves {
                self.coupled.save(Level::Communication, self.t)?;
            }
            let (proposal, shortened) = self.propose(stepping);
            self.counters.n_step_attempts += 1;
            let flow = match stepping.attempt(self.method, self.coupled, self.t, &proposal) {
                Attempt::Continue(estimates) if self.events.is_some() => self.watch(stepping, &proposal, estimates, shortened)?,
                Attempt::Continue(estimates) => self.judge(stepping, &proposal, estimates)?,
                Attempt::Break(stop) => self.stopped(stepping, &proposal, *stop)?,
            };
            is_new_point = match flow {
                Flow::NewPoint => true,
                Flow::SamePoint => false,
                Flow::End(end) => return Ok(end),
            };
        }
    }

    /// Whether the run is to end here. Between an event and the step that shows what comes of it, it goes on.
    #[inline]
    fn is_canceled(&self) -> bool {
        self.cancel.is_canceled() && !self.is_amid_event()
    }

    /// Makes the trials that are due. Whether the method can go on relying on them.
    #[inline]
    fn trials_hold(&mut self) -> Result<bool, Box<Error>> {
        let holds = self.watch.as_mut().map_or(Ok(true), |watch| watch.holds(self.coupled, self.t))?;
        Ok(holds && self.other_switch.is_none())
    }

    /// Accepts a step, or rolls it back for another one.
    #[inline(always)]
    pub(super) fn judge<S: Stepping>(
        &mut self,
        stepping: &mut S,
        proposal: &Proposal,
        estimates: Option<Estimates>,
    ) -> Result<Flow, Box<Error>> {
        if !self.keeps(stepping, proposal, estimates)? {
            return Ok(Flow::SamePoint);
        }
        if let Some(tracer) = &mut self.coupled.tracer {
            tracer.follow(&self.coupled.newest, (proposal.end, proposal.h), proposal.is_due(), proposal.ends_base);
        }
        if let Some(pauses) = &mut self.coupled.pauses {
            pauses.follow(&self.coupled.newest, proposal.end, proposal.h);
        }
        self.accept(stepping, proposal, estimates)
    }

    /// Whether a step that was made is kept; it is rolled back otherwise.
    #[inline(always)]
    pub(super) fn keeps<S: Stepping>(
        &mut self,
        stepping: &mut S,
        proposal: &Proposal,
        estimates: Option<Estimates>,
    ) -> Result<bool, Box<Error>> {
        match stepping.judge(proposal, estimates) {
            Judgment::Accepted => Ok(true),
            Judgment::Tolerated => {
                self.counters.n_error_test_failures += 1;
                self.n_tolerated += 1;
                Ok(true)
            }
            Judgment::Rejected(rejection) => {
                self.reject(proposal, rejection);
                self.coupled.restore(Level::Communication).map(|()| false)
            }
            Judgment::Unrecoverable(rejection, reason) => Err(self.give_up(proposal, rejection, reason)),
        }
    }

    #[inline(always)]
    pub(super) fn accept<S: Stepping>(
        &mut self,
        stepping: &S,
        proposal: &Proposal,
        estimates: Option<Estimates>,
    ) -> Result<Flow, Box<Error>> {
        if self.method.unconverged().is_some() {
            self.keep_unconverged(proposal);
        }
        self.t += proposal.h;
        self.time = proposal.end;
        self.counters.n_steps += 1;
        if let Some(bonds) = &mut self.coupled.bonds
            && (proposal.is_due() || self.method.late().is_none())
        {
            bonds.accept(self.t);
        }
        if let Some(estimates) = estimates {
            let error = estimates.largest();
            self.largest_error = Some(self.largest_error.map_or(error, |largest| largest.max(error)));
        }
        if self.log.is_waiting() {
            self.drain_log();
        }
        if self.coupled.slope_faults.are_untold() {
            self.tell_slope_faults();
        }
        if self.tells_steps {
            self.tell_step(stepping, proposal, estimates);
        }
        if let Some(events) = &mut self.events {
            events.follow(&self.coupled.newest, proposal.h);
        }
        if self.turns.is_some() {
            self.follow_turns(proposal.h, (proposal.is_due(), proposal.is_event))?;
        }
        if proposal.row || proposal.jumps {
            self.row(proposal.end)?;
        }
        if let Some(schedule) = &mut self.schedule
            && let Some(passed) = schedule.pass(proposal.end)
            && !proposal.last
        {
            match passed.jump {
                Some(time) => {
                    let latest = schedule.latest(time);
                    self.jump(time, latest)?;
                }
                None if passed.samples => {
                    self.coupled.restart_signals(true);
                    self.watch.iter_mut().for_each(Watch::pass_event);
                }
                None => self.coupled.restart_trace(false, false),
            }
        }
        Ok(if proposal.last { Flow::End(End::StopTime) } else { Flow::NewPoint })
    }

    /// Sources jump, or variables are overridden: what follows them at once is read again, what looks at the past begins anew, and there is
    /// a row with the values after it.
    #[cold]
    fn jump(&mut self, time: f64, latest: f64) -> Result<(), Box<Error>> {
        self.coupled.enter_sources(time);
        self.coupled.enter_overrides(latest)?;
        self.read_again()?;
        self.coupled.restart_signals(false);
        self.watch.iter_mut().for_each(Watch::pass_event);
        self.row(self.time)
    }

    /// Reads what follows inputs at once.
    pub(super) fn read_again(&mut self) -> Result<(), Box<Error>> {
        for position in 0..self.rereads.len() {
            self.coupled.reread(self.rereads[position]).map_err(|error| Box::new(Error::Call(error)))?;
        }
        Ok(())
    }

    /// Counts and reports a rejected step.
    #[cold]
    fn reject(&mut self, proposal: &Proposal, reason: Rejection) {
        match reason {
            Rejection::ErrorTest { .. } => self.counters.n_error_test_failures += 1,
            Rejection::NotConverged { .. } => self.counters.n_convergence_failures += 1,
            Rejection::Discarded { .. } => self.counters.n_discards += 1,
            Rejection::NotFinite { .. } => {}
        }
        self.drain_log();
        let variable = refuse::variable(self.coupled, reason);
        let event = Event::StepRejected { time: self.time, step: proposal.h, reason, variable };
        self.observers.iter_mut().for_each(|observer| observer.observe(&event));
    }

    /// A step could not be made: roll back for another one, or end the run.
    #[cold]
    pub(super) fn stopped<S: Stepping>(&mut self, stepping: &mut S, proposal: &Proposal, stop: Stop) -> Result<Flow, Box<Error>> {
        let rejection = match stop {
            Stop::Refused(refusal) => Rejection::from(refusal),
            Stop::Failed(error) => return Err(error),
        };
        self.reject(proposal, rejection);
        if self.is_amid_event() {
            return self.give_up_reaction();
        }
        if let Rejection::Discarded { instance, last_successful_time, terminate: true } = rejection {
            return self.terminated(stepping, instance, last_successful_time).map(Flow::End);
        }
        if let Rejection::Discarded { instance, last_successful_time: Some(time), .. } = rejection
            && self.shorten_step(stepping, proposal, instance, time)?
        {
            return Ok(Flow::SamePoint);
        }
        if let Err(reason) = stepping.refused(proposal) {
            return Err(self.give_up(proposal, rejection, reason));
        }
        self.coupled.restore(Level::Communication)?;
        Ok(Flow::SamePoint)
    }

    /// An instance asks for the end at a time inside the step: all go there if they can, else the row there has what this instance computed, and
    /// the values of the communication point of all others.
    fn terminated<S: Stepping>(
        &mut self,
        stepping: &mut S,
        instance: usize,
        last_successful_time: Option<f64>,
    ) -> Result<End, Box<Error>> {
        let name = self.coupled.name(instance).to_owned();
        let end = End::TerminatedByInstance { instance: name, last_successful_time };
        let stop = last_successful_time.filter(|stop| *stop > self.t);
        if !stepping.needs_rollback() {
            return match stop {
                Some(stop) => self.end_inside(instance, stop).map(|()| end),
                None => Ok(end),
            };
        }
        self.coupled.restore(Level::Communication)?;
        let Some(stop) = stop else { return Ok(end) };
        let proposal = Proposal {
            h: stop - self.t,
            end: stop,
            row: true,
            last: true,
            lands: true,
            is_event: false,
            jumps: false,
            ends_base: false,
        };
        self.counters.n_step_attempts += 1;
        match stepping.attempt(self.method, self.coupled, self.t, &proposal) {
            // It is shorter than a step that was to be made anyway, so its error is not tested.
            Attempt::Continue(estimates) => return self.accept(stepping, &proposal, estimates).map(|_| end),
            Attempt::Break(why) => match *why {
                Stop::Failed(error) => return Err(error),
                Stop::Refused(refusal) => {
                    let is_there = matches!(&refusal, Refusal::Discarded { instance: other, discard } if *other == instance && discard.terminate);
                    self.reject(&proposal, refusal.into());
                    if is_there {
                        return self.end_inside(instance, stop).map(|()| end);
                    }
                }
            },
        }
        self.coupled.restore(Level::Communication).map(|()| end)
    }

    /// The last row of a run that an instance ends at `stop`, where it is: reading is allowed after a discarded step. The others were at the
    /// communication point, or are past it.
    fn end_inside(&mut self, instance: usize, stop: f64) -> Result<(), Box<Error>> {
        if self.coupled.members.len() > 1 {
            let name = self.coupled.name(instance);
            let text = format!(
                "instance `{name}` requested the end of the simulation at t = {stop} s, inside a step, and not all instances \
                 can be rolled back: the last row has the values of t = {} s for all others",
                self.time
            );
            self.warn(Warning::new(Code::EndedInsideStep, text));
        }
        self.coupled.newest.copy_from(&self.begin);
        self.coupled.read_alone(instance)?;
        (self.t, self.time) = (stop, stop);
        self.drain_log();
        self.tell_row(stop);
        Ok(())
    }

    #[cold]
    fn give_up(&mut self, proposal: &Proposal, rejection: Rejection, reason: refuse::Reason) -> Box<Error> {
        if matches!(rejection, Rejection::ErrorTest { .. }) {
            self.reject(proposal, rejection);
        }
        let mut error = refuse::error(self.coupled, rejection, reason, (self.time, proposal.h), self.method.iteration_limit());
        if let (Rejection::NotConverged { component, .. }, Error::NotConverged { scatter, .. }) = (rejection, &mut error) {
            *scatter = self.scatter_of(component, proposal.h);
        }
        if let Error::Discarded { instance, log, .. } = &mut error {
            log.extend(self.last_lines.iter().filter(|line| line.instance == *instance).map(|line| line.message.clone()));
        }
        Box::new(error)
    }

    /// The noise of a loop that did not converge, if it is the reason. The run is over, so that an instance that fails now says nothing new.
    fn scatter_of(&mut self, component: usize, h: f64) -> Option<Box<Scatter>> {
        let tolerances = self.method.iteration_tolerances()?;
        self.coupled.restore(Level::Communication).ok()?;
        let members = self.coupled.plan.components[component].members.clone();
        let found = noise::scatter(self.coupled, |index| members.contains(&index), self.t, h).ok()?;
        noise::reason(self.coupled, &found, tolerances)
    }
}
