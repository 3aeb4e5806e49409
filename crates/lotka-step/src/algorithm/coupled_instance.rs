//! One coupled instance.

use lotka_instance::{CallResult, Cause, Discard, Instance, Status, StepOutcome};
use lotka_plan::graph::{Feed, InstancePlan};

use super::{
    Attempt, Refusal,
    attempt::{call_failed, fail, proceed, refuse},
    before_jump::Rereading,
    call::{Call, Route, Span},
    rounding::Rounding,
};
use crate::checkpoint::{Persistent, Transfer, Transferred};

/// Maximum number of parts of a step, each ended by an early return.
const MOST_PARTS: usize = 10_000;

/// Counts of the calls made to an instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct Calls {
    /// Of `doStep`.
    pub steps: u64,
    /// Of states saved.
    pub saves: u64,
    /// Of states restored.
    pub restores: u64,
}

/// One instance with the part of the plan that each of its steps needs, in few bytes: with many instances, memory is the
/// bottleneck.
pub struct CoupledInstance {
    /// The instance itself.
    pub inner: Box<dyn Instance>,
    /// Calls so far.
    pub calls: Calls,
    pub(super) route: Route,
    pub(super) n_inputs: u32,
    pub(super) outputs: Span,
    /// Whether no saved state of it will be restored: its states cannot be saved.
    never_returns: bool,
    /// Whether the step of all instances ends where this one stops early; otherwise it completes the step at once.
    pub(super) ends_early: bool,
    /// Whether its steps can proceed while other instances step.
    pub(super) splits_steps: bool,
    /// Whether it makes each step in two parts.
    pub(super) in_parts: bool,
    /// Whether it has stopped at the end of a step for an event, which must be handled in event mode.
    pub(super) awaits_event: bool,
    /// Whether it has stopped inside its last incomplete step for an event, which must be handled in event mode.
    announces_event: bool,
    /// Whether its outputs can be read after its inputs were set.
    pub(super) rereading: Rereading,
    /// Whether an unconnected variable was set since its outputs were read.
    pub(super) was_set: bool,
    /// Whether it has refused to be read between two steps.
    pub(super) is_closed_between_steps: bool,
    /// Which sizes that are off by the rounding of times it accepts.
    pub rounding: Rounding,
}

/// Share of a step that is its first part.
const FIRST_PART: f64 = 0.381_966;

impl CoupledInstance {
    pub(super) fn new(instance: Box<dyn Instance>, instance_plan: &InstancePlan) -> Self {
        let never_returns = !instance.capabilities().save_state;
        Self {
            inner: instance,
            calls: Calls::default(),
            route: Route::General,
            n_inputs: instance_plan.input_references.len() as u32,
            outputs: Span::new(&instance_plan.outputs),
            never_returns,
            ends_early: false,
            in_parts: false,
            splits_steps: false,
            awaits_event: false,
            announces_event: false,
            rereading: if never_returns { Rereading::Refused } else { Rereading::Untried },
            was_set: false,
            is_closed_between_steps: false,
            rounding: Rounding::default(),
        }
    }

    /// Chooses the route if only Real inputs are exchanged: directly, if they are held and need no computation.
    pub(super) fn choose_route(&mut self, instance_plan: &InstancePlan, is_held: bool) {
        self.route = match &instance_plan.feed {
            Feed::Direct(range) if is_held && !self.in_parts => Route::Direct(Span::new(range)),
            _ => Route::Computed,
        };
    }

    /// Sets these inputs, if there are any, steps, and reads the outputs.
    #[inline]
    pub(super) fn step(&mut self, index: usize, inputs: &[f64], outputs: &mut [f64], call: Call) -> Attempt<()> {
        match if self.in_parts { self.call_in_parts(inputs, outputs, call) } else { self.call(inputs, outputs, call) } {
            Ok(StepOutcome::Complete) => {
                self.rounding.accept(call);
                Attempt::Continue(())
            }
            result => self.go_on(index, result, inputs, outputs, call),
        }
    }

    /// Makes a step as two of unequal size with the same inputs, to show an error that the instance makes by itself. A result
    /// that is not complete is that of the first part, or that of the step.
    #[cold]
    fn call_in_parts(&mut self, inputs: &[f64], outputs: &mut [f64], call: Call) -> CallResult<StepOutcome> {
        let first = FIRST_PART * call.h;
        match self.call(inputs, outputs, Call { h: first, ..call })? {
            StepOutcome::Complete => self.call(&[], outputs, Call { t: call.t + first, h: call.h - first, ..call }),
            other => Ok(other),
        }
    }

    /// Makes the call of a step, whose result may need more of them: see [`CoupledInstance::go_on`].
    #[inline(always)]
    pub(super) fn call(&mut self, inputs: &[f64], outputs: &mut [f64], call: Call) -> CallResult<StepOutcome> {
        self.calls.steps += 1;
        self.inner.step(inputs, call.t, self.rounding.size(call), call.commit | self.never_returns, outputs)
    }

    /// Whether it has stopped early for an event in the step that was refused because of it.
    #[must_use]
    pub fn announces_event(&self) -> bool {
        self.announces_event
    }

    /// Forgets what an earlier run has shown.
    pub(super) fn renew(&mut self) {
        (self.calls, self.rounding) = (Calls::default(), Rounding::default());
    }

    /// Begins a step that proceeds while other instances step; the instance must be one that can.
    pub(super) fn begin(&mut self, inputs: &[f64], outputs: &[f64], call: Call) -> Attempt<()> {
        let (commit, h) = (call.commit | self.never_returns, self.rounding.size(call));
        let halves = self.inner.split_step().expect("only instances that split their steps are begun here");
        proceed(halves.begin_step(inputs, call.t, h, commit, outputs).map_err(call_failed))
    }

    /// Ends a step that was begun.
    pub(super) fn finish(&mut self, index: usize, outputs: &mut [f64], call: Call) -> Attempt<()> {
        self.calls.steps += 1;
        let halves = self.inner.split_step().expect("only instances that split their steps are begun here");
        match halves.finish_step(outputs) {
            Ok(StepOutcome::Complete) => {
                self.rounding.accept(call);
                Attempt::Continue(())
            }
            result => self.go_on(index, result, &[], outputs, call),
        }
    }

    /// Handles a call that did not reach the end of the step, or ended at an event. After an early return, the instance makes the
    /// rest with the same inputs, unless the step ends there for all.
    #[cold]
    pub(super) fn go_on(
        &mut self,
        index: usize,
        mut result: CallResult<StepOutcome>,
        inputs: &[f64],
        outputs: &mut [f64],
        call: Call,
    ) -> Attempt<()> {
        let (mut at, end) = (call.t, call.t + call.h);
        let mut first_discard = None;
        for _ in 0..MOST_PARTS {
            let outcome = match result {
                Ok(StepOutcome::EarlyReturn(time)) => StepOutcome::stopped_at(time, at, end - at),
                Ok(outcome) => outcome,
                Err(error) => {
                    let refuses = matches!(error.cause, Cause::Status(Status::Error) | Cause::NotAllowed(_));
                    let is_stuck =
                        refuses && self.rounding.gets_stuck(Call { t: at, h: end - at, ..call }, first_discard.is_some());
                    return match first_discard {
                        // Some FMUs take no step after one that they have discarded: that one is the reason why the run ends.
                        Some(discard) if refuses && !is_stuck => refuse(Refusal::Discarded { instance: index, discard }),
                        _ => fail(call_failed(error)),
                    };
                }
            };
            match outcome {
                StepOutcome::Complete => return Attempt::Continue(()),
                StepOutcome::Discarded(discard) if self.rounding.explains(Call { t: at, h: end - at, ..call }, &discard) => {
                    first_discard = Some(*discard);
                }
                StepOutcome::Discarded(discard) => return refuse(Refusal::Discarded { instance: index, discard: *discard }),
                StepOutcome::EarlyReturn(time) if self.ends_early => {
                    self.announces_event = false;
                    return refuse(Refusal::EarlyReturn { instance: index, time });
                }
                StepOutcome::EarlyReturn(time) => at = time,
                StepOutcome::Event(time) => {
                    self.awaits_event = StepOutcome::stopped_at(time, at, end - at) == StepOutcome::Complete;
                    self.announces_event = !self.awaits_event;
                    return match self.awaits_event {
                        true => Attempt::Continue(()),
                        false => refuse(Refusal::EarlyReturn { instance: index, time }),
                    };
                }
            }
            result = self.call(inputs, outputs, Call { t: at, h: end - at, ..call });
        }
        let discard = Discard { last_successful_time: Some(at), terminate: false };
        refuse(Refusal::Discarded { instance: index, discard })
    }
}

impl Persistent for CoupledInstance {
    fn transfer(&mut self, transfer: &mut Transfer<'_>) -> Transferred {
        transfer.value(&mut self.calls)?;
        transfer.value(&mut self.is_closed_between_steps)?;
        self.rounding.transfer(transfer)
    }
}
