//! Trial steps during a run of a series: do the assumptions of the method still hold, and at which levels do instances switch?

use lotka_instance::CallError;
use lotka_prepare::trial::{
    feedthrough::FeedthroughMonitor,
    grids::Motions,
    switches::{Switch, Tried, Turns, WatchedLevel},
};
use lotka_step::{
    Error,
    algorithm::{Coupled, Signals},
    resolved,
};

use crate::{Counters, event::Grazing};

/// What a run finds out about the instances.
#[derive(Debug, Default)]
pub struct RunFindings {
    /// What instances do by themselves.
    pub motions: Motions,
    /// Levels at which instances switch.
    pub tried: Tried,
    /// The places where indicators reversed near their levels.
    pub grazings: Vec<Grazing>,
}

/// Makes trial steps at communication points; most runs make none.
#[derive(Default)]
pub struct Monitors<'a> {
    /// Repeats the trials on which the method relies; `None` if it relies on none.
    pub(crate) feedthrough: Option<FeedthroughMonitor<'a>>,
    /// Levels that are tried at events.
    pub(crate) switches: Vec<WatchedLevel>,
    /// Inputs that reverse; `None` if instances are not tried for that.
    pub(crate) turns: Option<Box<Turns>>,
    /// Another level that was found.
    pub(crate) other_switch: Option<Box<Switch>>,
    /// Levels at which steps end anyway, and the stop time \[s\].
    pub(crate) declared: Option<&'a resolved::Events>,
    pub(crate) stop: f64,
    pub(crate) findings: RunFindings,
}

impl Monitors<'_> {
    /// Whether no trials are made, and no level was found.
    pub(super) fn are_idle(&self) -> bool {
        self.feedthrough.is_none() && self.switches.is_empty() && self.turns.is_none() && self.other_switch.is_none()
    }

    /// Makes the trials due at `t`. Returns true if the method can still rely on them and no other level was found.
    #[inline]
    pub(super) fn hold(&mut self, coupled: &mut Coupled, t: f64) -> Result<bool, Box<Error>> {
        let holds = self.feedthrough.as_mut().map_or(Ok(true), |watch| watch.holds(coupled, t))?;
        Ok(holds && self.other_switch.is_none())
    }

    /// Handles an event, after which outputs may follow other inputs.
    pub(super) fn pass_event(&mut self) {
        self.feedthrough.iter_mut().for_each(FeedthroughMonitor::pass_event);
    }

    /// Handles a row at `time`.
    #[inline(always)]
    pub(super) fn pass_row(&mut self, time: f64) {
        self.feedthrough.iter_mut().for_each(|watch| watch.pass_row(time));
    }

    /// Checks at an event at `end`, at which a step of size `h` ends, whether levels are where they were found. If there is
    /// another one, the run is discarded.
    pub(super) fn check_switches(&mut self, coupled: &mut Coupled, begin: &Signals, end: f64, h: f64) -> Result<(), Box<Error>> {
        for watched in &mut self.switches {
            if self.other_switch.is_none() {
                self.other_switch = watched.check(coupled, (begin, h), (end, self.stop), self.declared)?;
            }
        }
        Ok(())
    }

    /// Records the values at the communication point `(t, time)`, as the FMUs know it and as it is reported, at which a step of
    /// size `h` ends. Tries instances whose inputs reversed; a reversal at an event is explained by it. The instance `late` still
    /// lags.
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
                let before = coupled.instances[turn.reader()].calls.steps;
                let found = turn.look(coupled, step).map_err(|error: Box<CallError>| Box::new(Error::Call(error)))?;
                let calls = &mut coupled.instances[turn.reader()].calls.steps;
                counters.n_trial_calls += std::mem::replace(calls, before) - before;
                self.other_switch = found.filter(|found| !found.is_among(self.declared)).map(Box::new);
            }
        }
        Ok(())
    }
}
