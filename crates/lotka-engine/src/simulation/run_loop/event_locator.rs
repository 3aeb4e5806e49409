//! Event localization inside a step: the step is repeated with shorter sizes until one ends exactly at the event.
//!
//! An instance that reacts to `z >= 0` does so at the level, one that reacts to `z > 0` only past it. The search first finds where the level is
//! reached. If it is passed there, or an instance reacts, the event is there. Otherwise the search continues to where the level is strictly passed.
//! A step that does not pass it strictly has no event.
//!
//! Discrete values are held during the search, because reacting instances step last and only once per attempt.
//!
//! An instance in event mode finds its events itself. The step that ends at one has another size than the one in which it was found, and some FMUs see only
//! events strictly before the end of a step: to them it is neither in this step nor in the next one. Where such an instance reports nothing, the
//! step is repeated, longer by the rounding of time.

use std::mem;

use crate::{
    Error,
    algorithm::{Attempt, Coupled, Level, Method, Stop, proceed},
    checkpoint::{Persistent, Transfer, Transferred},
    error_control::Estimates,
    event::{Bracket, Cause, Events, Grazing, Seen},
    simulation::{
        stepping::{Proposal, Stepping},
        switches::Bend,
    },
    time::ulp,
};

/// By how many units in the last place of its end a step is longer in which an instance shall see an event that it has announced: times are rounded
/// twice, and some units are left.
const EXTENSION: f64 = 4.0;

/// A step with its error estimates.
type Made = (Proposal, Option<Estimates>);

/// Locates events in the steps that are made.
pub(in crate::simulation) struct EventLocator {
    pub(in crate::simulation) events: Box<Events>,
    /// Responses that mark kinks, as far as they can be measured before the stop time \[s\].
    bends: Vec<Bend>,
    stop: f64,
    /// The step to try next instead of the proposed one.
    shortened: Option<ShortenedStep>,
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
    Announced,
    /// It is longer by the rounding of time, because the instance did not see the announced event.
    Extended,
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
    fn cut(&self, h: f64) -> Proposal {
        cut(self.t, h)
    }

    /// Rolls back to the communication point, if necessary, and tries another step.
    fn again(&mut self, proposal: &Proposal) -> Attempt<Option<Estimates>> {
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

/// A search within one step.
struct Search {
    bracket: Bracket,
    /// The whole step.
    whole: Proposal,
    /// The shortest step so far at whose end the level is reached or passed.
    found: Made,
    /// The longest step before that \[s\], with its error estimates.
    before: (f64, Option<Estimates>),
    /// The last step that was tried.
    attempted: Proposal,
    /// Whether the instances are at the end of `found`.
    is_there: bool,
}

impl EventLocator {
    pub(in crate::simulation) fn new(events: Events, bends: Vec<Bend>, stop: f64) -> Self {
        Self { events: Box::new(events), bends, stop, shortened: None }
    }

    /// Measures the responses that mark kinks at `t` \[s\], where the instances are.
    pub(in crate::simulation) fn see_responses(&mut self, coupled: &mut Coupled, t: f64) -> Result<(), Box<Error>> {
        for (bend, response) in self.bends.iter().zip(&mut self.events.responses) {
            let now = bend.response(coupled, (t, self.stop), response.begin());
            response.see(now.map_err(|error| Box::new(Error::Call(error)))?);
        }
        Ok(())
    }

    /// Whether nothing is watched, and no event is under way: an instance may still ask for one by discarding a step.
    pub(super) fn is_idle(&self) -> bool {
        self.shortened.is_none() && self.events.are_idle()
    }

    /// The places where indicators reversed near their levels.
    pub(in crate::simulation) fn grazings(self) -> Vec<Grazing> {
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

    /// Looks for events in a step that was made. They come before the error test, which is meaningless across them. `regular` is the proposed step.
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
            (_, _, Some(instance)) => Ok(Verdict::Event(proposal, estimates, Cause::EventMode { instance })),
            (_, Some(Reason::Announced), None) if self.events.unit().is_none() => {
                let longer = attempts.cut(proposal.h + EXTENSION * ulp(proposal.end));
                self.try_instead(attempts, longer, Reason::Extended)
            }
            // The event has moved to a later time, or the instance wanted nothing but a communication point there.
            (_, Some(Reason::Announced | Reason::Extended | Reason::Event(Cause::EventMode { .. }, _)), None) => {
                Ok(Verdict::Judge(proposal, estimates))
            }
            (_, Some(Reason::Event(cause, before)), None) => Ok(Verdict::Event(proposal, smaller(estimates, before), cause)),
            _ => Ok(Verdict::Judge(proposal, estimates)),
        }
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

    /// Handles a step discarded by an instance that reports how far it could step, or that returned early. The next step ends at that time, with an
    /// event. Returns true if there is such a step.
    pub(super) fn shorten<S: Stepping>(
        &mut self,
        attempts: &mut StepAttempts<'_, S>,
        refused: &Proposal,
        (cause, time): (Cause, f64),
    ) -> Result<bool, Box<Error>> {
        let h = time - attempts.t;
        if !(h > 0.0 && h < refused.h && attempts.t + h > attempts.t && self.events.may_shorten()) {
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
                Reason::Announced
            }
            _ => Reason::Event(cause, estimates),
        };
        self.try_instead(attempts, attempts.cut(h), reason).map(|_| true)
    }

    /// Tries a step that ends just before an event, to obtain the values there and their errors. If it is refused, the present ones are kept.
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

    /// Uses the values at the communication point as those just before an event, unless others are found. If they must be read from the instances,
    /// these return to the communication point.
    fn keep_begin<S>(&mut self, attempts: &mut StepAttempts<'_, S>) -> Result<(), Box<Error>> {
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

    /// Finds the first crossing inside a step that was made. Afterwards the instances are at the end of the step that ends just past it.
    #[cold]
    fn locate<S: Stepping>(&mut self, attempts: &mut StepAttempts<'_, S>, whole: Made) -> Result<Verdict, Box<Error>> {
        let (proposal, estimates) = whole;
        let begin = attempts.coupled.saved_signals(Level::Communication);
        let bracket = self.events.bracket(begin, &attempts.coupled.newest, attempts.t, proposal.h);
        let whole_value = self.crossing(attempts.coupled);
        self.keep_begin(attempts)?;
        let mut search = Search {
            bracket,
            whole: proposal,
            found: (proposal, estimates),
            before: (0.0, None),
            attempted: proposal,
            is_there: !attempts.is_at_begin,
        };
        Ok(match self.search(attempts, &mut search, whole_value) {
            Attempt::Continue(true) => {
                let (located, estimates) = search.found;
                Verdict::Event(located, smaller(estimates, search.before.1), Cause::Crossing)
            }
            Attempt::Continue(false) => Verdict::Judge(search.whole, search.found.1),
            Attempt::Break(stop) => Verdict::Stopped(search.attempted, stop),
        })
    }

    /// The largest of all indicators: positive past a level, 0 at one.
    fn crossing(&self, coupled: &Coupled) -> f64 {
        self.events.crossing(&coupled.newest)
    }

    /// Whether there is an event. Afterwards the instances are at its end, or at that of the whole step.
    fn search<S: Stepping>(
        &mut self,
        attempts: &mut StepAttempts<'_, S>,
        search: &mut Search,
        whole_value: f64,
    ) -> Attempt<bool> {
        while let Some(h) = search.bracket.next() {
            let made = search.try_at(attempts, h)?;
            proceed(self.see_responses(attempts.coupled, attempts.t + h))?;
            let begin = attempts.coupled.saved_signals(Level::Communication);
            let side = self.events.side(begin, &attempts.coupled.newest);
            search.is_there = search.bracket.narrow(h, side);
            if search.is_there {
                search.found = made;
            } else {
                proceed(self.keep_before(attempts.coupled))?;
                search.before = (h, made.1);
            }
        }
        search.go_there(attempts)?;
        proceed(self.see_responses(attempts.coupled, attempts.t + search.found.0.h))?;
        if self.crossing(attempts.coupled) > 0.0 || self.reacts(attempts.coupled, search) {
            return Attempt::Continue(true);
        }
        if whole_value > 0.0 {
            return self.pass_level(attempts, search, whole_value).map_continue(|()| true);
        }
        if search.found.0.h < search.whole.h {
            search.found = (search.whole, None);
            search.is_there = false;
            search.go_there(attempts)?;
            proceed(self.see_responses(attempts.coupled, attempts.t + search.whole.h))?;
        }
        Attempt::Continue(false)
    }

    /// Whether an instance has reacted where the level is reached.
    fn reacts(&self, coupled: &Coupled, search: &Search) -> bool {
        let begin = coupled.saved_signals(Level::Communication);
        self.events.reacts(begin, &coupled.newest, &coupled.plan, (search.before.0, search.found.0.h))
    }

    /// Continues the search from where the level is reached to where it is strictly passed, at most to the end of the whole step.
    fn pass_level<S: Stepping>(
        &mut self,
        attempts: &mut StepAttempts<'_, S>,
        search: &mut Search,
        whole_value: f64,
    ) -> Attempt<()> {
        let mut low = search.found.0.h;
        let resolution = self.events.resolution(attempts.t + low);
        let mut high = (search.whole, whole_value);
        search.is_there = false;
        let mut reach = resolution;
        while low + reach < search.whole.h {
            search.found = search.try_at(attempts, low + reach)?;
            let value = self.crossing(attempts.coupled);
            if value > 0.0 {
                (high, search.is_there) = ((search.found.0, value), true);
                break;
            }
            (low, reach) = (low + reach, 2.0 * reach);
        }
        search.found.0 = high.0;
        let bracket = Bracket::new((low, -f64::MIN_POSITIVE), (high.0.h, high.1), resolution);
        search.bracket = bracket.in_multiples_of(self.events.unit());
        while let Some(h) = search.bracket.next() {
            let made = search.try_at(attempts, h)?;
            let value = self.crossing(attempts.coupled);
            search.is_there = search.bracket.narrow(h, if value > 0.0 { value } else { -f64::MIN_POSITIVE });
            if search.is_there {
                search.found = made;
            }
        }
        search.go_there(attempts)
    }
}

impl Search {
    fn try_at<S: Stepping>(&mut self, attempts: &mut StepAttempts<'_, S>, h: f64) -> Attempt<Made> {
        self.attempted = attempts.cut(h);
        self.is_there = false;
        let estimates = attempts.again(&self.attempted)?;
        Attempt::Continue((self.attempted, estimates))
    }

    /// Takes the instances to the end of the step that was found.
    fn go_there<S: Stepping>(&mut self, attempts: &mut StepAttempts<'_, S>) -> Attempt<()> {
        if !self.is_there {
            self.attempted = self.found.0;
            self.found.1 = attempts.again(&self.attempted)?;
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

/// Transfers the step to try, if there may be a locator; a missing locator is written like one without such a step.
pub(super) fn transfer_shortened(locator: &mut Option<EventLocator>, transfer: &mut Transfer<'_>) -> Transferred {
    let mut none = None;
    transfer.value(locator.as_mut().map_or(&mut none, |locator| &mut locator.shortened))
}

/// The events, without the step to try.
impl Persistent for EventLocator {
    fn transfer(&mut self, transfer: &mut Transfer<'_>) -> Transferred {
        self.events.transfer(transfer)
    }
}

/// The smaller of the estimates just past an event and just before it. An estimator compares two results of one step. At one of these points they
/// may be on different sides of the event and then differ by its full effect, but not at both.
fn smaller(past: Option<Estimates>, before: Option<Estimates>) -> Option<Estimates> {
    match (past, before) {
        (Some(past), Some(before)) if before.largest() < past.largest() || past.largest().is_nan() => Some(before),
        (past, _) => past,
    }
}
