//! Overrides take effect.

use lotka_instance::{BinaryRef, BooleanRef, CallResult, IntegerRef, RealRef, StringRef, TypedValue};
use lotka_plan::graph::{DiscreteSource, Gather};

use super::Coupled;
use crate::{
    Error,
    algorithm::{
        attempt::call_failed,
        overrides::{Changes, OverriddenVariable, Overrides},
    },
    resolved::{Action, Target},
};

impl Coupled {
    /// Removes all overrides at the beginning of a run.
    pub(crate) fn release_overrides(&mut self) {
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

    /// Makes a variable one that can be set, if it is not, and returns its number. For connected integers, booleans, strings and
    /// binaries, the plan must have it among its targets.
    pub fn make_settable(&mut self, target: &Target) -> usize {
        let overrides = self.overrides.get_or_insert_default();
        if let Some(known) = overrides.targets.iter().position(|known| known == target) {
            return known;
        }
        overrides.places.push(OverriddenVariable::new(target, &mut self.plan));
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
                (&OverriddenVariable::Unconnected { instance, reference }, Some(value)) if sets_instances => {
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
    fn feed(&mut self, place: &OverriddenVariable, value: Option<&TypedValue>, bias: f64) {
        match (place, value) {
            (OverriddenVariable::Real { gather, terms, offset }, value) => {
                let (terms, offset) = match value {
                    Some(TypedValue::Real(value)) => (terms.start..terms.start, value + bias),
                    _ => (terms.clone(), offset + bias),
                };
                self.compute_input(*gather, Gather { terms, offset });
            }
            (&OverriddenVariable::Integer { instance, position, source, slot }, value) => {
                let value = if let Some(TypedValue::Integer(value)) = value { Some(*value) } else { None };
                value.into_iter().for_each(|value| (self.newest.integers[slot], self.held.integers[slot]) = (value, value));
                if let Some(discrete) = &mut self.plan.instances[instance].discrete {
                    discrete.integer_inputs[position].1 = if value.is_some() { DiscreteSource::Integer(slot) } else { source };
                }
            }
            (&OverriddenVariable::Boolean { instance, position, source, slot }, value) => {
                let value = if let Some(TypedValue::Boolean(value)) = value { Some(*value) } else { None };
                value.into_iter().for_each(|value| (self.newest.booleans[slot], self.held.booleans[slot]) = (value, value));
                if let Some(discrete) = &mut self.plan.instances[instance].discrete {
                    discrete.boolean_inputs[position].1 = if value.is_some() { DiscreteSource::Boolean(slot) } else { source };
                }
            }
            (&OverriddenVariable::Text { instance, position, source, slot }, value) => {
                if let Some(TypedValue::Text(value)) = value {
                    self.newest.texts[slot].clone_from(value);
                    self.held.texts[slot].clone_from(value);
                }
                if let Some(discrete) = &mut self.plan.instances[instance].discrete {
                    discrete.text_inputs[position].1 = if value.is_some() { slot } else { source };
                }
            }
            (&OverriddenVariable::Binary { instance, position, source, slot }, value) => {
                if let Some(TypedValue::Binary(value)) = value {
                    self.newest.binaries[slot].clone_from(value);
                    self.held.binaries[slot].clone_from(value);
                }
                if let Some(discrete) = &mut self.plan.instances[instance].discrete {
                    discrete.binary_inputs[position].1 = if value.is_some() { slot } else { source };
                }
            }
            (OverriddenVariable::Unconnected { .. }, _) => {}
        }
    }
}
