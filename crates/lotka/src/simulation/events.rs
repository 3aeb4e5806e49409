//! Events in a run: a step that would cross one is rolled back and ends there.
//!
//! Discrete values are held while the place is looked for, as what reacts steps last and only once per attempt. The step that is kept ends
//! just past the crossing, so that what reacts to it sees it; the row before it comes from the other end of the bracket.

use std::mem;

use super::{
    driver::{Driver, Flow},
    stepping::{Proposal, Stepping},
};
use crate::{
    Error,
    algorithm::{Attempt, Level, Stop},
    error_control::Estimates,
    event::{Cause, Seen},
    record::{Event, Row},
};

/// A step that is tried in place of the one that the stepping proposes.
#[derive(Debug, Clone, Copy, serde::Serialize, serde::Deserialize)]
pub(super) struct Detour {
    proposal: Proposal,
    reason: Reason,
}

#[derive(Debug, Clone, Copy, serde::Serialize, serde::Deserialize)]
enum Reason {
    /// An event is at its end; with the estimates of the error just before.
    Event(Cause, Option<Estimates>),
    /// An indicator is on the other side there for a while.
    Excursion,
    /// The step before ended exactly on a level.
    PassLevel,
}

impl Driver<'_, '_> {
    /// The step to try: what the stepping proposes, or a detour.
    #[inline(always)]
    pub(super) fn propose<S: Stepping>(&mut self, stepping: &S) -> (Proposal, Option<Detour>) {
        let mut proposal = stepping.propose(self.t);
        if let Some(schedule) = &self.schedule {
            proposal = schedule.cut(self.t, proposal);
        }
        if self.events.is_none() {
            return (proposal, None);
        }
        let detour = self.detour.take();
        (detour.map_or(proposal, |detour| detour.proposal), detour)
    }

    /// A step was made; events inside of it come before the error test, which makes no sense across them.
    pub(super) fn watch<S: Stepping>(
        &mut self,
        stepping: &mut S,
        proposal: &Proposal,
        estimates: Option<Estimates>,
        detour: Option<Detour>,
    ) -> Result<Flow, Box<Error>> {
        let Some(events) = &mut self.events else { return self.judge(stepping, proposal, estimates) };
        events.read_slopes(self.coupled).map_err(|error| Box::new(Error::Call(error)))?;
        let begin = self.coupled.saved_signals(Level::Communication);
        match events.look(begin, &self.coupled.newest, proposal.h) {
            Seen::Crossing => self.locate(stepping, proposal, estimates),
            Seen::Excursion(h) if detour.is_none() && estimates.is_none_or(Estimates::pass) => {
                self.coupled.restore(Level::Communication)?;
                self.detour = Some(Detour { proposal: self.cut(h), reason: Reason::Excursion });
                Ok(Flow::SamePoint)
            }
            _ => match detour.map(|detour| detour.reason) {
                Some(Reason::Event(cause, before)) => self.settle_event(stepping, proposal, smaller(estimates, before), cause),
                Some(Reason::PassLevel) => {
                    let flow = self.judge(stepping, proposal, estimates)?;
                    self.coupled.restart_signals();
                    Ok(flow)
                }
                Some(Reason::Excursion) | None => self.judge(stepping, proposal, estimates),
            },
        }
    }

    /// A step of size `h` that ends where the stepping does not want it to.
    fn cut(&self, h: f64) -> Proposal {
        Proposal { h, end: self.t + h, row: false, last: false, lands: false, is_event: false, jumps: false }
    }

    /// Finds the first crossing inside a step that was made, and keeps the step that ends just past it.
    #[cold]
    fn locate<S: Stepping>(
        &mut self,
        stepping: &mut S,
        proposal: &Proposal,
        estimates: Option<Estimates>,
    ) -> Result<Flow, Box<Error>> {
        let Some(events) = &mut self.events else { return Ok(Flow::SamePoint) };
        let begin = self.coupled.saved_signals(Level::Communication);
        let mut bracket = events.bracket(begin, &self.coupled.newest, self.t, proposal.h);
        let (mut found, mut before) = ((*proposal, estimates), None);
        let mut is_at_begin = self.keep_begin()?;
        let mut is_there = !is_at_begin;
        while let Some(h) = bracket.next() {
            let trial = self.cut(h);
            let estimates = match self.try_again(stepping, &trial, mem::take(&mut is_at_begin))? {
                Attempt::Continue(estimates) => estimates,
                Attempt::Break(stop) => return self.stopped(stepping, &trial, *stop),
            };
            let value = self.events.as_ref().map_or(0.0, |events| events.crossing(&self.coupled.newest));
            is_there = bracket.narrow(h, value);
            if is_there {
                found = (trial, estimates);
            } else {
                self.keep_before()?;
                before = estimates;
            }
        }
        let (trial, mut estimates) = found;
        if !is_there {
            estimates = match self.try_again(stepping, &trial, is_at_begin)? {
                Attempt::Continue(estimates) => estimates,
                Attempt::Break(stop) => return self.stopped(stepping, &trial, *stop),
            };
        }
        self.settle_event(stepping, &trial, smaller(estimates, before), Cause::Crossing)
    }

    /// Goes back to the communication point, unless the instances are there, and tries another step.
    fn try_again<S: Stepping>(
        &mut self,
        stepping: &mut S,
        trial: &Proposal,
        is_at_begin: bool,
    ) -> Result<Attempt<Option<Estimates>>, Box<Error>> {
        if !is_at_begin {
            self.coupled.restore(Level::Communication)?;
        }
        Ok(stepping.attempt(self.method, self.coupled, self.t, trial))
    }

    /// The values at the communication point are those just before an event, unless others are found. Whether the instances are there again
    /// because they had to be asked for them.
    fn keep_begin(&mut self) -> Result<bool, Box<Error>> {
        let is_asked = self.coupled.reads_at_rows();
        if is_asked {
            self.coupled.restore(Level::Communication)?;
            self.keep_before()?;
        } else if let Some(events) = &mut self.events {
            events.before.copy_from(self.coupled.saved_signals(Level::Communication));
        }
        Ok(is_asked)
    }

    /// The values are those just before an event.
    fn keep_before(&mut self) -> Result<(), Box<Error>> {
        self.coupled.read_for_row()?;
        if let Some(events) = &mut self.events {
            events.before.copy_row_from(&self.coupled.newest);
        }
        Ok(())
    }

    /// A step ends at an event: rows before and after it, and a new start for everything that looks at the past.
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
        self.counters.n_events += 1;
        let is_on_level = self.events.as_ref().is_some_and(|events| events.crossing(&self.coupled.newest) == 0.0);
        self.tell_event(proposal.end, cause)?;
        self.coupled.restart_signals();
        let flow = self.accept(stepping, &Proposal { row: true, ..proposal }, estimates)?;
        if is_on_level && matches!(flow, Flow::NewPoint) {
            self.pass_level(stepping);
        }
        Ok(flow)
    }

    /// The step ended exactly on a level: what reacts only past it gets the chance to do so in a step that is as short as the tolerance. What
    /// looks at the past begins anew after that.
    fn pass_level<S: Stepping>(&mut self, stepping: &S) {
        let Some(h) = self.events.as_ref().map(|events| events.tolerance(self.t)) else { return };
        if stepping.propose(self.t).h > 2.0 * h {
            self.detour = Some(Detour { proposal: self.cut(h), reason: Reason::PassLevel });
        }
    }

    /// Tells the observers of an event at `time` and of the values before it, and reads again what follows discrete values at once.
    fn tell_event(&mut self, time: f64, cause: Cause) -> Result<(), Box<Error>> {
        let Some(mut events) = self.events.take() else { return Ok(()) };
        let what = events.describe(cause, &self.coupled.newest, |index| self.coupled.name(index).to_owned());
        let result = events.happened(cause, time, &self.coupled.newest);
        self.emit(&Event::EventLocated { time, what: &what });
        let sources = &self.coupled.plan.column_sources;
        self.n_rows += 1;
        let row = Event::Row(Row { time, signals: &events.before, sources, estimates: &[] });
        self.observers.iter_mut().for_each(|observer| observer.observe(&row));
        for &index in &events.rereads {
            self.coupled.reread(index).map_err(|error| Box::new(Error::Call(error)))?;
        }
        events.read_slopes(self.coupled).map_err(|error| Box::new(Error::Call(error)))?;
        self.events = Some(events);
        result.map_err(|count| Box::new(Error::Chatter { what, time, count }))
    }

    /// A step was discarded by an instance that says how far it could have gone: the next one ends there, with an event. Whether there is such
    /// a step.
    pub(super) fn take_detour<S: Stepping>(
        &mut self,
        stepping: &mut S,
        discarded: &Proposal,
        instance: usize,
        last_successful_time: f64,
    ) -> Result<bool, Box<Error>> {
        let Some(events) = &mut self.events else { return Ok(false) };
        let h = last_successful_time - self.t;
        if !(h > 0.0 && h < discarded.h && self.t + h > self.t && events.may_detour()) {
            return Ok(false);
        }
        let short = h - events.tolerance(self.t + h);
        let is_at_begin = self.keep_begin()?;
        let estimates = if short > 0.0 { self.look_before(stepping, short, is_at_begin)? } else { None };
        self.coupled.restore(Level::Communication)?;
        self.detour = Some(Detour { proposal: self.cut(h), reason: Reason::Event(Cause::Discard { instance }, estimates) });
        Ok(true)
    }

    /// Tries a step that ends just before an event, for the values there and their errors; they stay as they are if it is refused.
    fn look_before<S: Stepping>(&mut self, stepping: &mut S, h: f64, is_at_begin: bool) -> Result<Option<Estimates>, Box<Error>> {
        let estimates = match self.try_again(stepping, &self.cut(h), is_at_begin)? {
            Attempt::Continue(estimates) => estimates,
            Attempt::Break(stop) => match *stop {
                Stop::Failed(error) => return Err(error),
                Stop::Refused(_) => return Ok(None),
            },
        };
        self.keep_before()?;
        Ok(estimates)
    }
}

/// The smaller of the estimates just past an event and just before it. Two results of one step, as an estimator compares them, may be on
/// different sides of the event at one of these points, and then differ by all that happens there, but not at both.
fn smaller(past: Option<Estimates>, before: Option<Estimates>) -> Option<Estimates> {
    match (past, before) {
        (Some(past), Some(before)) if before.largest() < past.largest() || past.largest().is_nan() => Some(before),
        (past, _) => past,
    }
}
