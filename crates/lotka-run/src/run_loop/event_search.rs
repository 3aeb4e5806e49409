//! The search for a crossing inside a step: the step is repeated with shorter sizes until one ends just past it.
//!
//! An instance that reacts to `z >= 0` does so at the level, one that reacts to `z > 0` only past it. The search first finds
//! where the level is reached. If it is passed there, or an instance reacts, the event is there. Otherwise the search continues
//! to where the level is strictly passed. A step that does not pass it strictly has no event.

use lotka_step::{
    Error,
    algorithm::{Attempt, Coupled, Level, proceed},
    error_control::Estimates,
};

use super::event_locator::{EventLocator, Made, StepAttempts, Verdict, smaller};
use crate::{
    event::{Bracket, Cause},
    stepping::{Proposal, Stepping},
};

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
    /// Finds the first crossing inside a step that was made. Afterwards the instances are at the end of the step that ends just
    /// past it.
    #[cold]
    pub(super) fn locate<S: Stepping>(&mut self, attempts: &mut StepAttempts<'_, S>, whole: Made) -> Result<Verdict, Box<Error>> {
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
