//! One instance of the coupled ones.

use std::ops::Range;

use lotka_instance::{CallResult, Instance, StepOutcome};

use super::{
    Attempt, Refusal,
    attempt::{call_failed, fail, proceed, refuse},
};
use crate::graph::{Feed, Unit};

/// What an instance was asked to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct Calls {
    pub(crate) steps: u64,
    pub(crate) saves: u64,
    pub(crate) restores: u64,
}

/// One instance with what each of its steps needs of the plan, in few bytes: many instances are bound by memory.
pub(crate) struct Member {
    pub(crate) instance: Box<dyn Instance>,
    pub(crate) calls: Calls,
    /// The signals that are handed over as inputs as they lie; `None` for all others, which take the general step.
    pub(super) direct: Option<Span>,
    pub(super) outputs: Span,
    /// A saved state of it may be restored.
    can_return: bool,
}

/// A step of one instance, from `t` by `h` \[s\].
#[derive(Debug, Clone, Copy)]
pub(super) struct Call {
    pub(super) t: f64,
    pub(super) h: f64,
    /// No state before `t` will be restored.
    pub(super) commit: bool,
}

/// Neighboring Real signals.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    pub(super) start: u32,
    pub(super) len: u32,
}

impl Span {
    fn new(range: &Range<usize>) -> Self {
        Self { start: range.start as u32, len: range.len() as u32 }
    }

    /// Start and end as sums of small numbers: the compiler sees that they are in order.
    #[inline]
    pub(super) fn range(self) -> Range<usize> {
        self.start as usize..self.start as usize + self.len as usize
    }
}

impl Member {
    pub(super) fn new(instance: Box<dyn Instance>, unit: &Unit) -> Self {
        let can_return = instance.capabilities().save_state;
        Self { instance, calls: Calls::default(), direct: direct(unit), outputs: Span::new(&unit.outputs), can_return }
    }

    /// Says whether inputs are held, so that they can be handed over as they lie.
    pub(super) fn hand_over(&mut self, unit: &Unit, is_held: bool) {
        self.direct = direct(unit).filter(|_| is_held);
    }

    /// Steps with inputs that are set already, and reads the outputs.
    pub(super) fn step_and_read(&mut self, index: usize, unit: &Unit, outputs: &mut [f64], call: Call) -> Attempt<()> {
        self.calls.steps += 1;
        let commit = call.commit || !self.can_return;
        judge_call(index, self.instance.do_step(call.t, call.h, commit))?;
        if outputs.is_empty() {
            return Attempt::Continue(());
        }
        proceed(self.instance.get_real(&unit.output_references, outputs).map_err(call_failed))
    }

    #[inline]
    pub(super) fn step(&mut self, index: usize, inputs: &[f64], outputs: &mut [f64], call: Call) -> Attempt<()> {
        self.calls.steps += 1;
        judge_call(index, self.instance.step(inputs, call.t, call.h, call.commit || !self.can_return, outputs))
    }
}

#[inline]
fn judge_call(index: usize, result: CallResult<StepOutcome>) -> Attempt<()> {
    match result {
        Ok(StepOutcome::Complete) => Attempt::Continue(()),
        Ok(StepOutcome::Discarded(discard)) => refuse(Refusal::Discarded { instance: index, discard: *discard }),
        Err(error) => fail(call_failed(error)),
    }
}

/// The signals that can be handed over as inputs as they lie.
fn direct(unit: &Unit) -> Option<Span> {
    match &unit.feed {
        Feed::Direct(range) if unit.discrete.is_none() => Some(Span::new(range)),
        _ => None,
    }
}
