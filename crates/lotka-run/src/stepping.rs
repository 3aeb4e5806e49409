//! The choice of communication points: fixed steps on a grid without drift, or error control that hits rows and stop time.

use lotka_plan::time::{Points, Resolution};
use lotka_step::{
    algorithm::{Attempt, Coupled, EstimatorMethod, Level, Method, Named, Step},
    checkpoint::{Persistent, Transfer, Transferred},
    error_control::{Estimates, Estimator, StepSize},
};

use super::{contraction::ContractionCheck, refuse::Reason, spacing::Spacing};
use crate::record::Rejection;

/// A step to try.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Proposal {
    /// Step size \[s\].
    pub(crate) h: f64,
    /// The time to report at its end \[s\]: exactly a grid point, row or stop time if the step ends at one.
    pub(crate) end: f64,
    /// Whether a row is due at its end.
    pub(crate) row: bool,
    /// Whether its end is the stop time.
    pub(crate) last: bool,
    /// Whether it ends where the stepping proposes; otherwise it was shortened.
    pub(crate) lands: bool,
    /// Whether it ends at an event.
    pub(crate) is_event: bool,
    /// Whether a known signal jumps at its end.
    pub(crate) jumps: bool,
    /// Whether a step of the base mesh ends there.
    #[serde(skip)]
    pub(crate) ends_base: bool,
}

impl Proposal {
    /// A step between two times \[s\] that ends before what the stepping proposes otherwise.
    pub(crate) fn inside(t: f64, end: f64) -> Self {
        Self { h: end - t, end, row: false, last: false, lands: false, is_event: false, jumps: false, ends_base: false }
    }

    /// Whether all outputs are needed at its end.
    #[inline(always)]
    pub(crate) fn is_due(&self) -> bool {
        self.row || self.jumps
    }
}

/// The decision about a step that was made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Judgment {
    Accepted,
    /// The step is accepted although its error is too large, because it cannot be repeated or a smaller one would not help.
    Tolerated,
    /// Another step is tried.
    Rejected(Rejection),
    /// No other step may be tried.
    Unrecoverable(Rejection, Reason),
}

/// The shortest part of a step from `t` by `h` that can be a step itself \[s\]: error estimates divide it again.
pub(crate) fn shortest_part(t: f64, h: f64) -> f64 {
    Resolution::of((t, t + h)).shortest_step()
}

/// Chooses steps, tries them, and judges them.
pub(crate) trait Stepping: Persistent + Send {
    /// Proposes the step from `t`, the communication point as the FMUs know it. Repeated calls return the same result, also after
    /// an event.
    fn propose(&self, t: f64) -> Proposal;
    /// Tries a step. If [`Stepping::needs_rollback`], the communication point has been saved. Without an estimator, there are no
    /// estimates.
    fn attempt(&mut self, method: &mut Method, coupled: &mut Coupled, t: f64, proposal: &Proposal) -> Attempt<Option<Estimates>>;
    /// Judges a step that was made.
    fn judge(&mut self, proposal: &Proposal, estimates: Option<Estimates>) -> Judgment;
    /// Handles a refused step; returns an error if no other step may be tried.
    fn refused(&mut self, proposal: &Proposal) -> Result<(), Reason>;
    /// Whether attempts roll back to the communication point.
    fn needs_rollback(&self) -> bool;
    /// The Real signal that contributes most to the estimates of the last attempt; `None` without an estimator.
    fn limiting(&self, _coupled: &Coupled, _estimates: Option<Estimates>) -> Option<usize> {
        None
    }
}

/// Communication points `start + n h`, computed by multiplication; the last one is exactly `stop`.
///
/// The step passed to the FMUs is the distance from their own time `t`, so that `t + h` hits the grid and nothing drifts. FMUs
/// that accept only one step size receive the same `h` every time.
pub(crate) struct FixedSteps {
    points: Points,
    /// Steps per row.
    every: u64,
    /// Rows that do not come at a fixed number of steps.
    spacing: Option<Spacing>,
    same_size: bool,
    /// A whole number; a double avoids conversions.
    done: f64,
    until_row: u64,
}

impl FixedSteps {
    pub(crate) fn new(span: (f64, f64), h: f64, output_interval: Option<f64>, same_size: bool) -> Self {
        let every = output_interval.map_or(1.0, |interval| (interval / h).round().max(1.0)) as u64;
        Self { points: Points::new(span, h), every, spacing: None, same_size, done: 0.0, until_row: every }
    }

    /// Sets the minimum distance between rows \[s\].
    pub(crate) fn spaced(self, interval: Option<f64>) -> Self {
        Self { spacing: interval.map(|interval| Spacing::new(self.points.start(), interval)), ..self }
    }
}

impl Persistent for FixedSteps {
    fn transfer(&mut self, transfer: &mut Transfer<'_>) -> Transferred {
        transfer.value(&mut self.done)?;
        self.spacing.iter_mut().try_for_each(|spacing| spacing.transfer(transfer))?;
        transfer.value(&mut self.until_row)
    }
}

impl Stepping for FixedSteps {
    #[inline(always)]
    fn propose(&self, t: f64) -> Proposal {
        let step = self.done + 1.0;
        let (last, end) = (self.points.is_last(step), self.points.at(step));
        let h = if self.same_size && self.points.is_whole(step) { self.points.distance() } else { end - t };
        let row = last || self.spacing.map_or(self.until_row == 1, |spacing| spacing.is_due(end));
        Proposal { h, end, row, last, lands: true, is_event: false, jumps: false, ends_base: false }
    }

    #[inline(always)]
    fn attempt(&mut self, method: &mut Method, coupled: &mut Coupled, t: f64, proposal: &Proposal) -> Attempt<Option<Estimates>> {
        let step = Step { t, h: proposal.h };
        method.advance(coupled, step, proposal.is_due(), Level::Communication).map_continue(|()| None)
    }

    #[inline(always)]
    fn judge(&mut self, proposal: &Proposal, _: Option<Estimates>) -> Judgment {
        if proposal.lands {
            self.done += 1.0;
            self.until_row = if self.until_row == 1 { self.every } else { self.until_row - 1 };
            self.spacing.iter_mut().filter(|_| proposal.row).for_each(|spacing| spacing.made(proposal.end));
        }
        Judgment::Accepted
    }

    fn refused(&mut self, _: &Proposal) -> Result<(), Reason> {
        Err(Reason::FixedSteps)
    }

    fn needs_rollback(&self) -> bool {
        false
    }
}

/// Where steps under error control may end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Landings {
    /// The rows; only the stop time, if there are none.
    pub(crate) rows: Points,
    /// Whether every step has a row.
    pub(crate) are_all_rows: bool,
    /// A step that ends within this time \[s\] of the stop time is extended to it.
    pub(crate) slack: f64,
    /// No step is shorter \[s\].
    pub(crate) shortest: f64,
}

/// Steps that are kept although they fail the error test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ToleratedSteps {
    /// Those that smaller steps would not improve.
    None,
    /// Those of the minimum size.
    Shortest,
    /// All: no step is repeated.
    All,
}

/// Steps under error control. They end exactly at the rows and at the stop time.
pub(crate) struct Controlled {
    /// The error estimator, with its name; without one, every step that can be made is accepted.
    estimator: Option<(EstimatorMethod, Box<dyn Estimator>)>,
    /// Repeats passes over loops that are not iterated.
    contraction: Option<ContractionCheck>,
    step_size: StepSize,
    landings: Landings,
    /// Rows at which steps do not end.
    spacing: Option<Spacing>,
    kept: ToleratedSteps,
    /// Whether steps can be repeated. If not, a failed error test only makes the next step smaller.
    rolls_back: bool,
    rows: u64,
    /// Number of refusals at one communication point, which is limited.
    refusals: u32,
    /// The Real signal that contributes most to an excessive error.
    worst: Option<usize>,
    /// Size and error of a step that failed at this communication point.
    failed: Option<(f64, f64)>,
}

/// If a step of at most this share of another one has at least this share of its error, the step is not the cause of the error.
const JUMP: (f64, f64) = (0.3, 0.7);

/// With a factor of at most a quarter each time, this leads far below any sensible minimum.
const MOST_REFUSALS: u32 = 60;

/// Steps are extended by up to this share to avoid a tiny one after them.
const STRETCH: f64 = 1e-6;

impl Controlled {
    pub(crate) fn new(
        estimator: Option<(EstimatorMethod, Box<dyn Estimator>)>,
        step_size: StepSize,
        landings: Landings,
        rolls_back: bool,
    ) -> Self {
        Self {
            estimator,
            contraction: None,
            step_size,
            landings,
            spacing: None,
            kept: ToleratedSteps::None,
            rolls_back,
            rows: 0,
            refusals: 0,
            worst: None,
            failed: None,
        }
    }

    /// Sets the check of loops that are not iterated.
    pub(crate) fn checking(self, contraction: Option<ContractionCheck>) -> Self {
        Self { contraction, ..self }
    }

    /// The check of loops that are not iterated.
    pub(crate) fn contraction(&self) -> Option<&ContractionCheck> {
        self.contraction.as_ref()
    }

    /// Sets the minimum distance between rows \[s\]; steps do not end at them.
    pub(crate) fn spaced(self, interval: Option<f64>) -> Self {
        let start = self.landings.rows.start();
        Self { spacing: interval.map(|interval| Spacing::new(start, interval)), ..self }
    }

    /// Sets which steps are kept, whatever their error.
    pub(crate) fn keeping(self, kept: ToleratedSteps) -> Self {
        Self { kept, ..self }
    }

    /// Records an accepted step.
    fn made(&mut self, proposal: &Proposal) {
        self.rows += u64::from(proposal.row);
        self.spacing.iter_mut().filter(|_| proposal.row).for_each(|spacing| spacing.made(proposal.end));
    }

    /// Whether the error does not shrink with the step: the values do not continue from their past, as with stale outputs or
    /// after a discontinuity. An estimator based on the past then sees a jump at every step, however small.
    fn is_jump(&mut self, h: f64, error: f64) -> bool {
        match self.failed {
            Some((last, _)) if h > JUMP.0 * last => false,
            last => {
                self.failed = Some((h, error));
                last.is_some_and(|(_, last)| error > JUMP.1 * last)
            }
        }
    }

    /// Decides about a step that failed the error test.
    #[cold]
    fn judge_failed(&mut self, proposal: &Proposal, estimates: Estimates) -> Judgment {
        let method = self.estimator.as_ref().map(|(method, _)| method);
        let estimator = method.map_or("", Named::name);
        let may_tolerate = method.is_none_or(|method| !method.rolls_back());
        let rejection = Rejection::ErrorTest { estimates, estimator, signal: self.worst };
        let is_shortest = !self.step_size.rejected(proposal.h, estimates.largest());
        if is_shortest && self.kept == ToleratedSteps::None {
            return Judgment::Unrecoverable(rejection, Reason::Minimum(self.step_size.minimum()));
        }
        if !is_shortest && self.rolls_back && !(may_tolerate && self.is_jump(proposal.h, estimates.largest())) {
            return Judgment::Rejected(rejection);
        }
        self.failed = None;
        self.made(proposal);
        Judgment::Tolerated
    }
}

impl Persistent for Controlled {
    fn transfer(&mut self, transfer: &mut Transfer<'_>) -> Transferred {
        self.estimator.iter_mut().try_for_each(|(_, estimator)| estimator.transfer(transfer))?;
        transfer.optional(self.contraction.as_mut())?;
        self.step_size.transfer(transfer)?;
        transfer.value(&mut self.rows)?;
        self.spacing.iter_mut().try_for_each(|spacing| spacing.transfer(transfer))?;
        transfer.value(&mut self.refusals)?;
        transfer.value(&mut self.failed)
    }
}

impl Stepping for Controlled {
    #[inline(always)]
    fn propose(&self, t: f64) -> Proposal {
        let h = self.step_size.propose();
        let Landings { rows, are_all_rows, slack, shortest } = self.landings;
        let number = (self.rows + 1) as f64;
        let (landing, last) = (rows.at(number), rows.is_last(number));
        let stretch = shortest.max(STRETCH * h);
        let slack = if last { slack.max(stretch) } else { stretch };
        if t + h <= landing - slack {
            return Proposal {
                h,
                end: t + h,
                row: are_all_rows && self.spacing.is_none_or(|spacing| spacing.is_due(t + h)),
                last: false,
                lands: true,
                is_event: false,
                jumps: false,
                ends_base: false,
            };
        }
        let mut h = landing - t;
        while t + h > rows.stop() {
            h = h.next_down();
        }
        Proposal { h, end: landing, row: true, last, lands: true, is_event: false, jumps: false, ends_base: false }
    }

    #[inline]
    fn attempt(&mut self, method: &mut Method, coupled: &mut Coupled, t: f64, proposal: &Proposal) -> Attempt<Option<Estimates>> {
        let Some((_, estimator)) = &mut self.estimator else {
            let step = Step { t, h: proposal.h };
            return method.advance(coupled, step, proposal.is_due(), Level::Communication).map_continue(|()| None);
        };
        if let Some(contraction) = &mut self.contraction {
            contraction.follow(method, coupled, Step { t, h: proposal.h })?;
        }
        let estimates = estimator.attempt(method, coupled, t, proposal.h)?;
        self.worst = if estimates.pass() { None } else { estimator.worst(coupled, estimates) };
        Attempt::Continue(Some(estimates))
    }

    #[inline(always)]
    fn judge(&mut self, proposal: &Proposal, estimates: Option<Estimates>) -> Judgment {
        let failed = estimates.filter(|estimates| !estimates.pass());
        if let Some(estimates) = failed
            && self.kept != ToleratedSteps::All
        {
            return self.judge_failed(proposal, estimates);
        }
        self.step_size.accepted(proposal.h, estimates.map_or(0.0, Estimates::largest));
        self.refusals = 0;
        self.failed = None;
        self.made(proposal);
        if failed.is_some() { Judgment::Tolerated } else { Judgment::Accepted }
    }

    fn refused(&mut self, proposal: &Proposal) -> Result<(), Reason> {
        if !self.rolls_back {
            return Err(if self.kept == ToleratedSteps::All { Reason::AllKept } else { Reason::ForwardOnly });
        }
        self.refusals += 1;
        if self.refusals < MOST_REFUSALS && self.step_size.refused(proposal.h) {
            Ok(())
        } else {
            Err(Reason::Minimum(self.step_size.minimum()))
        }
    }

    fn needs_rollback(&self) -> bool {
        self.rolls_back
    }

    fn limiting(&self, coupled: &Coupled, estimates: Option<Estimates>) -> Option<usize> {
        self.estimator.as_ref()?.1.worst(coupled, estimates?)
    }
}

#[cfg(test)]
mod tests;
