//! Overrides: variables that are set, or offset by a value, from a given time on.
//!
//! An overridden input no longer reads its sources but a constant. The sources are unaffected.

use std::ops::Range;

use lotka_instance::{BinaryRef, BooleanRef, CallResult, IntegerRef, RealRef, StringRef, TypedValue};
use lotka_plan::{
    graph::{DiscreteSource, Feed, Gather, Plan},
    link::SignalType,
};

use super::{Coupled, attempt::call_failed};
use crate::{
    Error,
    resolved::{self, Action, Target},
};

/// Which variables are set, when, and where their values lie.
#[derive(Debug, Clone, Default)]
pub struct Overrides {
    targets: Vec<Target>,
    /// One per target.
    places: Vec<Place>,
    changes: Changes,
}

/// The actions of a run, and how far it is with them.
#[derive(Debug, Clone, Default)]
pub struct Changes {
    /// In order of time.
    actions: Vec<Action>,
    /// Number of actions carried out.
    done: usize,
}

/// Where a variable gets its value, and its original sources.
#[derive(Debug, Clone)]
enum Place {
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
        let places = settings.targets.iter().map(|target| Place::new(target, plan)).collect();
        Self { targets: settings.targets.clone(), places, changes: Changes { actions: settings.actions.clone(), done: 0 } }
    }
}

impl Changes {
    /// The next action, if it is due up to `time`.
    fn next(&self, time: f64) -> Option<&Action> {
        self.actions.get(self.done).filter(|action| action.time <= time)
    }
}

impl Place {
    fn new(target: &Target, plan: &mut Plan) -> Self {
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

impl Coupled {
    /// Removes all overrides at the beginning of a run.
    pub(super) fn release_overrides(&mut self) {
        let Some(mut overrides) = self.overrides.take() else { return };
        overrides.changes.done = 0;
        overrides.places.iter().for_each(|place| self.feed(place, None, 0.0));
        self.overrides = Some(overrides);
    }

    /// Carries out the actions due up to `time`. Returns true if there were any.
    ///
    /// # Errors
    /// An instance refuses a value.
    pub fn enter_overrides(&mut self, time: f64) -> Result<bool, Box<Error>> {
        self.carry_out(time, true)
    }

    /// Makes a variable one that can be set, if it is not, and returns its number. For connected integers, booleans, strings and binaries, the plan must
    /// have it among its targets.
    pub fn make_settable(&mut self, target: &Target) -> usize {
        let overrides = self.overrides.get_or_insert_default();
        if let Some(known) = overrides.targets.iter().position(|known| known == target) {
            return known;
        }
        overrides.places.push(Place::new(target, &mut self.plan));
        overrides.targets.push(target.clone());
        let number = overrides.targets.len() - 1;
        self.choose_routes();
        number
    }

    /// Adds a change that is due next: at once.
    pub fn add_change(&mut self, action: Action) {
        let Some(Changes { actions, done }) = self.overrides.as_mut().map(|overrides| &mut overrides.changes) else { return };
        // After those that were added before: the last change of a variable counts.
        let waiting = actions[*done..].iter().take_while(|other| other.time <= action.time).count();
        actions.insert(*done + waiting, action);
    }

    /// The changes so far and to come.
    pub fn changes(&self) -> Changes {
        self.overrides.as_ref().map_or_else(Changes::default, |overrides| overrides.changes.clone())
    }

    /// Returns to the actions that were known before the run: all are to come.
    pub fn forget_changes(&mut self, known: Option<&Overrides>) {
        self.release_overrides();
        if let Some(overrides) = &mut self.overrides {
            overrides.changes = known.map_or_else(Changes::default, |known| known.changes.clone());
        }
    }

    /// Returns to these changes. The instances already have their values.
    ///
    /// # Errors
    /// A call to an instance fails.
    pub fn return_to_changes(&mut self, changes: Changes) -> Result<(), Box<Error>> {
        self.release_overrides();
        let done = changes.done;
        let Some(overrides) = &mut self.overrides else { return Ok(()) };
        overrides.changes = Changes { done: 0, ..changes };
        let latest = overrides.changes.actions[..done].last().map(|action| action.time);
        latest.map_or(Ok(()), |latest| self.recall_overrides(latest))
    }

    /// Restores the overrides up to `time` where the instances already have their values.
    ///
    /// # Errors
    /// A call to an instance fails.
    pub fn recall_overrides(&mut self, time: f64) -> Result<(), Box<Error>> {
        self.carry_out(time, false).map(drop)
    }

    fn carry_out(&mut self, time: f64, sets_instances: bool) -> Result<bool, Box<Error>> {
        let Some(mut overrides) = self.overrides.take() else { return Ok(false) };
        let before = overrides.changes.done;
        let mut result = Ok(());
        while let Some(action) = overrides.changes.next(time) {
            match (&overrides.places[action.target], &action.value) {
                (&Place::Unconnected { instance, reference }, Some(value)) if sets_instances => {
                    result = result.and(self.set_unconnected(instance, reference, value, action.bias));
                }
                (place, value) => self.feed(place, value.as_ref(), action.bias),
            }
            overrides.changes.done += 1;
        }
        let is_changed = overrides.changes.done > before;
        self.overrides = Some(overrides);
        result.map(|()| is_changed).map_err(call_failed)
    }

    fn set_unconnected(&mut self, instance: usize, reference: u32, value: &TypedValue, bias: f64) -> CallResult<()> {
        self.open_event(instance)?;
        self.instances[instance].was_set = true;
        let instance = &mut self.instances[instance].inner;
        match value {
            TypedValue::Real(value) => instance.set_real(&[RealRef(reference)], &[value + bias]),
            TypedValue::Integer(value) => instance.set_integer(&[IntegerRef(reference)], &[*value]),
            TypedValue::Boolean(value) => instance.set_boolean(&[BooleanRef(reference)], &[*value]),
            TypedValue::Text(value) => instance.set_string(&[StringRef(reference)], &[value]),
            TypedValue::Binary(value) => instance.set_binary(&[BinaryRef(reference)], &[value]),
        }
    }

    /// Connects an input to a value, or to its original sources.
    fn feed(&mut self, place: &Place, value: Option<&TypedValue>, bias: f64) {
        match (place, value) {
            (Place::Real { gather, terms, offset }, value) => {
                let (terms, offset) = match value {
                    Some(TypedValue::Real(value)) => (terms.start..terms.start, value + bias),
                    _ => (terms.clone(), offset + bias),
                };
                self.compute_input(*gather, Gather { terms, offset });
            }
            (&Place::Integer { instance, position, source, slot }, value) => {
                let value = if let Some(TypedValue::Integer(value)) = value { Some(*value) } else { None };
                value.into_iter().for_each(|value| (self.newest.integers[slot], self.held.integers[slot]) = (value, value));
                if let Some(discrete) = &mut self.plan.instances[instance].discrete {
                    discrete.integer_inputs[position].1 = if value.is_some() { DiscreteSource::Integer(slot) } else { source };
                }
            }
            (&Place::Boolean { instance, position, source, slot }, value) => {
                let value = if let Some(TypedValue::Boolean(value)) = value { Some(*value) } else { None };
                value.into_iter().for_each(|value| (self.newest.booleans[slot], self.held.booleans[slot]) = (value, value));
                if let Some(discrete) = &mut self.plan.instances[instance].discrete {
                    discrete.boolean_inputs[position].1 = if value.is_some() { DiscreteSource::Boolean(slot) } else { source };
                }
            }
            (&Place::Text { instance, position, source, slot }, value) => {
                if let Some(TypedValue::Text(value)) = value {
                    self.newest.texts[slot].clone_from(value);
                    self.held.texts[slot].clone_from(value);
                }
                if let Some(discrete) = &mut self.plan.instances[instance].discrete {
                    discrete.text_inputs[position].1 = if value.is_some() { slot } else { source };
                }
            }
            (&Place::Binary { instance, position, source, slot }, value) => {
                if let Some(TypedValue::Binary(value)) = value {
                    self.newest.binaries[slot].clone_from(value);
                    self.held.binaries[slot].clone_from(value);
                }
                if let Some(discrete) = &mut self.plan.instances[instance].discrete {
                    discrete.binary_inputs[position].1 = if value.is_some() { slot } else { source };
                }
            }
            (Place::Unconnected { .. }, _) => {}
        }
    }
}
