//! Event localization inside a step: the step is repeated with shorter sizes until one ends exactly at the event.
//!
//! [`super::event_search`] finds crossings of levels.
//!
//! Discrete values are held during the search, because reacting instances step last and only once per attempt.
//!
//! An instance in event mode finds its events itself. The step that ends at one has another size than the one in which it was
//! found, and some FMUs see only events strictly before the end of a step: to them it is neither in this step nor in the next
//! one. Where such an instance reports nothing, the step is repeated, longer by the rounding of time. If the instance reports
//! nothing even then, nor in the steps that follow, its event is [lost](super::lost_events).

use std::mem;

use lotka_plan::time::ulp;
use lotka_prepare::trial::switches::Bend;
use lotka_step::{
    Error,
    algorithm::{Attempt, Coupled, Level, Method, Stop, proceed},
    checkpoint::{Persistent, Transfer, Transferred},
    error_control::Estimates,
};

use super::missing_event::MissingEvent;
use crate::{
    event::{Cause, Events, Grazing, Seen},
    stepping::{Proposal, Stepping, shortest_part},
};

/// By how many units in the last place of its end a step is longer in which an instance shall see an event that it has announced:
/// times are rounded twice, and some units are left.
const EXTENSION: f64 = 4.0;

/// A step with its error estimates.
pub(super) type Made = (Proposal, Option<Estimates>);

/// Locates events in the steps that are made.
pub(crate) struct EventLocator {
    pub(crate) events: Box<Events>,
    /// Responses that mark kinks, as far as they can be measured before the stop time \[s\].
    bends: Vec<Bend>,
    stop: f64,
    /// The step to try next instead of the proposed one.
    shortened: Option<ShortenedStep>,
    /// Events that instances have announced, and have not reported yet: at most one of each instance.
    missing: Vec<MissingEvent>,
}

/// A step that is tried instead of the proposed one.
#[derive(Debug, Clone, Copy, serde::Serialize, serde::Deserialize)]
pub(super) struct ShortenedStep {
    proposal: Proposal,
    reason: Reason,
}

#[derive(Debug, Clone, Copy, serde::Serialize, serde::Deserialize)]
enum Reason {
    /// An event is at its end; with the error estimates just before it.
    Event(Cause, Option<Estimates>),
    /// An instance in event mode has announced an event at its end.
    Announced(MissingEvent),
    /// It is longer by the rounding of time, because the instance did not see the announced event.
    Extended(MissingEvent),
    /// An indicator is temporarily on the other side there.
    Excursion,
    /// The short step after an event, with which instances that receive means react to the event.
    Reaction,
    /// An indicator may be on the other side there; otherwise the step is not used.
    Grazing,
    /// The whole step, which is made after all.
    Whole,
}

/// The result of the search for events in a step.
pub(super) enum Verdict {
    /// There is no event: the step continues to the error test.
    Judge(Proposal, Option<Estimates>),
    /// An event is at the end of the step.
    Event(Proposal, Option<Estimates>, Cause),
    /// It is the short step after an event.
    Reaction,
    /// Another step is tried from the same communication point, to which the instances have returned.
    Another,
    /// A shorter step of the search was refused.
    Stopped(Proposal, Box<Stop>),
}

/// Makes repeated steps from one communication point.
pub(super) struct StepAttempts<'a, S> {
    pub(super) stepping: &'a mut S,
    pub(super) method: &'a mut Method,
    pub(super) coupled: &'a mut Coupled,
    /// The communication point as the FMUs know it \[s\].
    pub(super) t: f64,
    /// Whether the instances are at the communication point, and not at the end of a step.
    pub(super) is_at_begin: bool,
}

impl<S: Stepping> StepAttempts<'_, S> {
    /// A step of size `h` \[s\] that ends before the proposed end.
    pub(super) fn cut(&self, h: f64) -> Proposal {
        cut(self.t, h)
    }

    /// Rolls back to the communication point, if necessary, and tries another step.
    pub(super) fn again(&mut self, proposal: &Proposal) -> Attempt<Option<Estimates>> {
        if !mem::take(&mut self.is_at_begin) {
            proceed(self.coupled.restore(Level::Communication))?;
        }
        self.stepping.attempt(self.method, self.coupled, self.t, proposal)
    }
}

/// A step from `t` of size `h` \[s\] that ends before the proposed end.
pub(super) fn cut(t: f64, h: f64) -> Proposal {
    Proposal { h, ..Proposal::inside(t, t + h) }
}

impl EventLocator {
    pub(crate) fn new(events: Events, bends: Vec<Bend>, stop: f64) -> Self {
        Self { events: Box::new(events), bends, stop, shortened: None, missing: Vec::new() }
    }

    /// Measures the responses that mark kinks at `t` \[s\], where the instances are.
    pub(crate) fn see_responses(&mut self, coupled: &mut Coupled, t: f64) -> Result<(), Box<Error>> {
        for (bend, response) in self.bends.iter().zip(&mut self.events.responses) {
            let now = bend.response(coupled, (t, self.stop), response.begin());
            response.see(now.map_err(|error| Box::new(Error::Call(error)))?);
        }
        Ok(())
    }

    /// Whether nothing is watched, and no event is under way: an instance may still ask for one by discarding a step.
    pub(super) fn is_idle(&self) -> bool {
        self.shortened.is_none() && self.missing.is_empty() && self.events.are_idle()
    }

    /// The places where indicators reversed near their levels.
    pub(crate) fn grazings(self) -> Vec<Grazing> {
        self.events.grazings
    }

    /// The step to try instead of the proposed one, if there is one.
    #[inline(always)]
    pub(super) fn take_shortened(&mut self) -> Option<ShortenedStep> {
        // Most steps find none, and have nothing to write then.
        self.shortened.as_ref()?;
        self.shortened.take()
    }

    /// Plans a step of this size \[s\] after the event at the communication point `t`, for instances that receive means.
    pub(super) fn react(&mut self, t: f64, h: f64) {
        self.shortened = Some(ShortenedStep { proposal: cut(t, h), reason: Reason::Reaction });
    }

    /// Looks for events in a step that was made. They come before the error test, which is meaningless across them. `regular` is
    /// the proposed step.
    pub(super) fn look<S: Stepping>(
        &mut self,
        attempts: &mut StepAttempts<'_, S>,
        (proposal, estimates): Made,
        shortened: Option<ShortenedStep>,
        regular: impl FnOnce(&S) -> Proposal,
    ) -> Result<Verdict, Box<Error>> {
        self.events.read_slopes(attempts.coupled).map_err(|error| Box::new(Error::Call(error)))?;
        self.see_responses(attempts.coupled, attempts.t + proposal.h)?;
        let reason = shortened.map(|shortened| shortened.reason);
        if matches!(reason, Some(Reason::Reaction)) {
            return Ok(Verdict::Reaction);
        }
        if matches!(reason, Some(Reason::Grazing)) {
            self.events.record_grazing(proposal.end, &attempts.coupled.newest);
        }
        let begin = attempts.coupled.saved_signals(Level::Communication);
        let awaits = attempts.coupled.first_awaiting();
        // Extrema are sought between the points of internal steps, too.
        let is_usable =
            self.events.unit().is_none() && reason.is_none() && awaits.is_none() && estimates.is_none_or(Estimates::pass);
        match (self.events.look(begin, &attempts.coupled.newest, proposal.h), reason, awaits) {
            (Seen::Crossing, ..) => self.locate(attempts, (proposal, estimates)),
            (Seen::Excursion(h), ..) if is_usable => self.try_instead(attempts, attempts.cut(h), Reason::Excursion),
            (Seen::Grazing(h), ..) if is_usable => self.try_instead(attempts, attempts.cut(h), Reason::Grazing),
            (_, Some(Reason::Grazing), _) => {
                let whole = regular(attempts.stepping);
                self.try_instead(attempts, whole, Reason::Whole)
            }
            (_, reason, Some(instance)) => {
                self.settle_announced(reason, attempts.coupled);
                Ok(Verdict::Event(proposal, estimates, Cause::EventMode { instance }))
            }
            (_, Some(Reason::Announced(event)), None) => {
                let longer = attempts.cut(proposal.h + EXTENSION * ulp(proposal.end));
                self.try_instead(attempts, longer, Reason::Extended(event))
            }
            // The event has moved to a later time, or is lost.
            (_, Some(Reason::Extended(event)), None) => {
                self.miss(event);
                Ok(Verdict::Judge(proposal, estimates))
            }
            // The instance wanted nothing but a communication point there.
            (_, Some(Reason::Event(Cause::EventMode { .. }, _)), None) => Ok(Verdict::Judge(proposal, estimates)),
            (_, Some(Reason::Event(cause, before)), None) => Ok(Verdict::Event(proposal, smaller(estimates, before), cause)),
            _ => Ok(Verdict::Judge(proposal, estimates)),
        }
    }

    /// Expects an event that was not reported where it was announced. If the instance misses one already, that one has moved
    /// here, and must be reported as soon as it.
    fn miss(&mut self, event: MissingEvent) {
        if !self.missing.iter().any(|missing| missing.instance == event.instance) {
            self.missing.push(event);
        }
    }

    /// Notes which announced events are reported by instances that have stopped for one.
    fn settle_announced(&mut self, reason: Option<Reason>, coupled: &Coupled) {
        if let Some(Reason::Announced(event) | Reason::Extended(event)) = reason {
            self.miss(event);
        }
        self.missing.retain(|event| !coupled.has_stopped_for_event(event.instance));
    }

    /// An event that is lost once this step is accepted, if there is one.
    pub(super) fn take_lost(&mut self, accepted: &Proposal) -> Option<MissingEvent> {
        let lost = self.missing.iter().position(|event| event.is_lost(accepted.end, accepted.last))?;
        Some(self.missing.swap_remove(lost))
    }

    fn try_instead<S>(
        &mut self,
        attempts: &mut StepAttempts<'_, S>,
        proposal: Proposal,
        reason: Reason,
    ) -> Result<Verdict, Box<Error>> {
        attempts.coupled.restore(Level::Communication)?;
        self.shortened = Some(ShortenedStep { proposal, reason });
        Ok(Verdict::Another)
    }

    /// Handles a step discarded by an instance that reports how far it could step, or that returned early. The next step ends at
    /// that time, with an event. Returns true if there is such a step.
    pub(super) fn shorten<S: Stepping>(
        &mut self,
        attempts: &mut StepAttempts<'_, S>,
        refused: &Proposal,
        (cause, time): (Cause, f64),
    ) -> Result<bool, Box<Error>> {
        let h = time - attempts.t;
        if !(h >= shortest_part(attempts.t, refused.h) && h < refused.h && self.events.may_shorten()) {
            return Ok(false);
        }
        let short = h - self.events.tolerance(attempts.t + h);
        let mut estimates = None;
        // An instance in event mode stops before its event, and so gives the values there itself.
        if !matches!(cause, Cause::EventMode { .. }) {
            self.keep_begin(attempts)?;
            estimates = if short > 0.0 { self.look_before(attempts, short)? } else { None };
        }
        let reason = match cause {
            // Outputs that are read again in event mode conclude an event at the end of a step before its values are recorded.
            Cause::EventMode { instance }
                if attempts.coupled.instances[instance].announces_event() && !attempts.coupled.is_read_again(instance) =>
            {
                Reason::Announced(MissingEvent::new(instance, attempts.t + h, refused.h))
            }
            _ => Reason::Event(cause, estimates),
        };
        self.try_instead(attempts, attempts.cut(h), reason).map(|_| true)
    }

    /// Tries a step that ends just before an event, to obtain the values there and their errors. If it is refused, the present
    /// ones are kept.
    fn look_before<S: Stepping>(&mut self, attempts: &mut StepAttempts<'_, S>, h: f64) -> Result<Option<Estimates>, Box<Error>> {
        let estimates = match attempts.again(&attempts.cut(h)) {
            Attempt::Continue(estimates) => estimates,
            Attempt::Break(stop) => match *stop {
                Stop::Failed(error) => return Err(error),
                Stop::Refused(_) => return Ok(None),
            },
        };
        self.keep_before(attempts.coupled)?;
        Ok(estimates)
    }

    /// Uses the values at the communication point as those just before an event, unless others are found. If they must be read
    /// from the instances, these return to the communication point.
    pub(super) fn keep_begin<S>(&mut self, attempts: &mut StepAttempts<'_, S>) -> Result<(), Box<Error>> {
        if attempts.coupled.reads_at_rows() {
            attempts.coupled.restore(Level::Communication)?;
            attempts.is_at_begin = true;
            return self.keep_before(attempts.coupled);
        }
        self.events.before.copy_from(attempts.coupled.saved_signals(Level::Communication));
        Ok(())
    }

    /// Stores the values just before an event.
    pub(super) fn keep_before(&mut self, coupled: &mut Coupled) -> Result<(), Box<Error>> {
        coupled.read_for_row()?;
        self.events.before.copy_row_from(&coupled.newest);
        Ok(())
    }
}

impl ShortenedStep {
    pub(super) fn proposal(self) -> Proposal {
        self.proposal
    }
}

/// Transfers the step to try, if there may be a locator; a missing locator is written like one without such a step.
pub(super) fn transfer_shortened(locator: &mut Option<EventLocator>, transfer: &mut Transfer<'_>) -> Transferred {
    let mut none = None;
    transfer.value(locator.as_mut().map_or(&mut none, |locator| &mut locator.shortened))
}

/// The events, without the step to try.
impl Persistent for EventLocator {
    fn transfer(&mut self, transfer: &mut Transfer<'_>) -> Transferred {
        self.events.transfer(transfer)?;
        transfer.value(&mut self.missing)
    }
}

/// The smaller of the estimates just past an event and just before it. An estimator compares two results of one step. At one of
/// these points they may be on different sides of the event and then differ by its full effect, but not at both.
pub(super) fn smaller(past: Option<Estimates>, before: Option<Estimates>) -> Option<Estimates> {
    match (past, before) {
        (Some(past), Some(before)) if before.largest() < past.largest() || past.largest().is_nan() => Some(before),
        (past, _) => past,
    }
}
