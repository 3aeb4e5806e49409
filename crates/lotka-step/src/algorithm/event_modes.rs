//! Instances that handle their events in event mode.

use lotka_plan::graph::Plan;

use super::{Signals, input_values::InputValues};
use crate::checkpoint::{Persistent, Transfer, Transferred};

/// Instances that handle their events in event mode, and those that are read again when their inputs jump.
#[derive(Debug, Default)]
pub(crate) struct EventModes {
    /// In the order of evaluation.
    pub(super) members: Vec<Member>,
    /// The instance that requested the end of the simulation at the last event.
    pub(super) ends: Option<usize>,
}

#[derive(Debug)]
pub(super) struct Member {
    pub(super) index: usize,
    /// Whether it has event mode; otherwise its outputs are read again.
    pub(super) has_mode: bool,
    /// Whether it is in event mode.
    pub(super) is_inside: bool,
    /// Whether it must update its discrete states.
    pub(super) is_open: bool,
    /// Whether it has got its inputs, and its outputs were read, since it last updated them.
    pub(super) is_fresh: bool,
    /// The time of its next event \[s\]; infinite if it is not known.
    pub(super) next_event: f64,
    /// Its inputs as it knows them.
    pub(super) inputs: InputValues,
}

impl EventModes {
    /// Those of a plan; `None` if no instance handles its events in event mode.
    pub(super) fn of(plan: &Plan) -> Option<Box<Self>> {
        let in_order = plan.components.iter().flat_map(|component| component.members.iter().copied());
        let members: Vec<_> = in_order.filter(|index| plan.instances[*index].uses_event_mode).map(Member::with_mode).collect();
        (!members.is_empty()).then(|| Box::new(Self { members, ends: None }))
    }

    /// Notes the inputs of all members.
    pub(super) fn note(&mut self, plan: &Plan, values: &Signals) {
        for member in &mut self.members {
            member.inputs.take(plan, member.index, values);
        }
    }
}

impl Member {
    pub(super) fn with_mode(index: usize) -> Self {
        let inputs = InputValues::default();
        Self { index, has_mode: true, is_inside: false, is_open: false, is_fresh: false, next_event: f64::INFINITY, inputs }
    }
}

/// The times of the next events: an event is handled before anything persists.
impl Persistent for EventModes {
    fn transfer(&mut self, transfer: &mut Transfer<'_>) -> Transferred {
        self.members.iter_mut().try_for_each(|member| transfer.value(&mut member.next_event))
    }
}
