//! Where inside a step something happens: steps are made again, shorter, until one ends just there.
//!
//! What reacts to `z >= 0` does so on the level, what reacts to `z > 0` only past it. The search first finds where the level is reached. If it is
//! passed there, or something reacts, the event is there. Otherwise the search goes on to where the level is strictly passed; a step in which that
//! does not happen has no event.
//!
//! Discrete values are held during the search, as what reacts steps last and only once per attempt.

use std::mem;

use crate::{
    Error,
    algorithm::{Attempt, Coupled, Level, Method, Stop, proceed},
    checkpoint::{Persistent, Transfer, Transferred},
    error_control::Estimates,
    event::{Bracket, Cause, Events, Seen, Touch},
    simulation::stepping::{Proposal, Stepping},
};

/// A step with the estimates of its error.
type Made = (Proposal, Option<Estimates>);

/// Looks for events in the steps that are made.
pub(in crate::simulation) struct EventLocator {
    pub(super) events: Box<Events>,
    /// What is tried next in place of the step that the stepping proposes.
    shortened: Option<ShortenedStep>,
}

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

/// What is done with a step in which events were looked for.
pub(super) enum Verdict {
    /// There is none: it goes on to the error test.
    Judge(Proposal, Option<Estimates>),
    /// An event is at its end.
    Event(Proposal, Option<Estimates>, Cause),
    /// It was the short step after an event.
    Reaction,
    /// Another one is tried from the same communication point, where the instances are.
    Another,
    /// A shorter one, made to look for the place, was refused.
    Stopped(Proposal, Box<Stop>),
}

/// Makes steps from one communication point, again and again.
pub(super) struct Trier<'a, S> {
    pub(super) stepping: &'a mut S,
    pub(super) method: &'a mut Method,
    pub(super) coupled: &'a mut Coupled,
    /// The communication point as the FMUs know it \[s\].
    pub(super) t: f64,
    /// The instances are there, and not at the end of a step.
    pub(super) is_at_begin: bool,
}

impl<S: Stepping> Trier<'_, S> {
    /// A step of size `h` \[s\] that ends where the stepping does not want it to.
    fn cut(&self, h: f64) -> Proposal {
        cut(self.t, h)
    }

    /// Goes back to the communication point, unless the instances are there, and tries another step.
    fn again(&mut self, trial: &Proposal) -> Attempt<Option<Estimates>> {
        if !mem::take(&mut self.is_at_begin) {
            proceed(self.coupled.restore(Level::Communication))?;
        }
        self.stepping.attempt(self.method, self.coupled, self.t, trial)
    }
}

/// A step from `t` of size `h` \[s\] that ends where the stepping does not want it to.
pub(super) fn cut(t: f64, h: f64) -> Proposal {
    Proposal { h, end: t + h, row: false, last: false, lands: false, is_event: false, jumps: false, ends_base: false }
}

/// A search in one step.
struct Search {
    bracket: Bracket,
    /// The whole step.
    whole: Proposal,
    /// The shortest step so far at whose end the level is reached, or passed.
    found: Made,
    /// The longest step before that \[s\], with the estimates of its error.
    before: (f64, Option<Estimates>),
    /// The step tried last.
    trial: Proposal,
    /// The instances are at the end of `found`.
    is_there: bool,
}

impl EventLocator {
    pub(in crate::simulation) fn new(events: Events) -> Self {
        Self { events: Box::new(events), shortened: None }
    }

    /// Where indicators turned about near their levels.
    pub(in crate::simulation) fn touches(self) -> Vec<Touch> {
        self.events.touches
    }

    /// What is tried in place of the step that the stepping proposes, if anything is.
    #[inline(always)]
    pub(super) fn take_shortened(&mut self) -> Option<ShortenedStep> {
        self.shortened.take()
    }

    /// A step of this size follows the event at the communication point `t`, for instances that are given means \[s\].
    pub(super) fn react(&mut self, t: f64, h: f64) {
        self.shortened = Some(ShortenedStep { proposal: cut(t, h), reason: Reason::Reaction });
    }

    /// A step was made; events inside of it come before the error test, which makes no sense across them. `regular` is what the stepping proposes.
    pub(super) fn look<S: Stepping>(
        &mut self,
        trier: &mut Trier<'_, S>,
        (proposal, estimates): Made,
        shortened: Option<ShortenedStep>,
        regular: impl FnOnce(&S) -> Proposal,
    ) -> Result<Verdict, Box<Error>> {
        self.events.read_slopes(trier.coupled).map_err(|error| Box::new(Error::Call(error)))?;
        let reason = shortened.map(|shortened| shortened.reason);
        if matches!(reason, Some(Reason::Reaction)) {
            return Ok(Verdict::Reaction);
        }
        if matches!(reason, Some(Reason::Touch)) {
            self.events.touch(proposal.end, &trier.coupled.newest);
        }
        let begin = trier.coupled.saved_signals(Level::Communication);
        let is_usable = reason.is_none() && estimates.is_none_or(Estimates::pass);
        match (self.events.look(begin, &trier.coupled.newest, proposal.h), reason) {
            (Seen::Crossing, _) => self.locate(trier, (proposal, estimates)),
            (Seen::Excursion(h), _) if is_usable => self.try_instead(trier, trier.cut(h), Reason::Excursion),
            (Seen::Touch(h), _) if is_usable => self.try_instead(trier, trier.cut(h), Reason::Touch),
            (_, Some(Reason::Touch)) => {
                let whole = regular(trier.stepping);
                self.try_instead(trier, whole, Reason::Whole)
            }
            (_, Some(Reason::Event(cause, before))) => Ok(Verdict::Event(proposal, smaller(estimates, before), cause)),
            _ => Ok(Verdict::Judge(proposal, estimates)),
        }
    }

    fn try_instead<S>(&mut self, trier: &mut Trier<'_, S>, proposal: Proposal, reason: Reason) -> Result<Verdict, Box<Error>> {
        trier.coupled.restore(Level::Communication)?;
        self.shortened = Some(ShortenedStep { proposal, reason });
        Ok(Verdict::Another)
    }

    /// A step was discarded by an instance that says how far it could have gone, or stopped early: the next one ends at that time, with an event.
    /// Whether there is such a step.
    pub(super) fn shorten<S: Stepping>(
        &mut self,
        trier: &mut Trier<'_, S>,
        refused: &Proposal,
        (cause, time): (Cause, f64),
    ) -> Result<bool, Box<Error>> {
        let h = time - trier.t;
        if !(h > 0.0 && h < refused.h && trier.t + h > trier.t && self.events.may_shorten()) {
            return Ok(false);
        }
        let short = h - self.events.tolerance(trier.t + h);
        self.keep_begin(trier)?;
        let estimates = if short > 0.0 { self.look_before(trier, short)? } else { None };
        trier.coupled.restore(Level::Communication)?;
        self.shortened = Some(ShortenedStep { proposal: trier.cut(h), reason: Reason::Event(cause, estimates) });
        Ok(true)
    }

    /// Tries a step that ends just before an event, for the values there and their errors; they stay as they are if it is refused.
    fn look_before<S: Stepping>(&mut self, trier: &mut Trier<'_, S>, h: f64) -> Result<Option<Estimates>, Box<Error>> {
        let estimates = match trier.again(&trier.cut(h)) {
            Attempt::Continue(estimates) => estimates,
            Attempt::Break(stop) => match *stop {
                Stop::Failed(error) => return Err(error),
                Stop::Refused(_) => return Ok(None),
            },
        };
        self.keep_before(trier.coupled)?;
        Ok(estimates)
    }

    /// The values at the communication point are those just before an event, unless others are found. The instances are there again if they had to
    /// be asked for them.
    fn keep_begin<S>(&mut self, trier: &mut Trier<'_, S>) -> Result<(), Box<Error>> {
        if trier.coupled.reads_at_rows() {
            trier.coupled.restore(Level::Communication)?;
            trier.is_at_begin = true;
            return self.keep_before(trier.coupled);
        }
        self.events.before.copy_from(trier.coupled.saved_signals(Level::Communication));
        Ok(())
    }

    /// The values are those just before an event.
    fn keep_before(&mut self, coupled: &mut Coupled) -> Result<(), Box<Error>> {
        coupled.read_for_row()?;
        self.events.before.copy_row_from(&coupled.newest);
        Ok(())
    }

    /// Finds the first crossing inside a step that was made; the instances then are at the end of the step that ends just past it.
    #[cold]
    fn locate<S: Stepping>(&mut self, trier: &mut Trier<'_, S>, whole: Made) -> Result<Verdict, Box<Error>> {
        let (proposal, estimates) = whole;
        let begin = trier.coupled.saved_signals(Level::Communication);
        let bracket = self.events.bracket(begin, &trier.coupled.newest, trier.t, proposal.h);
        let whole_value = self.crossing(trier.coupled);
        self.keep_begin(trier)?;
        let mut search = Search {
            bracket,
            whole: proposal,
            found: (proposal, estimates),
            before: (0.0, None),
            trial: proposal,
            is_there: !trier.is_at_begin,
        };
        Ok(match self.search(trier, &mut search, whole_value) {
            Attempt::Continue(true) => {
                let (located, estimates) = search.found;
                Verdict::Event(located, smaller(estimates, search.before.1), Cause::Crossing)
            }
            Attempt::Continue(false) => Verdict::Judge(search.whole, search.found.1),
            Attempt::Break(stop) => Verdict::Stopped(search.trial, stop),
        })
    }

    /// The largest of all indicators: positive past a level, 0 on one.
    fn crossing(&self, coupled: &Coupled) -> f64 {
        self.events.crossing(&coupled.newest)
    }

    /// Whether there is an event; the instances are at its end, or at that of the whole step.
    fn search<S: Stepping>(&mut self, trier: &mut Trier<'_, S>, search: &mut Search, whole_value: f64) -> Attempt<bool> {
        while let Some(h) = search.bracket.next() {
            let made = search.try_at(trier, h)?;
            let begin = trier.coupled.saved_signals(Level::Communication);
            let side = self.events.side(begin, &trier.coupled.newest);
            search.is_there = search.bracket.narrow(h, side);
            if search.is_there {
                search.found = made;
            } else {
                proceed(self.keep_before(trier.coupled))?;
                search.before = (h, made.1);
            }
        }
        search.go_there(trier)?;
        if self.crossing(trier.coupled) > 0.0 || self.reacts(trier.coupled, search) {
            return Attempt::Continue(true);
        }
        if whole_value > 0.0 {
            return self.pass_level(trier, search, whole_value).map_continue(|()| true);
        }
        if search.found.0.h < search.whole.h {
            search.found = (search.whole, None);
            search.is_there = false;
            search.go_there(trier)?;
        }
        Attempt::Continue(false)
    }

    /// Whether something has reacted where the level is reached.
    fn reacts(&self, coupled: &Coupled, search: &Search) -> bool {
        let begin = coupled.saved_signals(Level::Communication);
        self.events.reacts(begin, &coupled.newest, &coupled.plan, (search.before.0, search.found.0.h))
    }

    /// Goes on from where the level is reached to where it is strictly passed, at the end of the whole step at the latest.
    fn pass_level<S: Stepping>(&mut self, trier: &mut Trier<'_, S>, search: &mut Search, whole_value: f64) -> Attempt<()> {
        let mut low = search.found.0.h;
        let tolerance = self.events.tolerance(trier.t + low);
        let mut high = (search.whole, whole_value);
        search.is_there = false;
        let mut reach = tolerance;
        while low + reach < search.whole.h {
            search.found = search.try_at(trier, low + reach)?;
            let value = self.crossing(trier.coupled);
            if value > 0.0 {
                (high, search.is_there) = ((search.found.0, value), true);
                break;
            }
            (low, reach) = (low + reach, 2.0 * reach);
        }
        search.found.0 = high.0;
        search.bracket = Bracket::new((low, -f64::MIN_POSITIVE), (high.0.h, high.1), tolerance);
        while let Some(h) = search.bracket.next() {
            let made = search.try_at(trier, h)?;
            let value = self.crossing(trier.coupled);
            search.is_there = search.bracket.narrow(h, if value > 0.0 { value } else { -f64::MIN_POSITIVE });
            if search.is_there {
                search.found = made;
            }
        }
        search.go_there(trier)
    }
}

impl Search {
    fn try_at<S: Stepping>(&mut self, trier: &mut Trier<'_, S>, h: f64) -> Attempt<Made> {
        self.trial = trier.cut(h);
        self.is_there = false;
        let estimates = trier.again(&self.trial)?;
        Attempt::Continue((self.trial, estimates))
    }

    /// Takes the instances to the end of the step that was found.
    fn go_there<S: Stepping>(&mut self, trier: &mut Trier<'_, S>) -> Attempt<()> {
        if !self.is_there {
            self.trial = self.found.0;
            self.found.1 = trier.again(&self.trial)?;
            self.is_there = true;
        }
        Attempt::Continue(())
    }
}

impl ShortenedStep {
    pub(super) fn proposal(self) -> Proposal {
        self.proposal
    }
}

/// What is known of the step to try, where there may be a locator; none is written like one that tries nothing.
pub(super) fn transfer_shortened(locator: &mut Option<EventLocator>, transfer: &mut Transfer<'_>) -> Transferred {
    let mut none = None;
    transfer.value(locator.as_mut().map_or(&mut none, |locator| &mut locator.shortened))
}

/// The events without the step to try.
impl Persistent for EventLocator {
    fn transfer(&mut self, transfer: &mut Transfer<'_>) -> Transferred {
        self.events.transfer(transfer)
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
