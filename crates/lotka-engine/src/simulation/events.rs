//! Events in a run: a step that would cross one is rolled back and ends there.
//!
//! Discrete values are held while the place is looked for (`location.rs`), as what reacts steps last and only once per attempt. The step that is
//! kept ends where what reacts has seen the crossing; the row before it comes from before the level.
//!
//! Who is given the mean of an input over each step does not see a crossing at the end of one. A step as short as time allows follows then,
//! and the row after the event is that at its end.

use super::{
    driver::{Driver, Flow},
    feedthrough::Watch,
    stepping::{Proposal, Stepping},
};
use crate::{
    Error,
    algorithm::{Attempt, Level, Stop, proceed},
    error_control::Estimates,
    event::{Cause, Pending, Seen, tolerance},
    record::{Event, Row},
};

/// A step that is tried in place of the one that the stepping proposes.
#[derive(Debug, Clone, Copy, serde::Serialize, serde::Deserialize)]
pub(super) struct ShortenedStep {
    proposal: Proposal,
    reason: Reason,
}

#[derive(Debug, Clone, Copy, serde::Serialize, serde::Deserialize)]
enum Reason {
    /// An event is at its end; with the estimates of the error just before.
    Event(Cause, Option<Estimates>),
    /// An indicator is on the other side there for a while.
    Excursion,
    /// It comes after an event, so short that instances which are given means see what came of it.
    Reaction,
    /// An indicator may be on the other side there: it is a step only if it is.
    Touch,
    /// The step before that, which is made after all.
    Whole,
}

impl Driver<'_, '_> {
    /// The step to try: what the stepping proposes, or a shortened.
    #[inline(always)]
    pub(super) fn propose<S: Stepping>(&mut self, stepping: &S) -> (Proposal, Option<ShortenedStep>) {
        let proposal = self.regular(stepping);
        if self.events.is_none() {
            return (proposal, None);
        }
        let shortened = self.shortened.take();
        (shortened.map_or(proposal, |shortened| shortened.proposal), shortened)
    }

    /// What the stepping proposes, cut where something is known to come.
    #[inline(always)]
    fn regular<S: Stepping>(&self, stepping: &S) -> Proposal {
        let proposal = stepping.propose(self.t);
        self.schedule.as_ref().map_or(proposal, |schedule| schedule.cut(self.t, proposal))
    }

    /// A step was made; events inside of it come before the error test, which makes no sense across them.
    pub(super) fn watch<S: Stepping>(
        &mut self,
        stepping: &mut S,
        proposal: &Proposal,
        estimates: Option<Estimates>,
        shortened: Option<ShortenedStep>,
    ) -> Result<Flow, Box<Error>> {
        let Some(events) = &mut self.events else { return self.judge(stepping, proposal, estimates) };
        events.read_slopes(self.coupled).map_err(|error| Box::new(Error::Call(error)))?;
        if shortened.is_some_and(|shortened| matches!(shortened.reason, Reason::Reaction)) {
            return self.end_event(stepping, proposal);
        }
        let begin = self.coupled.saved_signals(Level::Communication);
        if shortened.is_some_and(|shortened| matches!(shortened.reason, Reason::Touch)) {
            events.touch(proposal.end, &self.coupled.newest);
        }
        match events.look(begin, &self.coupled.newest, proposal.h) {
            Seen::Crossing => self.locate(stepping, proposal, estimates),
            Seen::Excursion(h) if shortened.is_none() && estimates.is_none_or(Estimates::pass) => {
                self.coupled.restore(Level::Communication)?;
                self.shortened = Some(ShortenedStep { proposal: self.cut(h), reason: Reason::Excursion });
                Ok(Flow::SamePoint)
            }
            Seen::Touch(h) if shortened.is_none() && estimates.is_none_or(Estimates::pass) => {
                self.coupled.restore(Level::Communication)?;
                self.shortened = Some(ShortenedStep { proposal: self.cut(h), reason: Reason::Touch });
                Ok(Flow::SamePoint)
            }
            _ => match shortened.map(|shortened| shortened.reason) {
                Some(Reason::Touch) => {
                    self.coupled.restore(Level::Communication)?;
                    self.shortened = Some(ShortenedStep { proposal: self.regular(stepping), reason: Reason::Whole });
                    Ok(Flow::SamePoint)
                }
                Some(Reason::Event(cause, before)) => self.settle_event(stepping, proposal, smaller(estimates, before), cause),
                _ => self.judge(stepping, proposal, estimates),
            },
        }
    }

    /// A step of size `h` that ends where the stepping does not want it to.
    pub(super) fn cut(&self, h: f64) -> Proposal {
        Proposal { h, end: self.t + h, row: false, last: false, lands: false, is_event: false, jumps: false, ends_base: false }
    }

    /// Goes back to the communication point, unless the instances are there, and tries another step.
    pub(super) fn try_again<S: Stepping>(
        &mut self,
        stepping: &mut S,
        trial: &Proposal,
        is_at_begin: bool,
    ) -> Attempt<Option<Estimates>> {
        if !is_at_begin {
            proceed(self.coupled.restore(Level::Communication))?;
        }
        stepping.attempt(self.method, self.coupled, self.t, trial)
    }

    /// The values at the communication point are those just before an event, unless others are found. Whether the instances are there again
    /// because they had to be asked for them.
    pub(super) fn keep_begin(&mut self) -> Result<bool, Box<Error>> {
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
    pub(super) fn keep_before(&mut self) -> Result<(), Box<Error>> {
        self.coupled.read_for_row()?;
        if let Some(events) = &mut self.events {
            events.before.copy_row_from(&self.coupled.newest);
        }
        Ok(())
    }

    /// A step ends at an event: rows before and after it, and a new start for everything that looks at the past.
    pub(super) fn settle_event<S: Stepping>(
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
        self.watch.iter_mut().for_each(Watch::pass_event);
        if cause == Cause::Crossing && !self.switches.is_empty() {
            self.check_switches(proposal.end, proposal.h)?;
        }
        let is_averaged = cause == Cause::Crossing && !proposal.last && self.is_averaged();
        self.note_event(proposal.end, cause);
        if !is_averaged {
            if proposal.row && self.shares_rows {
                self.tell_row_before(proposal.end);
            }
            self.tell_event(proposal.end)?;
            self.coupled.restart_signals(false);
            return self.accept(stepping, &Proposal { row: true, ..proposal }, estimates);
        }
        self.coupled.restart_signals(false);
        let flow = self.accept(stepping, &proposal, estimates)?;
        let h = tolerance(None, self.t);
        if self.regular(stepping).h > 2.0 * h {
            self.shortened = Some(ShortenedStep { proposal: self.cut(h), reason: Reason::Reaction });
        } else {
            self.tell_event(self.time)?;
            self.row(self.time)?;
        }
        Ok(flow)
    }

    /// Whether an instance is given the mean of a signal that crossed its level: over the step that ends there, that is not past the level.
    fn is_averaged(&self) -> bool {
        let (Some(events), Some(inputs)) = (&self.events, &self.coupled.inputs) else { return false };
        events.crossed(&self.coupled.newest).any(|signal| inputs.is_averaged(&self.coupled.plan, signal))
    }

    /// The short step after an event was made: what comes of it is not judged, as it may jump. Other crossings in it belong to the same event.
    fn end_event<S: Stepping>(&mut self, stepping: &S, proposal: &Proposal) -> Result<Flow, Box<Error>> {
        let crosses = self.events.as_ref().is_some_and(|events| events.crossing(&self.coupled.newest) > 0.0);
        if crosses {
            self.note_event(proposal.end, Cause::Crossing);
        }
        self.tell_event(proposal.end)?;
        self.coupled.restart_signals(false);
        self.accept(stepping, &Proposal { row: true, ..*proposal }, None)
    }

    /// The short step after an event is refused: the event ends without it.
    pub(super) fn give_up_reaction(&mut self) -> Result<Flow, Box<Error>> {
        self.coupled.restore(Level::Communication)?;
        self.tell_event(self.time)?;
        self.row(self.time)?;
        Ok(Flow::SamePoint)
    }

    /// Whether an event is still to be told.
    pub(super) fn is_amid_event(&self) -> bool {
        self.events.as_ref().is_some_and(|events| events.is_pending())
    }

    /// Takes note of an event at `time`, which is told later.
    fn note_event(&mut self, time: f64, cause: Cause) {
        let Some(mut events) = self.events.take() else { return };
        let what = events.describe(cause, &self.coupled.newest, |index| self.coupled.name(index).to_owned());
        let result = events.happened(cause, time, &self.coupled.newest);
        events.postpone(Pending { what, result });
        self.events = Some(events);
    }

    /// Tells the observers of the event at `time` and of the values before it, and reads again what follows discrete values at once.
    fn tell_event(&mut self, time: f64) -> Result<(), Box<Error>> {
        let Some(Pending { what, result }) = self.events.as_mut().and_then(|events| events.take_pending()) else { return Ok(()) };
        self.emit(&Event::EventLocated { time, what: &what });
        self.tell_row_before(time);
        let Some(mut events) = self.events.take() else { return Ok(()) };
        for &index in &events.rereads {
            self.coupled.reread(index).map_err(|error| Box::new(Error::Call(error)))?;
        }
        events.read_slopes(self.coupled).map_err(|error| Box::new(Error::Call(error)))?;
        self.events = Some(events);
        result.map_err(|count| Box::new(Error::Chatter { what, time, count }))
    }

    /// Sends the values before an event to the observers as a row.
    fn tell_row_before(&mut self, time: f64) {
        let Some(events) = &self.events else { return };
        self.n_rows += 1;
        let row = Event::Row(Row { time, signals: &events.before, sources: &self.coupled.plan.column_sources, estimates: &[] });
        self.observers.iter_mut().for_each(|observer| observer.observe(&row));
    }

    /// A step was discarded by an instance that says how far it could have gone: the next one ends there, with an event. Whether there is such
    /// a step.
    pub(super) fn shorten_step<S: Stepping>(
        &mut self,
        stepping: &mut S,
        discarded: &Proposal,
        instance: usize,
        last_successful_time: f64,
    ) -> Result<bool, Box<Error>> {
        let Some(events) = &mut self.events else { return Ok(false) };
        let h = last_successful_time - self.t;
        if !(h > 0.0 && h < discarded.h && self.t + h > self.t && events.may_shorten()) {
            return Ok(false);
        }
        let short = h - events.tolerance(self.t + h);
        let is_at_begin = self.keep_begin()?;
        let estimates = if short > 0.0 { self.look_before(stepping, short, is_at_begin)? } else { None };
        self.coupled.restore(Level::Communication)?;
        self.shortened =
            Some(ShortenedStep { proposal: self.cut(h), reason: Reason::Event(Cause::Discard { instance }, estimates) });
        Ok(true)
    }

    /// Tries a step that ends just before an event, for the values there and their errors; they stay as they are if it is refused.
    fn look_before<S: Stepping>(&mut self, stepping: &mut S, h: f64, is_at_begin: bool) -> Result<Option<Estimates>, Box<Error>> {
        let estimates = match self.try_again(stepping, &self.cut(h), is_at_begin) {
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
pub(super) fn smaller(past: Option<Estimates>, before: Option<Estimates>) -> Option<Estimates> {
    match (past, before) {
        (Some(past), Some(before)) if before.largest() < past.largest() || past.largest().is_nan() => Some(before),
        (past, _) => past,
    }
}
