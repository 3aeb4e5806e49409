//! The run loop. It alone owns time, acceptance and rejection of steps, counters and events.
//!
//! | part | concern |
//! |---|---|
//! | `Clock` | the current time |
//! | `Statistics` | counters, errors |
//! | `Reporter` | rows, steps, log lines and warnings on their way to observers |
//! | `EventLocator` | events inside a step, and the step that ends there |
//! | `Schedule` | known time events |
//! | `Monitors` | trial steps during the runs of a series |
//! | `Progress` | the limit of steps that instances cut short |
//! | `CheckpointWriter` | all data that persists from one communication point to the next, as bytes |
//!
//! Order inside an attempt: step, convergence, events, error test, commit, update of the controller. The loop allocates nothing
//! and reads no clock. Start reading at [`RunLoop::advance`].

mod checkpoint_writer;
mod clock;
mod cut_steps;
mod early_end;
mod event_locator;
mod event_search;
mod events;
mod jumps;
mod lost_events;
mod missing_event;
mod monitors;
mod progress;
mod reporter;
mod statistics;
mod stopped;
mod unconverged;

pub(super) use checkpoint_writer::CheckpointSettings;
pub(super) use clock::Clock;
pub(super) use event_locator::EventLocator;
pub use monitors::{Monitors, RunFindings};

use checkpoint_writer::CheckpointWriter;
use events::regular;
use lotka_prepare::trial::ResolvedInputs;
use lotka_step::{
    Error,
    algorithm::{Attempt, Coupled, Level, Method, Signals},
    error_control::Estimates,
};
use progress::Progress;
use reporter::{Journal, Reporter};
use statistics::Statistics;

use super::{
    End,
    instance_set::InstanceSet,
    schedule::Schedule,
    shared_system::SharedSystem,
    stepping::{Judgment, Proposal, Stepping},
};
use crate::record::Observer;

/// All data that a run carries from one communication point to the next, apart from the instances and its stepping.
pub(super) struct RunState {
    pub(super) method: Method,
    pub(super) clock: Clock,
    pub(super) statistics: Statistics,
    pub(super) journal: Journal,
    /// Locates events, at which steps end; `None` if no events are watched.
    pub(super) locator: Option<EventLocator>,
    /// Known time events; `None` if there are none.
    pub(super) schedule: Option<Schedule>,
    /// Instances with outputs, apart from those that handle jumps in event mode, in the order of evaluation.
    pub(super) rereads: Vec<usize>,
    /// The resolved inputs.
    pub(super) settled: ResolvedInputs,
    /// Values at the communication point.
    begin: Signals,
    is_new_point: bool,
}

impl RunState {
    /// Creates the state at the start, before the instances are initialized.
    pub(super) fn new(system: &SharedSystem, coupled: &Coupled) -> Self {
        Self {
            method: system.method(coupled),
            clock: Clock::new(system.span().0),
            statistics: Statistics::default(),
            journal: Journal::default(),
            locator: None,
            schedule: None,
            rereads: Vec::new(),
            settled: ResolvedInputs::default(),
            begin: coupled.newest.clone(),
            is_new_point: true,
        }
    }

    /// Returns to an earlier communication point; what is [`Persistent`](lotka_step::checkpoint::Persistent) has returned before.
    pub(super) fn return_to(&mut self, schedule: Option<Schedule>, last_row: Option<f64>) {
        self.schedule = schedule;
        self.journal.last_row = last_row;
        self.journal.is_stopped = false;
        self.is_new_point = true;
    }
}

/// The active parts of a run.
pub struct RunLoop<'a, 'o> {
    pub(crate) coupled: &'a mut Coupled,
    pub(crate) method: &'a mut Method,
    pub(crate) clock: &'a mut Clock,
    pub(super) statistics: &'a mut Statistics,
    pub(super) reporter: Reporter<'a, 'o>,
    pub(super) locator: &'a mut Option<EventLocator>,
    pub(super) schedule: &'a mut Option<Schedule>,
    pub(super) rereads: &'a mut Vec<usize>,
    pub(super) settled: &'a mut ResolvedInputs,
    pub(super) monitors: Monitors<'a>,
    progress: Progress,
    checkpoint_writer: Option<CheckpointWriter<'a>>,
    pub(super) system: &'a SharedSystem,
    /// Whether rows at known times are written even if an event is at the same time, because all runs must have them.
    pub(super) shares_rows: bool,
    begin: &'a mut Signals,
    is_new_point: &'a mut bool,
}

/// The state of the loop after an attempt.
enum Flow {
    /// Another step is tried from the same communication point.
    SamePoint,
    NewPoint,
    /// Boxed, so that the state fits into two registers.
    End(Box<End>),
}

impl Flow {
    #[cold]
    fn end(end: End) -> Self {
        Self::End(Box::new(end))
    }
}

impl<'a, 'o> RunLoop<'a, 'o> {
    /// Creates the loop of a run in this state; `keeping` is set if checkpoints can be requested.
    pub(super) fn new(
        InstanceSet { coupled, log }: &'a mut InstanceSet,
        system: &'a SharedSystem,
        state: &'a mut RunState,
        keeping: Option<CheckpointSettings<'a>>,
        observers: &'a mut [&'o mut dyn Observer],
    ) -> Self {
        let RunState { method, clock, statistics, journal, locator, schedule, rereads, settled, begin, is_new_point } = state;
        Self {
            coupled,
            method,
            clock,
            statistics,
            reporter: Reporter::new(observers, log, journal),
            locator,
            schedule,
            rereads,
            settled,
            monitors: Monitors { declared: system.resolved.events.as_ref(), stop: system.span().1, ..Monitors::default() },
            progress: Progress::default(),
            checkpoint_writer: keeping.map(CheckpointWriter::new),
            system,
            shares_rows: false,
            begin,
            is_new_point,
        }
    }

    /// Steps until the first communication point at or after `until` \[s\], or the end of the run. Rows are sent to the
    /// observers.
    pub(super) fn advance<S: Stepping>(&mut self, stepping: &mut S, until: f64) -> Result<Option<End>, Box<Error>> {
        self.progress = Progress::new(self.clock.time, until.min(self.system.span().1));
        if self.is_plain()
            && let Some(ended) = self.steps::<S, true>(stepping, until)?
        {
            return Ok(ended);
        }
        // A loop that is not plain goes on to its end.
        self.steps::<S, false>(stepping, until).map(Option::flatten)
    }

    /// Whether the run has no parts but those that every run has. The loop is compiled without the others, too: most runs are
    /// plain.
    fn is_plain(&self) -> bool {
        self.locator.as_ref().is_none_or(EventLocator::is_idle)
            && self.schedule.is_none()
            && self.checkpoint_writer.is_none()
            && self.monitors.are_idle()
            && self.coupled.tracer.is_none()
            && self.coupled.bonds.is_none()
            && !self.method.needs_rollback()
            && !self.reporter.wants_steps
    }

    /// Whether the state at each communication point is saved.
    fn saves<S: Stepping>(&self, stepping: &S) -> bool {
        stepping.needs_rollback() || self.method.needs_rollback() || self.locator.is_some()
    }

    /// Whether the values at the beginning of a step are still known at its end, because they are the held ones.
    fn holds_begin(&self) -> bool {
        self.method.holds_begin() && self.coupled.holds_inputs() && self.coupled.sources.is_none()
    }

    /// Returns the end of the run, or `Some(None)` where it pauses; `None` if it is no longer plain.
    fn steps<S: Stepping, const PLAIN: bool>(&mut self, stepping: &mut S, until: f64) -> Result<Option<Option<End>>, Box<Error>> {
        let saves = self.saves(stepping);
        let copies_begin = !saves && !self.holds_begin() || !self.monitors.switches.is_empty();
        loop {
            if *self.is_new_point {
                if self.reporter.journal.is_stopped && (PLAIN || !self.is_amid_event()) {
                    return Ok(Some(Some(End::Stopped)));
                }
                if self.clock.time >= until && !self.method.is_behind() && (PLAIN || !self.is_amid_event()) {
                    return Ok(Some(None));
                }
                if !PLAIN {
                    if let Some(end) = self.requested_end() {
                        return Ok(Some(Some(end)));
                    }
                    self.keep_checkpoint_if_asked(stepping)?;
                }
                if self.system.cancel.is_canceled() && (PLAIN || !self.is_amid_event())
                    || !PLAIN && !self.monitors.hold(self.coupled, self.clock.t)?
                {
                    return Ok(Some(Some(End::Canceled)));
                }
                if self.coupled.makes_first_steps() {
                    self.coupled.pass_first_step();
                }
                if copies_begin {
                    self.begin.copy_from(&self.coupled.newest);
                }
                if saves {
                    self.coupled.save(Level::Communication, self.clock.t)?;
                }
            }
            let shortened = if PLAIN { None } else { self.locator.as_mut().and_then(EventLocator::take_shortened) };
            let flow = match shortened {
                Some(shortened) => self.try_shortened(stepping, shortened)?,
                None => self.try_regular::<S, PLAIN>(stepping)?,
            };
            match flow {
                Flow::NewPoint => *self.is_new_point = true,
                Flow::SamePoint => {
                    *self.is_new_point = false;
                    // An instance may have asked for a step that ends with an event.
                    if PLAIN && !self.is_plain() {
                        return Ok(None);
                    }
                }
                Flow::End(end) => return Ok(Some(Some(*end))),
            }
        }
    }

    /// Tries the proposed step.
    #[inline(always)]
    fn try_regular<S: Stepping, const PLAIN: bool>(&mut self, stepping: &mut S) -> Result<Flow, Box<Error>> {
        let t = self.clock.t;
        let proposal = if PLAIN { stepping.propose(t) } else { regular(stepping, self.schedule.as_ref(), t) };
        self.statistics.counters.n_step_attempts += 1;
        match stepping.attempt(self.method, self.coupled, t, &proposal) {
            Attempt::Continue(estimates) if !PLAIN && self.sees_events() => {
                self.look_for_events(stepping, (proposal, estimates), None)
            }
            Attempt::Continue(estimates) => self.judge::<S, PLAIN>(stepping, &proposal, estimates),
            Attempt::Break(stop) => self.stopped(stepping, proposal, *stop),
        }
    }

    /// Whether there may be an event in the step that was made.
    #[inline(always)]
    fn sees_events(&self) -> bool {
        self.coupled.awaits_event()
            || self.locator.as_ref().is_some_and(|locator| locator.events.may_have_happened(&self.coupled.newest))
    }

    /// Accepts a step, or rolls it back to try another one.
    #[inline(always)]
    fn judge<S: Stepping, const PLAIN: bool>(
        &mut self,
        stepping: &mut S,
        proposal: &Proposal,
        estimates: Option<Estimates>,
    ) -> Result<Flow, Box<Error>> {
        if !self.keeps(stepping, proposal, estimates)? {
            return Ok(Flow::SamePoint);
        }
        if !PLAIN && let Some(tracer) = &mut self.coupled.tracer {
            tracer.follow(&self.coupled.newest, (proposal.end, proposal.h), proposal.is_due(), proposal.ends_base);
        }
        if let Some(pauses) = &mut self.coupled.pauses {
            pauses.follow(&self.coupled.newest, proposal.end, proposal.h);
        }
        self.accept::<S, PLAIN>(stepping, proposal, estimates)
    }

    /// Whether a step that was made is kept; otherwise it is rolled back.
    #[inline(always)]
    fn keeps<S: Stepping>(
        &mut self,
        stepping: &mut S,
        proposal: &Proposal,
        estimates: Option<Estimates>,
    ) -> Result<bool, Box<Error>> {
        match stepping.judge(proposal, estimates) {
            Judgment::Accepted => Ok(true),
            Judgment::Tolerated => {
                self.statistics.counters.n_error_test_failures += 1;
                self.statistics.n_tolerated += 1;
                Ok(true)
            }
            Judgment::Rejected(rejection) => {
                self.reject(proposal, rejection);
                self.coupled.restore(Level::Communication).map(|()| false)
            }
            Judgment::Unrecoverable(rejection, reason) => Err(self.give_up(proposal, rejection, reason)),
        }
    }

    /// Makes the end of a step the next communication point.
    #[inline(always)]
    fn accept<S: Stepping, const PLAIN: bool>(
        &mut self,
        stepping: &S,
        proposal: &Proposal,
        estimates: Option<Estimates>,
    ) -> Result<Flow, Box<Error>> {
        if !PLAIN && self.method.unconverged().is_some() {
            self.keep_unconverged(proposal);
        }
        self.clock.advance(proposal);
        self.statistics.accept(estimates);
        if !PLAIN
            && let Some(bonds) = &mut self.coupled.bonds
            && (proposal.is_due() || self.method.late().is_none())
        {
            bonds.accept(self.clock.t);
        }
        if self.reporter.has_lines() {
            self.reporter.drain_log();
        }
        if self.coupled.slope_faults.has_unreported() {
            self.reporter.slope_faults(self.coupled, self.clock.time);
        }
        if !PLAIN && self.reporter.wants_steps {
            let signal = stepping.limiting(self.coupled, estimates);
            self.reporter.step(self.coupled, proposal, estimates, signal);
        }
        if !PLAIN {
            self.follow_events(proposal)?;
        }
        if !PLAIN && self.monitors.turns.is_some() {
            let late = if proposal.is_due() { None } else { self.method.late() };
            let (clock, counters) = (&*self.clock, &mut self.statistics.counters);
            self.monitors.follow_turns(self.coupled, (clock.t, clock.time), (proposal.h, proposal.is_event), late, counters)?;
        }
        if proposal.row || proposal.jumps {
            self.row_of_step(proposal.end)?;
        }
        if !PLAIN {
            let is_known = self.pass_known(proposal)?;
            if !proposal.lands && !is_known {
                self.pass_cut()?;
            }
        }
        Ok(if proposal.last { Flow::end(End::StopTime) } else { Flow::NewPoint })
    }

    /// Sends a row to the observers. Unconnected integers, booleans and strings are read only now.
    pub(super) fn row(&mut self, time: f64) -> Result<(), Box<Error>> {
        self.coupled.read_for_row()?;
        self.send_row(time);
        Ok(())
    }

    /// Does the same at the end of a step, whose signals have been examined.
    #[inline(always)]
    fn row_of_step(&mut self, time: f64) -> Result<(), Box<Error>> {
        if self.coupled.reads_at_rows() || !self.coupled.are_finite {
            return self.row(time);
        }
        self.monitors.pass_row(time);
        self.reporter.send_row(self.coupled, &self.coupled.newest, time);
        Ok(())
    }

    #[inline(always)]
    fn send_row(&mut self, time: f64) {
        self.monitors.pass_row(time);
        self.reporter.row(self.coupled, time);
    }
}
