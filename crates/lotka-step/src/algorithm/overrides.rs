//! Overrides: variables that are set, or offset by a value, from a given time on.
//!
//! An overridden input no longer reads its sources but a constant. The sources are unaffected.

use std::ops::Range;

use lotka_plan::{
    graph::{DiscreteSource, Feed, Plan},
    link::SignalType,
};

use crate::resolved::{self, Action, Target};

/// Which variables are set, when, and where their values lie.
#[derive(Debug, Clone, Default)]
pub struct Overrides {
    pub(super) targets: Vec<Target>,
    /// One per target.
    pub(super) places: Vec<OverriddenVariable>,
    pub(super) changes: Changes,
}

/// The actions of a run, and how far it is with them.
#[derive(Debug, Clone, Default)]
pub struct Changes {
    /// In order of time.
    pub(super) actions: Vec<Action>,
    /// Number of actions carried out.
    pub(super) done: usize,
}

/// Where a variable gets its value, and its original sources.
#[derive(Debug, Clone)]
pub(super) enum OverriddenVariable {
    /// It is not connected: the value is set in the instance.
    Unconnected {
        instance: usize,
        reference: u32,
    },
    Real {
        gather: usize,
        terms: Range<usize>,
        offset: f64,
    },
    Integer {
        instance: usize,
        position: usize,
        source: DiscreteSource,
        slot: usize,
    },
    Boolean {
        instance: usize,
        position: usize,
        source: DiscreteSource,
        slot: usize,
    },
    Text {
        instance: usize,
        position: usize,
        source: usize,
        slot: usize,
    },
    Binary {
        instance: usize,
        position: usize,
        source: usize,
        slot: usize,
    },
}

impl Overrides {
    /// Reserves space for the values in the plan.
    pub fn new(settings: &resolved::Overrides, plan: &mut Plan) -> Self {
        let places = settings.targets.iter().map(|target| OverriddenVariable::new(target, plan)).collect();
        Self { targets: settings.targets.clone(), places, changes: Changes { actions: settings.actions.clone(), done: 0 } }
    }
}

impl Changes {
    /// The next action, if it is due up to `time`.
    pub(super) fn next(&self, time: f64) -> Option<&Action> {
        self.actions.get(self.done).filter(|action| action.time <= time)
    }
}

impl OverriddenVariable {
    pub(super) fn new(target: &Target, plan: &mut Plan) -> Self {
        let found = if target.is_connected { Self::connected(target, plan) } else { None };
        found.unwrap_or(Self::Unconnected { instance: target.instance, reference: target.reference })
    }

    /// The place in the plan that lists the sources of an input. A constant has a slot among the values of its type.
    fn connected(target: &Target, plan: &mut Plan) -> Option<Self> {
        let &Target { instance, reference, signal, .. } = target;
        let instance_plan = &mut plan.instances[instance];
        let discrete = instance_plan.discrete.as_deref();
        Some(match signal {
            SignalType::Real => {
                let gather =
                    instance_plan.gathers.start + instance_plan.input_references.iter().position(|known| known.0 == reference)?;
                // The input can no longer be passed without copying.
                instance_plan.feed = Feed::Gather;
                Self::Real { gather, terms: plan.gathers[gather].terms.clone(), offset: plan.gathers[gather].offset }
            }
            SignalType::Integer => {
                let (position, source) = find(&discrete?.integer_inputs, |known| known.0 == reference)?;
                Self::Integer { instance, position, source, slot: next(&mut plan.integers) }
            }
            SignalType::Boolean => {
                let (position, source) = find(&discrete?.boolean_inputs, |known| known.0 == reference)?;
                Self::Boolean { instance, position, source, slot: next(&mut plan.booleans) }
            }
            SignalType::Text => {
                let (position, source) = find(&discrete?.text_inputs, |known| known.0 == reference)?;
                Self::Text { instance, position, source, slot: next(&mut plan.texts) }
            }
            SignalType::Binary => {
                let (position, source) = find(&discrete?.binary_inputs, |known| known.0 == reference)?;
                Self::Binary { instance, position, source, slot: next(&mut plan.binaries) }
            }
        })
    }
}

/// Finds an input by its reference; returns its position and its sources.
fn find<R, S: Copy>(inputs: &[(R, S)], is_it: impl Fn(&R) -> bool) -> Option<(usize, S)> {
    inputs.iter().enumerate().find(|(_, (reference, _))| is_it(reference)).map(|(position, (_, source))| (position, *source))
}

/// Adds a place among the values of a type.
fn next(names: &mut Vec<String>) -> usize {
    names.push("a value of [[scenario]]".to_owned());
    names.len() - 1
}
