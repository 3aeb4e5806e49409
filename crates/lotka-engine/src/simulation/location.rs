//! Where inside a step an indicator crosses its level.
//!
//! What reacts to `z >= 0` does so on the level, what reacts to `z > 0` only past it. The search first finds where the level is reached. If it is
//! passed there, or something reacts, the event is there. Otherwise the search goes on to where the level is strictly passed; a step in which that
//! does not happen has no event.

use std::mem;

use super::{
    driver::{Driver, Flow},
    events::smaller,
    stepping::{Proposal, Stepping},
};
use crate::{
    Error,
    algorithm::{Attempt, Level, proceed},
    error_control::Estimates,
    event::{Bracket, Cause},
};

/// A step with the estimates of its error.
type Made = (Proposal, Option<Estimates>);

/// Looks for a crossing.
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
    /// The instances are at the end of `found`, or still at the communication point.
    is_there: bool,
    is_at_begin: bool,
}

impl Driver<'_, '_> {
    /// Finds the first crossing inside a step that was made, and keeps the step that ends just past it.
    #[cold]
    pub(super) fn locate<S: Stepping>(
        &mut self,
        stepping: &mut S,
        proposal: &Proposal,
        estimates: Option<Estimates>,
    ) -> Result<Flow, Box<Error>> {
        let Some(events) = &self.events else { return Ok(Flow::SamePoint) };
        let begin = self.coupled.saved_signals(Level::Communication);
        let bracket = events.bracket(begin, &self.coupled.newest, self.t, proposal.h);
        let whole_value = self.crossing();
        let is_at_begin = self.keep_begin()?;
        let mut search = Search {
            bracket,
            whole: *proposal,
            found: (*proposal, estimates),
            before: (0.0, None),
            trial: *proposal,
            is_there: !is_at_begin,
            is_at_begin,
        };
        match self.search(stepping, &mut search, whole_value) {
            Attempt::Continue(true) => {
                let (located, estimates) = search.found;
                self.settle_event(stepping, &located, smaller(estimates, search.before.1), Cause::Crossing)
            }
            Attempt::Continue(false) => self.judge(stepping, &search.whole, search.found.1),
            Attempt::Break(stop) => self.stopped(stepping, &search.trial, *stop),
        }
    }

    /// The largest of all indicators: positive past a level, 0 on one.
    fn crossing(&self) -> f64 {
        self.events.as_ref().map_or(0.0, |events| events.crossing(&self.coupled.newest))
    }

    /// Whether there is an event; the instances are at its end, or at that of the whole step.
    fn search<S: Stepping>(&mut self, stepping: &mut S, search: &mut Search, whole_value: f64) -> Attempt<bool> {
        while let Some(h) = search.bracket.next() {
            let made = self.try_at(stepping, search, h)?;
            let begin = self.coupled.saved_signals(Level::Communication);
            let side = self.events.as_ref().map_or(0.0, |events| events.side(begin, &self.coupled.newest));
            search.is_there = search.bracket.narrow(h, side);
            if search.is_there {
                search.found = made;
            } else {
                proceed(self.keep_before())?;
                search.before = (h, made.1);
            }
        }
        self.go_there(stepping, search)?;
        if self.crossing() > 0.0 || self.reacts(search) {
            return Attempt::Continue(true);
        }
        if whole_value > 0.0 {
            return self.pass_level(stepping, search, whole_value).map_continue(|()| true);
        }
        let h = search.whole.h;
        if search.found.0.h < h {
            let whole = search.whole;
            search.found = (whole, None);
            search.is_there = false;
            self.go_there(stepping, search)?;
        }
        Attempt::Continue(false)
    }

    /// Whether something has reacted where the level is reached.
    fn reacts(&self, search: &Search) -> bool {
        let begin = self.coupled.saved_signals(Level::Communication);
        let times = (search.before.0, search.found.0.h);
        self.events.as_ref().is_some_and(|events| events.reacts(begin, &self.coupled.newest, &self.coupled.plan, times))
    }

    /// Goes on from where the level is reached to where it is strictly passed, at the end of the whole step at the latest.
    fn pass_level<S: Stepping>(&mut self, stepping: &mut S, search: &mut Search, whole_value: f64) -> Attempt<()> {
        let mut low = search.found.0.h;
        let tolerance = self.events.as_ref().map_or(0.0, |events| events.tolerance(self.t + low));
        let mut high = (search.whole, whole_value);
        search.is_there = false;
        let mut reach = tolerance;
        while low + reach < search.whole.h {
            search.found = self.try_at(stepping, search, low + reach)?;
            let value = self.crossing();
            if value > 0.0 {
                (high, search.is_there) = ((search.found.0, value), true);
                break;
            }
            (low, reach) = (low + reach, 2.0 * reach);
        }
        search.found.0 = high.0;
        search.bracket = Bracket::new((low, -f64::MIN_POSITIVE), (high.0.h, high.1), tolerance);
        while let Some(h) = search.bracket.next() {
            let made = self.try_at(stepping, search, h)?;
            let value = self.crossing();
            search.is_there = search.bracket.narrow(h, if value > 0.0 { value } else { -f64::MIN_POSITIVE });
            if search.is_there {
                search.found = made;
            }
        }
        self.go_there(stepping, search)
    }

    fn try_at<S: Stepping>(&mut self, stepping: &mut S, search: &mut Search, h: f64) -> Attempt<Made> {
        search.trial = self.cut(h);
        search.is_there = false;
        let estimates = self.try_again(stepping, &search.trial, mem::take(&mut search.is_at_begin))?;
        Attempt::Continue((search.trial, estimates))
    }

    /// Takes the instances to the end of the step that was found.
    fn go_there<S: Stepping>(&mut self, stepping: &mut S, search: &mut Search) -> Attempt<()> {
        if !search.is_there {
            search.trial = search.found.0;
            search.found.1 = self.try_again(stepping, &search.trial, mem::take(&mut search.is_at_begin))?;
            search.is_there = true;
        }
        Attempt::Continue(())
    }
}
