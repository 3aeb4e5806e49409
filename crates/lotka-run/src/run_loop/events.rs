//! Events in a run: a step that would pass one is rolled back and ends there.
//!
//! The [locator](super::event_locator) finds the place. The step that is kept ends where the reacting instances have seen the
//! crossing. Two rows have the time of the event: the first has the values before the crossing, the second has the immediate
//! reactions.
//!
//! An instance that receives the mean of an input over each step does not see a crossing at the end of one. Therefore the
//! shortest possible step follows, and the row after the event is that at its end.

use lotka_step::{
    Error,
    algorithm::{Attempt, Level, call_failed},
    error_control::Estimates,
};

use super::{
    Flow, RunLoop,
    event_locator::{ShortenedStep, StepAttempts, Verdict},
};
use crate::{
    event::{Cause, Pending, tolerance},
    record::Notification,
    schedule::Schedule,
    stepping::{Proposal, Stepping},
};

/// The proposed step, shortened to end at a time event.
#[inline(always)]
pub(super) fn regular<S: Stepping>(stepping: &S, schedule: Option<&Schedule>, t: f64) -> Proposal {
    let Some(schedule) = schedule else { return stepping.propose(t) };
    schedule.cut(t, stepping.propose(t))
}

impl RunLoop<'_, '_> {
    /// Tries a step instead of the proposed one.
    #[cold]
    pub(super) fn try_shortened<S: Stepping>(&mut self, stepping: &mut S, shortened: ShortenedStep) -> Result<Flow, Box<Error>> {
        let proposal = shortened.proposal();
        self.statistics.counters.n_step_attempts += 1;
        match stepping.attempt(self.method, self.coupled, self.clock.t, &proposal) {
            Attempt::Continue(estimates) => self.look_for_events(stepping, (proposal, estimates), Some(shortened)),
            Attempt::Break(stop) => self.stopped(stepping, proposal, *stop),
        }
    }

    /// Looks for events in a step that was made.
    pub(super) fn look_for_events<S: Stepping>(
        &mut self,
        stepping: &mut S,
        made: (Proposal, Option<Estimates>),
        shortened: Option<ShortenedStep>,
    ) -> Result<Flow, Box<Error>> {
        let Some(locator) = self.locator.as_mut() else { return self.judge::<S, false>(stepping, &made.0, made.1) };
        let (schedule, t) = (self.schedule.as_ref(), self.clock.t);
        let mut attempts = StepAttempts { stepping, method: self.method, coupled: self.coupled, t, is_at_begin: false };
        let verdict = locator.look(&mut attempts, made, shortened, |stepping| regular(stepping, schedule, t))?;
        match verdict {
            Verdict::Judge(proposal, estimates) => self.judge::<S, false>(stepping, &proposal, estimates),
            Verdict::Event(proposal, estimates, cause) => self.settle_event(stepping, &proposal, estimates, cause),
            Verdict::Reaction => self.end_event(stepping, &made.0),
            Verdict::Another => Ok(Flow::SamePoint),
            Verdict::Stopped(attempted, stop) => self.stopped(stepping, attempted, *stop),
        }
    }

    /// Handles a step refused by an instance that reports where the next one must end. Returns true if there is such a step.
    pub(super) fn shorten_step<S: Stepping>(
        &mut self,
        stepping: &mut S,
        refused: &Proposal,
        end: (Cause, f64),
    ) -> Result<bool, Box<Error>> {
        let Some(locator) = self.locator.as_mut() else { return Ok(false) };
        let mut attempts =
            StepAttempts { stepping, method: self.method, coupled: self.coupled, t: self.clock.t, is_at_begin: false };
        locator.shorten(&mut attempts, refused, end)
    }

    /// Ends a step at an event: writes rows before and after it, and restarts everything that depends on the past.
    fn settle_event<S: Stepping>(
        &mut self,
        stepping: &mut S,
        proposal: &Proposal,
        estimates: Option<Estimates>,
        cause: Cause,
    ) -> Result<Flow, Box<Error>> {
        let proposal = Proposal { is_event: true, ..*proposal };
        if !self.keeps(stepping, &proposal, estimates)? {
            return Ok(Flow::SamePoint);
        }
        self.statistics.counters.n_events += 1;
        self.monitors.pass_event();
        if cause == Cause::Crossing {
            self.monitors.check_switches(self.coupled, self.begin, proposal.end, proposal.h)?;
        }
        if matches!(cause, Cause::EventMode { .. })
            && let Some(locator) = self.locator.as_mut()
        {
            locator.keep_before(self.coupled)?;
        }
        let is_averaged = cause == Cause::Crossing
            && !proposal.last
            && self.system.resolved.experiment.internal_step.is_none()
            && self.is_averaged();
        self.note_event(proposal.end, cause);
        if !is_averaged {
            if proposal.row && self.shares_rows {
                self.row_before(proposal.end);
            }
            self.report_event(proposal.end)?;
            self.coupled.restart_signals(false);
            return self.accept::<S, false>(stepping, &Proposal { row: true, ..proposal }, estimates);
        }
        self.coupled.restart_signals(false);
        let flow = self.accept::<S, false>(stepping, &proposal, estimates)?;
        let (t, h) = (self.clock.t, tolerance(None, self.clock.t));
        if regular(stepping, self.schedule.as_ref(), t).h > 2.0 * h {
            self.locator.iter_mut().for_each(|locator| locator.react(t, h));
        } else {
            self.report_event(self.clock.time)?;
            self.row(self.clock.time)?;
        }
        Ok(flow)
    }

    /// Handles an event at the communication point itself, for which an instance made no step.
    pub(super) fn event_here(&mut self, instance: usize) -> Result<Flow, Box<Error>> {
        self.coupled.restore_others(instance, Level::Communication)?;
        self.coupled.await_event(instance);
        if let Some(locator) = self.locator.as_mut() {
            locator.keep_before(self.coupled)?;
        }
        self.statistics.counters.n_events += 1;
        self.monitors.pass_event();
        self.note_event(self.clock.time, Cause::EventMode { instance });
        self.report_event(self.clock.time)?;
        self.coupled.restart_signals(false);
        self.row(self.clock.time)?;
        self.pass_cut()?;
        Ok(Flow::NewPoint)
    }

    /// Follows the watched signals at the end of an accepted step, and announced events up to there.
    #[inline]
    pub(super) fn follow_events(&mut self, proposal: &Proposal) -> Result<(), Box<Error>> {
        let Some(locator) = self.locator.as_mut() else { return Ok(()) };
        locator.events.follow(&self.coupled.newest, proposal.h);
        match locator.take_lost(proposal) {
            Some(event) => self.lose_event(event),
            None => Ok(()),
        }
    }

    /// Whether an instance receives the mean of a signal that crossed its level: the mean over the step that ends there is not
    /// past the level.
    fn is_averaged(&self) -> bool {
        let (Some(locator), Some(inputs)) = (&self.locator, &self.coupled.inputs) else { return false };
        locator.events.crossed(&self.coupled.newest).any(|signal| inputs.is_averaged(&self.coupled.plan, signal))
    }

    /// Ends the event after the short step. Its error is not tested, because values may jump. Other crossings in it belong to the
    /// same event.
    fn end_event<S: Stepping>(&mut self, stepping: &S, proposal: &Proposal) -> Result<Flow, Box<Error>> {
        let crosses = self.locator.as_ref().is_some_and(|locator| locator.events.crossing(&self.coupled.newest) > 0.0);
        if crosses {
            self.note_event(proposal.end, Cause::Crossing);
        }
        self.report_event(proposal.end)?;
        self.coupled.restart_signals(false);
        self.accept::<S, false>(stepping, &Proposal { row: true, ..*proposal }, None)
    }

    /// Ends an event without the short step, which was refused.
    pub(super) fn give_up_reaction(&mut self) -> Result<Flow, Box<Error>> {
        self.coupled.restore(Level::Communication)?;
        self.report_event(self.clock.time)?;
        self.row(self.clock.time)?;
        Ok(Flow::SamePoint)
    }

    /// Whether an event is still to be reported.
    pub(super) fn is_amid_event(&self) -> bool {
        self.locator.as_ref().is_some_and(|locator| locator.events.is_pending())
    }

    /// Records an event at `time`, to be reported later.
    fn note_event(&mut self, time: f64, cause: Cause) {
        self.note_cut(cause);
        let Some(locator) = self.locator.as_mut() else { return };
        let (events, signals) = (&mut locator.events, &self.coupled.newest);
        let what = events.describe(cause, signals, |index| self.coupled.name(index).to_owned());
        let result = events.happened(cause, time, signals);
        events.postpone(Pending { what, result });
    }

    /// Reports the event at `time` and the values before it to the observers, and reads outputs again that follow discrete values
    /// at once.
    fn report_event(&mut self, time: f64) -> Result<(), Box<Error>> {
        let Some(locator) = self.locator.as_mut() else { return Ok(()) };
        let Some(Pending { what, result }) = locator.events.take_pending() else { return Ok(()) };
        self.reporter.emit(&Notification::EventLocated { time, what: &what });
        self.reporter.send_row(self.coupled, &locator.events.before, time);
        self.coupled.note_inputs_of(&locator.events.before);
        for &index in &*self.rereads {
            if self.coupled.plan.instances[index].reads() {
                self.coupled.reread(index)?;
            }
        }
        self.coupled.handle_events(time)?;
        let Some(locator) = self.locator.as_mut() else { return Ok(()) };
        locator.events.read_slopes(self.coupled).map_err(call_failed)?;
        self.expect_announced();
        result.map_err(|count| Box::new(Error::Chatter { what, time, count }))
    }

    /// Sends the values before an event to the observers as a row.
    fn row_before(&mut self, time: f64) {
        let Some(locator) = self.locator.as_mut() else { return };
        self.reporter.send_row(self.coupled, &locator.events.before, time);
    }
}
