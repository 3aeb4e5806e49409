//! What is tried on the way of a run that is one of many, about the method and about levels at which instances switch.

use lotka_instance::CallError;

use crate::{
    Error,
    algorithm::{Coupled, Grid, Signals},
    event::Touch,
    resolved,
    simulation::{
        Counters,
        feedthrough::Watch,
        switches::{Switch, Tried, Turns, Watched},
    },
};

/// What trials of a run, and at its end, showed.
#[derive(Debug, Default)]
pub(in crate::simulation) struct TrialResults {
    /// Instances that advance in steps of their own.
    pub(in crate::simulation) grids: Vec<Grid>,
    /// Levels at which instances switch.
    pub(in crate::simulation) tried: Tried,
    /// Where indicators turned about near their levels.
    pub(in crate::simulation) touches: Vec<Touch>,
}

/// Trials at communication points; most runs make none.
#[derive(Default)]
pub(in crate::simulation) struct Trials<'a> {
    /// Repeats the trials that the method relies on; none if it relies on none.
    pub(in crate::simulation) feedthrough: Option<Watch<'a>>,
    /// Levels that are tried at events.
    pub(in crate::simulation) switches: Vec<Watched>,
    /// Inputs that turn about; none if instances are not tried for that.
    pub(in crate::simulation) turns: Option<Box<Turns>>,
    /// Another level that shows.
    pub(in crate::simulation) other_switch: Option<Box<Switch>>,
    /// Levels that steps end at anyhow, and the stop time \[s\].
    pub(in crate::simulation) declared: Option<&'a resolved::Events>,
    pub(in crate::simulation) stop: f64,
    pub(in crate::simulation) results: TrialResults,
}

impl Trials<'_> {
    /// Makes the trials that are due at `t`. Whether the method can go on relying on them, and no other level showed.
    #[inline]
    pub(super) fn hold(&mut self, coupled: &mut Coupled, t: f64) -> Result<bool, Box<Error>> {
        let holds = self.feedthrough.as_mut().map_or(Ok(true), |watch| watch.holds(coupled, t))?;
        Ok(holds && self.other_switch.is_none())
    }

    /// Something happened that may have changed what outputs follow.
    pub(super) fn pass_event(&mut self) {
        self.feedthrough.iter_mut().for_each(Watch::pass_event);
    }

    /// A row is at `time`.
    #[inline(always)]
    pub(super) fn pass_row(&mut self, time: f64) {
        self.feedthrough.iter_mut().for_each(|watch| watch.pass_row(time));
    }

    /// Tries at an event at `end`, which a step of size `h` ends at, whether levels are where they are said to be. If there is another one the run is of
    /// no use.
    pub(super) fn check_switches(&mut self, coupled: &mut Coupled, begin: &Signals, end: f64, h: f64) -> Result<(), Box<Error>> {
        for watched in &mut self.switches {
            if self.other_switch.is_none() {
                self.other_switch = watched.check(coupled, (begin, h), (end, self.stop), self.declared)?;
            }
        }
        Ok(())
    }

    /// Takes the values at the communication point `(t, time)`, as the FMUs know it and as it is reported, that a step of size `h` ends at, and tries
    /// instances whose inputs turned about; what turns about at an event is explained. The instance `late` is not there yet.
    #[cold]
    pub(super) fn follow_turns(
        &mut self,
        coupled: &mut Coupled,
        (t, time): (f64, f64),
        (h, is_event): (f64, bool),
        late: Option<usize>,
        counters: &mut Counters,
    ) -> Result<(), Box<Error>> {
        let Some(turns) = &mut self.turns else { return Ok(()) };
        let step = (t, h.min(self.stop - t));
        for turn in turns.follow(coupled, time, is_event, late).into_iter().filter(|_| step.1 > 0.0) {
            if self.other_switch.is_none() {
                let before = coupled.members[turn.reader()].calls.steps;
                let found = turn.look(coupled, step).map_err(|error: Box<CallError>| Box::new(Error::Call(error)))?;
                let calls = &mut coupled.members[turn.reader()].calls.steps;
                counters.n_trial_calls += std::mem::replace(calls, before) - before;
                self.other_switch = found.filter(|found| !found.is_among(self.declared)).map(Box::new);
            }
        }
        Ok(())
    }
}
